/** Bounds XML tokens: the XLSX reader rescans an unfinished token with every chunk, which is quadratic. */

/** Ten times the longest tag in real sheets. */
const TAG_BYTES_MAX = 65_536
/** Five times a full cell with every letter escaped. */
const TEXT_BYTES_MAX = 1_048_576

const LESS_THAN = 0x3c
const GREATER_THAN = 0x3e
const QUOTES = [0x22, 0x27]
/** Comments, CDATA and processing instructions. */
const SECTIONS = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const

interface MarkupFault {
  what: string
  isTooLong: boolean
}

const UNFINISHED = { what: 'a tag that does not end', isTooLong: false }
const NESTED = { what: 'a tag inside a tag', isTooLong: false }
const LONG_TAG = { what: `a tag of more than ${TAG_BYTES_MAX} bytes`, isTooLong: true }
const LONG_TEXT = { what: `text of more than ${TEXT_BYTES_MAX} bytes without a tag`, isTooLong: true }

/**
 * Finds the end of the tag at `start`. `lastQuotes` has the position of the last quote of each kind: a quote at that position
 * is never closed, so it is treated as text.
 */
function tagEnd(bytes: Buffer, start: number, lastQuotes: readonly number[]): number | MarkupFault {
  const stop = Math.min(bytes.length, start + TAG_BYTES_MAX)
  let quote = 0
  for (let at = start + 1; at < stop; at++) {
    const byte = bytes[at]
    // refused in quotes too, so that no other reader sees tags that this one does not see
    if (byte === LESS_THAN) return NESTED
    if (quote !== 0) {
      if (byte === quote) quote = 0
    } else if (byte === GREATER_THAN) return at + 1
    else if (QUOTES.includes(byte) && at < lastQuotes[QUOTES.indexOf(byte)]) quote = byte
  }
  return stop < bytes.length ? LONG_TAG : UNFINISHED
}

function tokenEnd(bytes: Buffer, start: number, lastQuotes: readonly number[]): number | MarkupFault {
  for (const [begin, end] of SECTIONS) {
    if (bytes.toString('latin1', start, start + begin.length) !== begin) continue
    const at = bytes.indexOf(end, start)
    if (at < 0) return UNFINISHED
    return at - start > TEXT_BYTES_MAX ? LONG_TEXT : at + end.length
  }
  return tagEnd(bytes, start, lastQuotes)
}

export function findMarkupFault(bytes: Buffer): MarkupFault | undefined {
  const lastQuotes = QUOTES.map(quote => bytes.lastIndexOf(quote))
  let end = 0
  while (end < bytes.length) {
    const start = bytes.indexOf(LESS_THAN, end)
    if ((start < 0 ? bytes.length : start) - end > TEXT_BYTES_MAX) return LONG_TEXT
    if (start < 0) return undefined
    const next = tokenEnd(bytes, start, lastQuotes)
    if (typeof next !== 'number') return next
    end = next
  }
  return undefined
}
