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
