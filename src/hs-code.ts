import { CODE_DIGITS_MAX, CODE_DIGITS_MIN } from './limits.js'

/** 2 to `max` ASCII digits and nothing else. */
export function isCode(text: string, max = CODE_DIGITS_MAX): boolean {
  const length = text.length
  if (length < CODE_DIGITS_MIN || length > max) return false
  for (let i = 0; i < length; i++) {
    const c = text.charCodeAt(i)
    if (c < 48 || c > 57) return false
  }
  return true
}

/** The digits of a mistyped code ("8523.21" → "852321", "٨٥٢٣" → "8523"), or '' if they are not a code. */
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

/** `parent_id` in responses: a 1 before the digits keeps leading zeros, and 14 digits stay below 2^53. */
export function parentId(parent: string): number {
  return Number(`1${parent}`)
}
