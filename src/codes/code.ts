/** Codes as the API accepts them: 2 to 14 ASCII digits. */
import { CODE_DIGITS_MAX, CODE_DIGITS_MIN } from '../limits.js'

/** Whether the text is 2 to `max` ASCII digits. */
export function isCode(text: string, max = CODE_DIGITS_MAX): boolean {
  const length = text.length
  if (length < CODE_DIGITS_MIN || length > max) return false
  for (let i = 0; i < length; i++) {
    const c = text.charCodeAt(i)
    if (c < 48 || c > 57) return false
  }
  return true
}

/** `parent_id` in responses: a 1 before the digits keeps leading zeros, and 14 digits stay below 2^53. */
export function parentId(parent: string): number {
  return Number(`1${parent}`)
}
