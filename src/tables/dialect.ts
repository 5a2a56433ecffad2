/** Detects separator, newline and BOM, so that output looks like the input. */
import { open } from 'node:fs/promises'

export interface Dialect {
  separator: string
  newline: string
  bom: boolean
}

export const SEPARATORS: Readonly<Record<string, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab' }

/** The header must lie within this. */
const HEAD_BYTES = 65_536
const BOM = '\ufeff'
const QUOTE = '"'

/** Ignores quoted text, which may contain anything. */
function firstLine(text: string): { outsideQuotes: string; newline: string } {
  let outsideQuotes = ''
  let isQuoted = false
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (char === QUOTE) isQuoted = !isQuoted
    else if (!isQuoted && (char === '\n' || char === '\r')) {
      const newline = char === '\r' && text[i + 1] === '\n' ? '\r\n' : char
      return { outsideQuotes, newline }
    } else if (!isQuoted) outsideQuotes += char
  }
  return { outsideQuotes, newline: '\n' }
}

/** The most frequent one; a comma by default. */
function guessSeparator(header: string): string {
  const parts = (separator: string) => header.split(separator).length
  return Object.keys(SEPARATORS).reduce((best, separator) => (parts(separator) > parts(best) ? separator : best))
}

/** `separator` overrides detection. */
export async function readDialect(file: string, separator?: string): Promise<Dialect> {
  const handle = await open(file, 'r')
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0).finally(() => handle.close())
  const text = buffer.toString('utf8', 0, bytesRead)
  const bom = text.startsWith(BOM)
  const { outsideQuotes, newline } = firstLine((bom ? text.slice(1) : text).replace(/^[\r\n]+/, ''))
  return { separator: separator ?? guessSeparator(outsideQuotes), newline, bom }
}
