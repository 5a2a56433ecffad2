/** 32-bit FNV-1a for hash tables; not cryptographic. */
const BASIS = 0x811c9dc5
const PRIME = 0x01000193

/** Hashes UTF-16 code units. */
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
