/**
 * What a cell of a spreadsheet, a line of an invoice or a catalogue may mean by what it shows as a code. Nothing is made up:
 * signs between digits are taken out, one leading zero that was lost is put back, zeros behind a code that exists are left out.
 */
import { CODE_DIGITS_MAX, CODE_DIGITS_MIN, RESOLVE_CHARS_MAX } from '../limits.js'

/** What stands between digits, or around them, and means nothing: also the signs that look like these elsewhere. */
const SIGNS =
  /[\s.,:;\-_/\\'"`´‘’“”«»()[\]\u200b-\u200f\u2010-\u2015\u202a-\u202e\u2066-\u2069\u2212\ufeff·•٫٬]/gu
/** As spreadsheets show a long number in a narrow cell. */
const SCIENTIFIC = /^[+-]?\d+(?:[.,٫]\d+)?e[+-]?\d+$/i
/** A number that was one with places behind its point. */
const DECIMAL_ZEROS = /^(\d+)[.,٫]0+$/
const ONLY_DIGITS = /^\d+$/

export class Unreadable {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

function asciiDigits(text: string): string {
  return text.replace(/[٠-٩۰-۹]/gu, digit => String((digit.codePointAt(0) as number) & 15))
}

/** Digits that the text may stand for, as they are there: the likeliest first. */
function plainReadings(text: string): string[] | Unreadable {
  if (text.length > RESOLVE_CHARS_MAX)
    return new Unreadable(`It is longer than ${RESOLVE_CHARS_MAX} characters.`)
  const shown = asciiDigits(text.normalize('NFKC')).trim().replace(/^['’]/u, '')
  if (SCIENTIFIC.test(shown.replace(/\s/gu, '')))
    return new Unreadable(
      'Scientific notation has lost the digits; format the column as text and export it again.',
    )
  const digits = shown.replace(SIGNS, '')
  if (digits === '') return new Unreadable('It has no digits.')
  if (!ONLY_DIGITS.test(digits)) return new Unreadable('It has other signs than digits.')
  const whole = DECIMAL_ZEROS.exec(shown)?.[1]
  const readings = whole === undefined ? [digits] : [digits, whole]
  const fitting = readings.filter(reading => reading.length <= CODE_DIGITS_MAX)
  if (fitting.length === 0) return new Unreadable(`It has more than ${CODE_DIGITS_MAX} digits.`)
  return fitting
}

/** Codes have an even number of digits, so that one digit less is a zero that a number does not show. */
function withLostZero(digits: string): string | undefined {
  return digits.length % 2 === 1 && digits.length < CODE_DIGITS_MAX ? `0${digits}` : undefined
}

/** The longest code that these digits are, zeros behind it left out; undefined where there is none. */
function withoutPadding(digits: string, exists: (code: string) => boolean): string | undefined {
  for (let end = digits.length; end >= CODE_DIGITS_MIN; end--) {
    const code = digits.slice(0, end)
    if (exists(code)) return code
    if (code.at(-1) !== '0') return undefined
  }
  return undefined
}

export interface Readings {
  /** Codes that exist, the likeliest first. */
  codes: string[]
  /** The digits to look near where there are none. */
  digits: string[]
}

export function readCode(text: string, exists: (code: string) => boolean): Readings | Unreadable {
  const plain = plainReadings(text)
  if (plain instanceof Unreadable) return plain
  const [shown = ''] = plain
  if (exists(shown)) return { codes: [shown], digits: plain }
  const digits = plain.flatMap(reading => {
    const longer = withLostZero(reading)
    return longer === undefined ? [reading] : [longer, reading]
  })
  if (digits.every(reading => reading.length < CODE_DIGITS_MIN || /^0+$/.test(reading)))
    return new Unreadable('It has too few digits.')
  const codes = digits.flatMap(reading => withoutPadding(reading, exists) ?? [])
  return { codes: [...new Set(codes)], digits }
}
