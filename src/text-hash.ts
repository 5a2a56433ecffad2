/** A number of 32 bits for a text: FNV-1a over its code units. */
const FNV_BASIS = 0x811c9dc5 | 0
const FNV_PRIME = 0x01000193

export function textHash(text: string): number {
  return finished(goOn(FNV_BASIS, text))
}

/** That of two texts one after the other, which need not be put together for it. */
export function joinedHash(first: string, second: string): number {
  return finished(goOn(goOn(FNV_BASIS, first), second))
}

function goOn(hash: number, text: string): number {
  let more = hash
  for (let i = 0; i < text.length; i++) more = Math.imul(more ^ text.charCodeAt(i), FNV_PRIME)
  return more
}

/** The lowest bits alone say little of the letters before the last. */
function finished(hash: number): number {
  return hash ^ (hash >>> 15)
}
