/**
 * Sorts sequences of numbers with counting sorts, from the last number to the first: the pass at each depth adds the sequences
 * that end there.
 */

/** Overlapping sequences: each goes from its position to the end of its phrase. */
export interface PhraseSuffixes {
  /** Per position, a number. */
  numbers: Uint32Array
  /** Per position, where its phrase ends. */
  ends: Uint32Array
}

/**
 * Returns the positions in the order of their sequences. A sequence comes before its extensions, and equal ones keep their
 * order.
 */
export function sortSuffixes(positions: Uint32Array, { numbers, ends }: PhraseSuffixes): Uint32Array {
  const lengthOf = (position: number) => ends[position] - position
  const byLength = countingSort(positions, positions.map(lengthOf))
  let from = byLength.length
  let sorted = new Uint32Array(0)
  const longest = from === 0 ? 0 : lengthOf(byLength[from - 1])
  for (let depth = longest - 1; depth >= 0; depth--) {
    const to = from
    while (from > 0 && lengthOf(byLength[from - 1]) > depth) from--
    // sequences that end here come before longer ones
    const merged = new Uint32Array(to - from + sorted.length)
    merged.set(byLength.subarray(from, to))
    merged.set(sorted, to - from)
    const keys = merged.map(position => numbers[position + depth])
    sorted = countingSort(merged, keys)
  }
  return sorted
}

/** Sorts items by ascending key; items with equal keys keep their order. */
function countingSort(items: Uint32Array, keys: Uint32Array): Uint32Array<ArrayBuffer> {
  let most = 0
  for (let i = 0; i < keys.length; i++) most = Math.max(most, keys[i])
  const next = new Uint32Array(most + 2)
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]
    next[key + 1] = next[key + 1] + 1
  }
  for (let key = 0; key < most; key++) next[key + 1] = next[key + 1] + next[key]
  const sorted = new Uint32Array(items.length)
  for (let i = 0; i < items.length; i++) {
    const key = keys[i]
    const at = next[key]
    sorted[at] = items[i]
    next[key] = at + 1
  }
  return sorted
}
