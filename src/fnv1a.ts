const BASIS = 0x811c9dc5
const PRIME = 0x01000193

/** 32-bit FNV-1a of UTF-16 code units, for hash tables; not cryptographic. */
export function fnv1a(text: string): number {
  let hash = BASIS
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), PRIME)
  return hash >>> 0
}
