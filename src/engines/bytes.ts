const encoder = new TextEncoder()

/** Strings are what uWebSockets takes slowest: whatever can be bytes beforehand is. */
export const bytes = (text: string): Uint8Array => encoder.encode(text)

/** What a text takes as JSON at most: a character may be written as \\u0000. */
export const jsonBytesMax = (text: string): number => 6 * text.length + 2

/** Of a whole number from 0 to 2^53. */
export function digitCount(value: number): number {
  let digits = 1
  for (let power = 10; power <= value; power *= 10) digits++
  return digits
}
