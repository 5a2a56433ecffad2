/** Writes to standard output, and handles its errors: a full disk or a closed pipe. */
import { once } from 'node:events'

const EXIT_USAGE = 2

/** For commands: a closed pipe ends them without an error. */
function exitOnError(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') process.stderr.write(`hsapi: standard output cannot be written: ${error.message}\n`)
  process.exit(error.code === 'EPIPE' ? 0 : EXIT_USAGE)
}

process.stdout.on('error', exitOnError)
process.stderr.on('error', () => {})

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Standard output that waits while its reader is slower than the writer. */
export const stdoutSink = {
  writeFile: async (piece: string | Uint8Array): Promise<void> => {
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain')
  },
}

/** For servers: prints lines, and counts those that cannot be written. */
export function printCounting(): { print: (text: string) => void; dropped: () => number } {
  let dropped = 0
  const print = (text: string) => {
    process.stdout.write(`${text}\n`, error => {
      if (error) dropped++
    })
  }
  return { print, dropped: () => dropped }
}

/** For servers, which must not stop because a log line cannot be written. */
export function ignoreStdoutErrors(): void {
  process.stdout.off('error', exitOnError)
  process.stdout.on('error', () => {})
}
