/**
 * Reads codes as spreadsheets and people write them: removes separators, restores one lost leading zero, drops zeros after an
 * existing code. Digits are never guessed.
 */
import { CODE_DIGITS_MAX, CODE_DIGITS_MIN, RESOLVE_CHARS_MAX } from '../limits.js'
import { asciiDigits, withLostZero, withoutSeparators } from './digits.js'

/** Scientific notation, in which spreadsheets show long numbers. */
const SCIENTIFIC = /^[+-]?\d+(?:[.,٫]\d+)?e[+-]?\d+$/i
/** An integer stored as a decimal: "8471.0". */
const DECIMAL_ZEROS = /^(\d+)[.,٫]0+$/
const ONLY_DIGITS = /^\d+$/
const ONLY_ZEROS = /^0+$/

export class Unreadable {
  constructor(readonly reason: string) {}
}

/** Whether the text is in scientific notation, in which a code has lost its last digits: 8.5171E+11. */
export const isScientific = (text: string): boolean => SCIENTIFIC.test(asciiDigits(text).replace(/\s/gu, ''))

/** The digits that the text may mean, likeliest first. */
function plainReadings(text: string): string[] | Unreadable {
  if (text.length > RESOLVE_CHARS_MAX) return new Unreadable(`It is longer than ${RESOLVE_CHARS_MAX} characters.`)
  const shown = asciiDigits(text).trim().replace(/^['’]/u, '')
  if (isScientific(shown))
    return new Unreadable('Scientific notation has lost the digits; format the column as text and export it again.')
  const digits = withoutSeparators(shown)
  if (digits === '') return new Unreadable('It has no digits.')
  if (!ONLY_DIGITS.test(digits)) return new Unreadable('It contains characters other than digits.')
  const whole = DECIMAL_ZEROS.exec(shown)?.[1]
  if (digits.length <= CODE_DIGITS_MAX) return whole === undefined ? [digits] : [digits, whole]
  if (whole !== undefined && whole.length <= CODE_DIGITS_MAX) return [whole]
  return new Unreadable(`It has more than ${CODE_DIGITS_MAX} digits.`)
}

/** The longest existing code that is left when trailing zeros are dropped. */
function withoutPadding(digits: string, exists: (code: string) => boolean): string | undefined {
  for (let end = digits.length; end >= CODE_DIGITS_MIN; end--) {
    const code = digits.slice(0, end)
    if (exists(code)) return code
    if (code.at(-1) !== '0') return undefined
  }
  return undefined
}

export interface Readings {
  /** Existing codes, likeliest first. */
  codes: string[]
  /** The digits that the search for the nearest code uses if no code exists. */
  digits: string[]
}

export function readCode(text: string, exists: (code: string) => boolean): Readings | Unreadable {
  const plain = plainReadings(text)
  if (plain instanceof Unreadable) return plain
  const [shown = ''] = plain
  if (exists(shown)) return { codes: [shown], digits: plain }
  const digits: string[] = []
  const codes: string[] = []
  for (const reading of plain) {
    const longer = withLostZero(reading)
    for (const one of longer === undefined ? [reading] : [longer, reading]) {
      digits.push(one)
      const code = withoutPadding(one, exists)
      if (code !== undefined && !codes.includes(code)) codes.push(code)
    }
  }
  if (codes.length === 0 && digits.every(one => one.length < CODE_DIGITS_MIN || ONLY_ZEROS.test(one)))
    return new Unreadable('It has too few digits.')
  return { codes, digits }
}
