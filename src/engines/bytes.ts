const encoder = new TextEncoder()

/** uWebSockets is slowest with strings, so constants are encoded in advance. */
export const bytes = (text: string): Uint8Array => encoder.encode(text)

export function digitCount(value: number): number {
  let digits = 1
  for (let power = 10; power <= value; power *= 10) digits++
  return digits
}
