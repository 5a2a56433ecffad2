/**
 * A hash table of slots by 32-bit hash code: open addressing, at most half full. Subclasses store and compare the value of each
 * slot. The table grows in slices while it is being read.
 */
export const NO_SLOT = -1
/** The factor of Knuth's multiplicative hashing. */
const GOLDEN = 0x9e3779b1
const FIRST_BITS = 7

/** A larger table in preparation: its buckets are cleared, then the slots are moved. */
interface Growth {
  readonly bits: number
  readonly buckets: Int32Array<ArrayBuffer>
  cleared: number
  moved: number
}

export class SlotTable {
  protected buckets = new Int32Array(2 ** FIRST_BITS).fill(NO_SLOT)
  protected mask = 2 ** FIRST_BITS - 1
  protected shift = 32 - FIRST_BITS
  /** Hash codes by slot; reserved memory costs nothing until it is touched. */
  protected readonly hashCodes: Int32Array
  readonly #isPresent: Uint8Array
  #count = 0
  #growth: Growth | undefined

  constructor(capacity: number) {
    this.hashCodes = new Int32Array(capacity)
    this.#isPresent = new Uint8Array(capacity)
  }

  get size(): number {
    return this.#count
  }

  get capacity(): number {
    return this.#isPresent.length
  }

  has(slot: number): boolean {
    return this.#isPresent[slot] === 1
  }

  /**
   * Grows the table for `more` slots. Touches at most `atOnce` buckets per call; returns true when done. A change to the table
   * between two calls restarts the growth.
   */
  makeRoom(more: number, atOnce = Number.POSITIVE_INFINITY): boolean {
    const wanted = 2 * (this.#count + more)
    if (wanted <= this.buckets.length) {
      this.#growth = undefined
      return true
    }
    const bits = Math.ceil(Math.log2(wanted))
    if (this.#growth === undefined || this.#growth.bits < bits)
      this.#growth = { bits, buckets: new Int32Array(2 ** bits), cleared: 0, moved: 0 }
    return this.#grow(this.#growth, atOnce)
  }

  #grow(growth: Growth, atOnce: number): boolean {
    const { bits, buckets } = growth
    const clearTo = Math.min(buckets.length, growth.cleared + atOnce)
    buckets.fill(NO_SLOT, growth.cleared, clearTo)
    const left = atOnce - (clearTo - growth.cleared)
    growth.cleared = clearTo
    if (growth.cleared < buckets.length) return false
    const moveTo = Math.min(this.buckets.length, growth.moved + left)
    const mask = buckets.length - 1
    for (; growth.moved < moveTo; growth.moved++) {
      const slot = this.buckets[growth.moved]
      if (slot === NO_SLOT) continue
      let bucket = Math.imul(this.hashCodes[slot], GOLDEN) >>> (32 - bits)
      while (buckets[bucket] !== NO_SLOT) bucket = (bucket + 1) & mask
      buckets[bucket] = slot
    }
    if (growth.moved < this.buckets.length) return false
    this.buckets = buckets
    this.mask = mask
    this.shift = 32 - bits
    this.#growth = undefined
    return true
  }

  protected bucketOf(hashCode: number): number {
    return Math.imul(hashCode, GOLDEN) >>> this.shift
  }

  /** Adds a slot that is not in the table. */
  protected insert(slot: number, hashCode: number): void {
    this.makeRoom(1)
    let bucket = this.bucketOf(hashCode)
    while (this.buckets[bucket] !== NO_SLOT) bucket = (bucket + 1) & this.mask
    this.buckets[bucket] = slot
    this.hashCodes[slot] = hashCode
    this.#isPresent[slot] = 1
    this.#count++
  }

  remove(slot: number): void {
    if (!this.has(slot)) return
    this.#growth = undefined
    let hole = this.bucketOf(this.hashCodes[slot])
    while (this.buckets[hole] !== slot) hole = (hole + 1) & this.mask
    this.#fill(hole)
    this.#isPresent[slot] = 0
    this.#count--
  }

  /** A search ends at an empty bucket, so later slots of the same run move up into the hole. */
  #fill(emptied: number): void {
    let hole = emptied
    for (let bucket = (hole + 1) & this.mask; ; bucket = (bucket + 1) & this.mask) {
      const slot = this.buckets[bucket]
      if (slot === NO_SLOT) break
      const home = this.bucketOf(this.hashCodes[slot])
      if (((bucket - home) & this.mask) < ((bucket - hole) & this.mask)) continue
      this.buckets[hole] = slot
      hole = bucket
    }
    this.buckets[hole] = NO_SLOT
  }
}
