/** Stage 6. Records in the order of their scores, as far as a page needs it. */

/** Passes over a list before selecting gives up and sorts what is left of it: three are usual, and no input may cost a square. */
const PASSES_MAX = 24

/** The higher score first, among equals the lower record number. */
function isBefore(score: Float64Array, a: number, b: number): boolean {
  const difference = score[a] - score[b]
  return difference > 0 || (difference === 0 && a < b)
}

/** Puts `records` from `from` to before `to` in order. */
export function sortPart(records: number[], score: Float64Array, from: number, to: number): void {
  const part = records.slice(from, to)
  part.sort((a, b) => score[b] - score[a] || a - b)
  for (let i = 0; i < part.length; i++) records[from + i] = part[i]
}

/** Puts those of the records from `from` on that come first before position `at`, the others behind it, neither in order. */
export function selectFirst(records: number[], score: Float64Array, at: number, from = 0): void {
  let low = from
  let high = records.length - 1
  for (let passes = 0; low < high; passes++) {
    if (passes === PASSES_MAX) return sortPart(records, score, low, high + 1)
    const pivot = records[(low + high) >>> 1]
    let left = low
    let right = high
    while (left <= right) {
      while (isBefore(score, records[left], pivot)) left++
      while (isBefore(score, pivot, records[right])) right--
      if (left > right) break
      const swapped = records[left]
      records[left++] = records[right]
      records[right--] = swapped
    }
    if (at <= right) high = right
    else if (at >= left) low = left
    else return
  }
}
