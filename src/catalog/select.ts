/** Whether `a` is to be shown before `b`: the higher score, among equals the lower record number. */
function before(a: number, b: number, score: Float32Array): boolean {
  const difference = (score[a] as number) - (score[b] as number)
  return difference > 0 || (difference === 0 && a < b)
}

function sink(list: Uint32Array, root: number, size: number, score: Float32Array): void {
  const value = list[root] as number
  let at = root
  for (;;) {
    let child = 2 * at + 1
    if (child >= size) break
    if (child + 1 < size && before(list[child] as number, list[child + 1] as number, score)) child++
    if (before(list[child] as number, value, score)) break
    list[at] = list[child] as number
    at = child
  }
  list[at] = value
}

/**
 * Orders the best `want` of the first `count` entries in place, best first. A heap of the best so far keeps
 * its worst on top: a long match list costs one comparison an entry, not a sort.
 */
export function selectTop(list: Uint32Array, count: number, want: number, score: Float32Array): void {
  if (want <= 0) return
  for (let i = (want >> 1) - 1; i >= 0; i--) sink(list, i, want, score)
  for (let i = want; i < count; i++) {
    const candidate = list[i] as number
    if (!before(candidate, list[0] as number, score)) continue
    list[i] = list[0] as number
    list[0] = candidate
    sink(list, 0, want, score)
  }
  for (let end = want - 1; end > 0; end--) {
    const worst = list[0] as number
    list[0] = list[end] as number
    list[end] = worst
    sink(list, 0, end, score)
  }
}

/** Passes over the whole list that parting it may cost before it is sorted instead; three are usual. */
const PASSES_MAX = 8

/**
 * Puts the best `at` of the first `count` entries before the others, neither part in order: all that a page far down the
 * list needs of what stands before it. Tells how many entries were looked at.
 */
export function partitionAt(list: Uint32Array, count: number, at: number, score: Float32Array): number {
  let low = 0
  let high = count - 1
  let looked = 0
  while (low < high) {
    const size = high - low + 1
    if (looked + size > count * PASSES_MAX) {
      selectTop(list.subarray(low, high + 1), size, size, score)
      return looked + size * Math.ceil(Math.log2(size))
    }
    looked += size
    const last = part(list, low, high, score)
    if (at <= last) high = last
    else low = last + 1
  }
  return looked
}

/** Entries up to the one it gives come before all behind it. */
function part(list: Uint32Array, low: number, high: number, score: Float32Array): number {
  const pivot = list[(low + high) >>> 1] as number
  let left = low
  let right = high
  for (;;) {
    while (before(list[left] as number, pivot, score)) left++
    while (before(pivot, list[right] as number, score)) right--
    if (left >= right) return right
    const swapped = list[left] as number
    list[left++] = list[right] as number
    list[right--] = swapped
  }
}
