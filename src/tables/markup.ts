/**
 * Bounds on the tokens of XML. The XLSX reader takes a sheet in pieces and, with every further piece, reads an unfinished token
 * again from its beginning, so that a single long one would cost it minutes.
 */

/** Ten times what the longest tag of a sheet has, a list of the cells that a rule is for. */
const TAG_BYTES_MAX = 65_536
/** Five times what a full cell has when every letter of it is escaped. */
const TEXT_BYTES_MAX = 1_048_576

const LESS_THAN = 0x3c
const GREATER_THAN = 0x3e
const QUOTES = [0x22, 0x27]
/** How what is no tag begins and ends; it may hold anything in between. */
const SECTIONS = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const

/** What makes the markup unfit to be read. */
class MarkupFault {
  readonly isTooLong: boolean
  readonly what: string

  constructor(what: string, isTooLong: boolean) {
    this.what = what
    this.isTooLong = isTooLong
  }
}

const UNFINISHED = new MarkupFault('a tag that does not end', false)
const NESTED = new MarkupFault('a tag inside a tag', false)
const LONG_TAG = new MarkupFault(`a tag of more than ${TAG_BYTES_MAX} bytes`, true)
const LONG_TEXT = new MarkupFault(`text of more than ${TEXT_BYTES_MAX} bytes without a tag`, true)

/** Where the tag that begins at `start` is over. `lastQuotes`: a quote beyond these is never closed, and is like any letter. */
function tagEnd(bytes: Buffer, start: number, lastQuotes: readonly number[]): number | MarkupFault {
  const stop = Math.min(bytes.length, start + TAG_BYTES_MAX)
  let quote = 0
  for (let at = start + 1; at < stop; at++) {
    const byte = bytes[at]
    // also in quotes: were it allowed there, a reader that is wrong about the quotes would find other tags than we do
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

/** The first thing in it that a reader must not be given. */
export function findMarkupFault(bytes: Buffer): MarkupFault | undefined {
  const lastQuotes = QUOTES.map(quote => bytes.lastIndexOf(quote))
  let end = 0
  while (end < bytes.length) {
    const start = bytes.indexOf(LESS_THAN, end)
    if ((start < 0 ? bytes.length : start) - end > TEXT_BYTES_MAX) return LONG_TEXT
    if (start < 0) return undefined
    const next = tokenEnd(bytes, start, lastQuotes)
    if (next instanceof MarkupFault) return next
    end = next
  }
  return undefined
}
