/** What counts as an HS code, decided in one place. */

import { CODE_DIGITS_MAX, CODE_DIGITS_MIN } from './limits.js'

/** 2 to `max` ASCII digits, and nothing else: no dots, spaces, signs or Arabic-Indic digits. */
export function isCode(text: string, max = CODE_DIGITS_MAX): boolean {
  const length = text.length
  if (length < CODE_DIGITS_MIN || length > max) return false
  for (let i = 0; i < length; i++) {
    const c = text.charCodeAt(i)
    if (c < 48 || c > 57) return false
  }
  return true
}

/** The digits of a mistyped code ("8523.21" → "852321", "٨٥٢٣" → "8523"), or '' where they make no code. */
export function digitsOnly(text: string): string {
  let digits = ''
  for (const char of text.slice(0, 64)) {
    const c = char.codePointAt(0) as number
    if (c >= 48 && c <= 57) digits += char
    else if (c >= 0x660 && c <= 0x669) digits += String(c - 0x660)
    else if (c >= 0x6f0 && c <= 0x6f9) digits += String(c - 0x6f0)
    else if (!/[\s.\-_/+]/u.test(char)) return ''
  }
  return isCode(digits) ? digits : ''
}

/**
 * The parent's number in answers: a 1 followed by its digits. Stable across rebuilds, unique although codes
 * may start with 0, and below 2^53 for 14 digits.
 */
export function parentId(parent: string): number {
  return Number(`1${parent}`)
}
