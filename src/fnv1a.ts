/** FNV-1a with 32 bits: spreads texts evenly over tables. Not for anything that must be hard to guess. */
const BASIS = 0x811c9dc5
const PRIME = 0x01000193

/** Over the code units of a text; from 0 to 2^32 - 1. */
export function fnv1a(text: string): number {
  let hash = BASIS
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), PRIME)
  return hash >>> 0
}

export function fnv1aOfBytes(bytes: Uint8Array): number {
  let hash = BASIS
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i], PRIME)
  return hash >>> 0
}
