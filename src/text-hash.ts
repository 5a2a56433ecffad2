/** A number of 32 bits for a text: FNV-1a over its code units. */
const FNV_BASIS = 0x811c9dc5 | 0
const FNV_PRIME = 0x01000193

export function textHash(text: string): number {
  let hash = FNV_BASIS
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME)
  // the lowest bits alone say little of the letters before the last
  return hash ^ (hash >>> 15)
}
