const encoder = new TextEncoder()

/** uWebSockets is slowest with strings, so constants are encoded in advance. */
export const bytes = (text: string): Uint8Array => encoder.encode(text)

/** Upper bound of a text as JSON: every character may become \\u0000. */
export const jsonBytesMax = (text: string): number => 6 * text.length + 2

export function digitCount(value: number): number {
  let digits = 1
  for (let power = 10; power <= value; power *= 10) digits++
  return digits
}
