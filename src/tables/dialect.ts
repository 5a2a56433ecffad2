/** Detects separator, newline and BOM, so that output looks like the input. */
import { open } from 'node:fs/promises'

export interface Dialect {
  separator: string
  newline: string
  bom: boolean
}

/** The dialect of output that has no CSV input to imitate. */
export const PLAIN: Dialect = { separator: ',', newline: '\n', bom: false }

export const SEPARATORS: Readonly<Record<string, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab' }

/** The header must end within this number of bytes. */
const HEAD_BYTES = 65_536
const BOM = '\ufeff'
/** Quoted text is ignored, because it may contain separators and newlines. */
const QUOTED = /"[^"]*"?/g

/** Returns the most frequent separator of the header; a comma if there is none. */
function guessSeparator(header: string): string {
  const parts = (separator: string) => header.split(separator).length
  return Object.keys(SEPARATORS).reduce((best, separator) => (parts(separator) > parts(best) ? separator : best))
}

/** Reads the start of a file. Detects the separator only if `separator` is undefined. */
export async function readDialect(file: string, separator?: string): Promise<Dialect> {
  const handle = await open(file, 'r')
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0).finally(() => handle.close())
  const text = buffer.toString('utf8', 0, bytesRead)
  const bom = text.startsWith(BOM)
  const unquoted = (bom ? text.slice(1) : text).replace(/^[\r\n]+/, '').replace(QUOTED, '')
  const end = /\r\n|\r|\n/.exec(unquoted)
  const header = unquoted.slice(0, end?.index)
  return { separator: separator ?? guessSeparator(header), newline: end?.[0] ?? '\n', bom }
}
