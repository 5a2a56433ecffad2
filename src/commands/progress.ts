import { basename } from 'node:path'
import { escapeControls } from '../control-characters.js'

const BAR_CHARS = 30
const EVERY_MS = 100

/** Draws nothing unless standard error is a terminal. */
export function progressBar(file: string) {
  const isTerminal = process.stderr.isTTY
  const title = escapeControls(basename(file))
  let drawn = 0
  return {
    /** `part` is from 0 to 1. */
    draw: (part: number, note: string): void => {
      const now = Date.now()
      if (!isTerminal || now - drawn < EVERY_MS) return
      drawn = now
      const done = Math.round(Math.min(part, 1) * BAR_CHARS)
      process.stderr.write(`\r\u001b[K${title} [${'#'.repeat(done)}${'.'.repeat(BAR_CHARS - done)}] ${note}`)
    },
    clear: (): void => {
      if (isTerminal) process.stderr.write('\r\u001b[K')
    },
  }
}
