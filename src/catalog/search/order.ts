/** Orders records by score, only as far as a page needs. */

/** Quickselect falls back to sorting after this many passes, so that no input costs quadratic time. */
const PASSES_MAX = 24

type Scores = ArrayLike<number>

/** Higher score first, then the lower record number. */
function isBefore(score: Scores, a: number, b: number): boolean {
  const difference = score[a] - score[b]
  return difference > 0 || (difference === 0 && a < b)
}

export function highestScore(records: readonly number[], score: Scores): number {
  let highest = 0
  for (const record of records) highest = Math.max(highest, score[record])
  return highest
}

export function sortByScore(records: number[], score: Scores): number[] {
  return records.sort((a, b) => score[b] - score[a] || a - b)
}

export function sortPart(records: number[], score: Scores, from: number, to: number): void {
  const part = sortByScore(records.slice(from, to), score)
  for (let i = 0; i < part.length; i++) records[from + i] = part[i]
}

/** Quickselect: reorders the records from `from` to the end so that the best ones fill `[from, at)`, in no particular order. */
export function selectFirst(records: number[], score: Scores, at: number, from = 0): void {
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
