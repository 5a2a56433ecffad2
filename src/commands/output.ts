/** Standard output may be a full disk or a closed pipe. */

const EXIT_USAGE = 2

/** For commands: a closed pipe ends them quietly. */
function exitOnError(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') process.stderr.write(`hsapi: standard output cannot be written: ${error.message}\n`)
  process.exit(error.code === 'EPIPE' ? 0 : EXIT_USAGE)
}

process.stdout.on('error', exitOnError)
process.stderr.on('error', () => {})

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** For servers: losing log lines must not stop them. */
export function ignoreStdoutErrors(): void {
  process.stdout.off('error', exitOnError)
  process.stdout.on('error', () => {})
}
