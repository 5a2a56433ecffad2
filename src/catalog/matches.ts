/**
 * Records with their scores, each pair in one number that is higher the better it is: what is put in order is compared and moved as
 * one.
 */

/** As many are put in order by moving each to its place, more by a heap. */
const INSERTED_MAX = 64
/** Passes over the whole list that parting it may cost before it is sorted instead; three are usual. */
const PASSES_MAX = 8
/** The lower 22 bits tell the record, counted from the last: among equals the lower number is better. Above them are the score's. */
const RECORDS = 2 ** 22
const RECORDS_SHARE = 1 / RECORDS
const LAST = RECORDS - 1

/** The bits of a score that is not negative are in the order of the scores, as whole numbers. */
const SCORE = new Float32Array(1)
const BITS = new Int32Array(SCORE.buffer)

export class Matches {
  readonly #keys: Float64Array
  count = 0

  /** `size`: how many records there are. */
  constructor(size: number) {
    if (size > RECORDS) throw new Error(`${size} records: more than ${RECORDS} cannot be put in order`)
    this.#keys = new Float64Array(size)
  }

  set(i: number, record: number, score: number): void {
    SCORE[0] = score
    this.#keys[i] = (BITS[0] as number) * RECORDS + (LAST - record)
  }

  record(i: number): number {
    const key = this.#keys[i] as number
    return LAST - (key - Math.floor(key * RECORDS_SHARE) * RECORDS)
  }

  score(i: number): number {
    BITS[0] = Math.floor((this.#keys[i] as number) * RECORDS_SHARE)
    return SCORE[0] as number
  }

  /** The highest score; 0 without entries. */
  highest(): number {
    const keys = this.#keys
    let best = 0
    for (let i = 1; i < this.count; i++) if ((keys[i] as number) > (keys[best] as number)) best = i
    return this.count === 0 ? 0 : this.score(best)
  }

  /** Puts the entry of one place at another. */
  move(from: number, to: number): void {
    this.#keys[to] = this.#keys[from] as number
  }

  swap(a: number, b: number): void {
    const keys = this.#keys
    const key = keys[a] as number
    keys[a] = keys[b] as number
    keys[b] = key
  }

  /** Orders the entries from `from` to before `to`, best first: the higher score, among equals the lower record number. */
  sort(from: number, to: number): void {
    if (to - from > INSERTED_MAX) this.#heapSort(from, to - from)
    else this.#insertionSort(from, to)
  }

  #insertionSort(from: number, to: number): void {
    const keys = this.#keys
    for (let i = from + 1; i < to; i++) {
      const key = keys[i] as number
      let at = i
      for (; at > from; at--) {
        const other = keys[at - 1] as number
        if (other > key) break
        keys[at] = other
      }
      keys[at] = key
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
    const keys = this.#keys
    let at = root
    for (;;) {
      let child = 2 * at + 1
      if (child >= size) return
      if (child + 1 < size && (keys[from + child] as number) > (keys[from + child + 1] as number)) child++
      if ((keys[from + child] as number) > (keys[from + at] as number)) return
      this.swap(from + at, from + child)
      at = child
    }
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
    const keys = this.#keys
    const middle = keys[(low + high) >>> 1] as number
    let left = low
    let right = high
    for (;;) {
      while ((keys[left] as number) > middle) left++
      while ((keys[right] as number) < middle) right--
      if (left >= right) return right
      const key = keys[left] as number
      keys[left++] = keys[right] as number
      keys[right--] = key
    }
  }
}
