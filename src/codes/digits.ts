/** Digits of every script, and the separators that people and spreadsheets put between them. */
import { CODE_DIGITS_MAX, RESOLVE_CHARS_MAX } from '../limits.js'
import { isCode } from './code.js'

const DIGITS = /\p{Nd}/gu
const DIGIT = /\p{Nd}/u
const ONLY_ASCII = /^[ -~]*$/
/** Punctuation and invisible characters around digits. */
const SEPARATORS = /[\s.,:;+\-_/\\'"`´‘’“”«»()[\]\u200b-\u200f\u2010-\u2015\u202a-\u202e\u2066-\u2069\u2212\ufeff·•٫٬]/gu

/** In Unicode, the ten digits of a script are consecutive, from zero on. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) as number
  let first = code
  while (DIGIT.test(String.fromCodePoint(first - 1))) first--
  return String((code - first) % 10)
}

/** Arabic, Persian, full-width and all other digits become 0 to 9; other characters do not change. */
export function asciiDigits(text: string): string {
  return ONLY_ASCII.test(text) ? text : text.normalize('NFKC').replace(DIGITS, asciiDigit)
}

export function withoutSeparators(text: string): string {
  return text.replace(SEPARATORS, '')
}

/** The code in a text of only digits and separators, in any script ("8523.21", "٨٥٢٣"); '' for any other text. */
export function digitsOf(text: string): string {
  if (text.length > RESOLVE_CHARS_MAX) return ''
  const digits = withoutSeparators(asciiDigits(text))
  return isCode(digits) ? digits : ''
}

/** A code to propose for a text that has other characters as well: "8517x13" → "851713". */
export function digitsAmong(text: string): string {
  if (text.length > RESOLVE_CHARS_MAX) return ''
  const digits = asciiDigits(text).replace(/\D/g, '')
  return isCode(digits) ? digits : ''
}

/** Codes have an even number of digits, so an odd number may have lost a leading zero. */
export function withLostZero(digits: string): string | undefined {
  return digits.length % 2 === 1 && digits.length < CODE_DIGITS_MAX ? `0${digits}` : undefined
}

/** A code of exactly `length` digits. One missing leading zero is restored, because spreadsheets drop it. */
export function digitsOfLength(text: string, length: number): string | undefined {
  const digits = digitsOf(text)
  if (digits.length === length) return digits
  return digits.length === length - 1 ? `0${digits}` : undefined
}
