import { basename } from 'node:path'
import { escapeControls } from '../control-characters.js'

const BAR_CHARS = 30
const EVERY_MS = 100

/** Draws a progress bar on standard error, but only on a terminal. */
export function progressBar(file: string) {
  const isTerminal = process.stderr.isTTY
  const title = escapeControls(basename(file))
  let drawnAtMs = 0
  return {
    /** `part` is from 0 to 1. */
    draw: (part: number, note: string): void => {
      const now = Date.now()
      if (!isTerminal || now - drawnAtMs < EVERY_MS) return
      drawnAtMs = now
      const done = Math.round(Math.min(part, 1) * BAR_CHARS)
      process.stderr.write(`\r\u001b[K${title} [${'#'.repeat(done)}${'.'.repeat(BAR_CHARS - done)}] ${note}`)
    },
    clear: (): void => {
      if (isTerminal) process.stderr.write('\r\u001b[K')
    },
  }
}
