const encoder = new TextEncoder()

/** Strings are what uWebSockets takes slowest: whatever can be bytes beforehand is. */
export const bytes = (text: string): Uint8Array => encoder.encode(text)

/** Of a whole number from 0 to 2^53. */
export function digitCount(value: number): number {
  let digits = 1
  for (let power = 10; power <= value; power *= 10) digits++
  return digits
}
