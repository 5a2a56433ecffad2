/** A progress line on a terminal. */
import { basename } from 'node:path'
import { escapeControls } from './terminal.js'

const BAR_CHARS = 30
const EVERY_MS = 100

export interface ProgressBar {
  /** `part` is from 0 to 1. */
  draw(part: number, note: string): void
  clear(): void
}

/** Draws nothing unless standard error is a terminal. */
export function progressBar(file: string): ProgressBar {
  if (!process.stderr.isTTY) return { draw: () => {}, clear: () => {} }
  const title = escapeControls(basename(file))
  let drawn = 0
  return {
    draw: (part, note) => {
      const now = Date.now()
      if (now - drawn < EVERY_MS) return
      drawn = now
      const done = Math.round(Math.min(part, 1) * BAR_CHARS)
      process.stderr.write(`\r\u001b[K${title} [${'#'.repeat(done)}${'.'.repeat(BAR_CHARS - done)}] ${note}`)
    },
    clear: () => process.stderr.write('\r\u001b[K'),
  }
}

export interface ProgressSteps {
  /** `part` done so far, from 0 to 1. */
  begin(name: string, part: number): void
  end(): void
}

/** A bar on a terminal, a line per step in a log. */
export function progressSteps(file: string, print: (line: string) => void): ProgressSteps {
  if (!process.stderr.isTTY) return { begin: name => print(`${file}: ${name}`), end: () => {} }
  const bar = progressBar(file)
  return { begin: (name, part) => bar.draw(part, name), end: () => bar.clear() }
}
