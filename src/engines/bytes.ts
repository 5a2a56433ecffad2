import type { Bytes } from './engine.js'

const encoder = new TextEncoder()

/** uWebSockets is slowest with strings, so constants are encoded in advance. */
export const bytes = (text: string): Uint8Array => encoder.encode(text)

/** Copies a buffer that its owner reuses. */
export function copyOf(bytes: Bytes): Uint8Array {
  if (typeof bytes === 'string') return encoder.encode(bytes)
  return new Uint8Array(bytes instanceof ArrayBuffer ? bytes.slice(0) : bytes)
}

export function digitCount(value: number): number {
  let digits = 1
  for (let power = 10; power <= value; power *= 10) digits++
  return digits
}
