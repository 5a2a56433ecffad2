/** What a classifier sees of a text: its terms, and each pair of neighbours. The build and queries read them alike. */

/** Terms beyond this are ignored, which bounds the work for a long text. */
export const TERMS_MAX = 60

/** A pair of terms as one number. Two pairs may share one; with 32 bits that is too rare to matter. */
export function pairKey(first: number, second: number): number {
  return (Math.imul(first + 1, 0x9e3779b1) ^ Math.imul(second + 1, 0x85ebca6b)) >>> 0
}
