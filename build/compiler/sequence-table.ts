/** Numbers sequences of numbers: equal sequences have the same number, counted from 0 in the order of their first use. */
import { GrowingArray } from './growing-array.js'

const HASH_MULTIPLIER = 0x9e3779b1 | 0
/** The table doubles when more than half of its entries are used. */
const ENTRIES_PER_VALUE = 2
const INITIAL_CAPACITY = 1_024
export const UNKNOWN = -1

export class SequenceTable {
  /**
   * Open addressing: each used entry is a sequence's number plus 1, in the slot of its hash or the next free one. An empty
   * entry is 0.
   */
  #entries = new Uint32Array(INITIAL_CAPACITY)
  readonly #hashes = new GrowingArray()
  readonly #ends = new GrowingArray()
  readonly #values = new GrowingArray()

  get size(): number {
    return this.#ends.length
  }

  /** The number of `values` from `from` to `to`, or `UNKNOWN`. */
  find(values: Uint32Array, from: number, to: number): number {
    const at = this.#entryOf(hashOf(values, from, to), values, from, to)
    return this.#entries[at] - 1
  }

  /** Like `find`, but adds a new sequence. */
  add(values: Uint32Array, from: number, to: number): number {
    const hash = hashOf(values, from, to)
    const at = this.#entryOf(hash, values, from, to)
    const known = this.#entries[at] - 1
    if (known !== UNKNOWN) return known
    this.#hashes.push(hash)
    for (let i = from; i < to; i++) this.#values.push(values[i])
    this.#ends.push(this.#values.length)
    this.#entries[at] = this.size
    if (this.size * ENTRIES_PER_VALUE > this.#entries.length) this.#grow()
    return this.size - 1
  }

  #entryOf(hash: number, values: Uint32Array, from: number, to: number): number {
    const entries = this.#entries
    const hashes = this.#hashes.values
    const mask = entries.length - 1
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const entry = entries[at]
      if (entry === 0) return at
      if (hashes[entry - 1] === hash && this.#isSame(entry - 1, values, from, to)) return at
    }
  }

  #isSame(number: number, values: Uint32Array, from: number, to: number): boolean {
    const ends = this.#ends.values
    const start = number === 0 ? 0 : ends[number - 1]
    if (ends[number] - start !== to - from) return false
    const own = this.#values.values
    for (let i = from; i < to; i++) if (own[start + i - from] !== values[i]) return false
    return true
  }

  #grow(): void {
    const entries = new Uint32Array(2 * this.#entries.length)
    const mask = entries.length - 1
    for (let number = 0; number < this.size; number++) {
      let at = this.#hashes.values[number] & mask
      while (entries[at] !== 0) at = (at + 1) & mask
      entries[at] = number + 1
    }
    this.#entries = entries
  }
}

function hashOf(values: Uint32Array, from: number, to: number): number {
  let hash = to - from
  for (let i = from; i < to; i++) {
    hash = Math.imul(hash ^ values[i], HASH_MULTIPLIER)
    hash ^= hash >>> 15
  }
  return hash >>> 0
}
