/** Records with their scores, side by side: what is moved together is compared without looking anything up. */

/** As many are put in order by moving each to its place, more by a heap. */
const INSERTED_MAX = 64
/** Passes over the whole list that parting it may cost before it is sorted instead; three are usual. */
const PASSES_MAX = 8

export class Matches {
  readonly records: Uint32Array
  readonly scores: Float32Array
  count = 0

  constructor(size: number) {
    this.records = new Uint32Array(size)
    this.scores = new Float32Array(size)
  }

  /** Orders the entries from `from` to before `to`, best first: the higher score, among equals the lower record number. */
  sort(from: number, to: number): void {
    if (to - from > INSERTED_MAX) this.#heapSort(from, to - from)
    else this.#insertionSort(from, to)
  }

  #insertionSort(from: number, to: number): void {
    const { records, scores } = this
    for (let i = from + 1; i < to; i++) {
      const score = scores[i] as number
      const record = records[i] as number
      let at = i
      for (; at > from; at--) {
        const other = scores[at - 1] as number
        if (other > score || (other === score && (records[at - 1] as number) < record)) break
        scores[at] = other
        records[at] = records[at - 1] as number
      }
      scores[at] = score
      records[at] = record
    }
  }

  #heapSort(from: number, size: number): void {
    for (let i = (size >> 1) - 1; i >= 0; i--) this.#sink(from, i, size)
    for (let end = size - 1; end > 0; end--) {
      this.swap(from, from + end)
      this.#sink(from, 0, end)
    }
  }

  /** The worst is on top, so that it goes to the end. */
  #sink(from: number, root: number, size: number): void {
    let at = root
    for (;;) {
      let child = 2 * at + 1
      if (child >= size) return
      if (child + 1 < size && this.#isBefore(from + child, from + child + 1)) child++
      if (this.#isBefore(from + child, from + at)) return
      this.swap(from + at, from + child)
      at = child
    }
  }

  /** Whether the entry at `a` is to be shown before the one at `b`. */
  #isBefore(a: number, b: number): boolean {
    const { records, scores } = this
    const difference = (scores[a] as number) - (scores[b] as number)
    return difference > 0 || (difference === 0 && (records[a] as number) < (records[b] as number))
  }

  swap(a: number, b: number): void {
    const { records, scores } = this
    const record = records[a] as number
    const score = scores[a] as number
    records[a] = records[b] as number
    scores[a] = scores[b] as number
    records[b] = record
    scores[b] = score
  }

  /**
   * Puts the best of the entries from `from` to before `to` before `at` and the others behind it, neither part in order: all
   * that a page needs of what stands before and behind it. Tells how many entries were looked at.
   */
  part(from: number, to: number, at: number): number {
    const most = (to - from) * PASSES_MAX
    let low = from
    let high = to - 1
    let looked = 0
    while (low < high) {
      const size = high - low + 1
      if (looked + size > most) {
        this.sort(low, high + 1)
        return looked + size * Math.ceil(Math.log2(size))
      }
      looked += size
      const last = this.#partOnce(low, high)
      if (at <= last) high = last
      else low = last + 1
    }
    return looked
  }

  /** Entries up to the one it gives come before all behind it. */
  #partOnce(low: number, high: number): number {
    const { records, scores } = this
    const middle = (low + high) >>> 1
    const score = scores[middle] as number
    const record = records[middle] as number
    let left = low
    let right = high
    for (;;) {
      for (;;) {
        const other = scores[left] as number
        if (other < score || (other === score && (records[left] as number) >= record)) break
        left++
      }
      for (;;) {
        const other = scores[right] as number
        if (other > score || (other === score && (records[right] as number) <= record)) break
        right--
      }
      if (left >= right) return right
      this.swap(left++, right--)
    }
  }
}
