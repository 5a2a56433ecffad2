/** Standard output, which may be a full disk or a pipe that nobody reads any more. */

const EXIT_MISTAKE = 2

/** For a command: without a reader there is nothing left to do; any other trouble is told on the other stream. */
function giveUp(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') process.stderr.write(`hsapi: standard output cannot be written: ${error.message}\n`)
  process.exit(error.code === 'EPIPE' ? 0 : EXIT_MISTAKE)
}

process.stdout.on('error', giveUp)
process.stderr.on('error', () => {})

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** For a server: its lines are lost, its answers are not. */
export function ignoreStdoutErrors(): void {
  process.stdout.off('error', giveUp)
  process.stdout.on('error', () => {})
}
