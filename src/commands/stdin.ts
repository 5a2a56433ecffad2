import { OperatorError } from '../errors.js'
import { CLASSIFY_CHARS_MAX, CLASSIFY_LINES_MAX } from '../limits.js'

const UTF8_BYTES_MAX = 4
const BYTES_MAX = CLASSIFY_LINES_MAX * CLASSIFY_CHARS_MAX * UTF8_BYTES_MAX
const TOO_MUCH = `standard input has more than ${CLASSIFY_LINES_MAX} lines; "hsapi enrich FILE --words COLUMN" reads files of any length`

/** Reads the lines of standard input that are not blank, with their numbers from 1. */
export async function readLines(): Promise<{ line: string; number: number }[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let bytes = 0
  let text = ''
  try {
    for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > BYTES_MAX) throw new OperatorError(TOO_MUCH)
      text += decoder.decode(chunk, { stream: true })
    }
    text += decoder.decode()
  } catch (error) {
    throw error instanceof TypeError ? new OperatorError('standard input is not valid UTF-8') : error
  }
  const lines = text.split(/\r?\n/).map((line, i) => ({ line, number: i + 1 }))
  const written = lines.filter(({ line }) => line.trim() !== '')
  if (written.length === 0) throw new OperatorError('standard input has no text')
  if (written.length > CLASSIFY_LINES_MAX) throw new OperatorError(TOO_MUCH)
  return written
}
