/** Numbers for sequences of numbers: equal sequences have the same, counted from 0 in the order they came in. */
import { Growing } from './growing.js'

const MIX = 0x9e3779b1 | 0
/** The table doubles before more than half of it is taken. */
const ROOM = 2
const FIRST = 1_024
export const UNKNOWN = -1

export class SequenceTable {
  /** A sequence's number plus 1 where its hash leads or behind it; 0 between. */
  #entries = new Uint32Array(FIRST)
  readonly #hashes = new Growing()
  readonly #ends = new Growing()
  readonly #values = new Growing()

  get size(): number {
    return this.#ends.length
  }

  /** The number of `values` from `from` to `to`, or `UNKNOWN`. */
  find(values: ArrayLike<number>, from: number, to: number): number {
    const entry = this.#entries[this.#entryOf(hashOf(values, from, to), values, from, to)] as number
    return entry === 0 ? UNKNOWN : entry - 1
  }

  /** The same, for a sequence that is taken in where it is new. */
  add(values: ArrayLike<number>, from: number, to: number): number {
    const hash = hashOf(values, from, to)
    const at = this.#entryOf(hash, values, from, to)
    const entry = this.#entries[at] as number
    if (entry !== 0) return entry - 1
    const number = this.size
    this.#hashes.push(hash)
    for (let i = from; i < to; i++) this.#values.push(values[i] as number)
    this.#ends.push(this.#values.length)
    this.#entries[at] = this.size
    if (this.size * ROOM > this.#entries.length) this.#grow()
    return number
  }

  #entryOf(hash: number, values: ArrayLike<number>, from: number, to: number): number {
    const mask = this.#entries.length - 1
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const entry = this.#entries[at] as number
      if (entry === 0) return at
      if (this.#hashes.at(entry - 1) === hash && this.#isSame(entry - 1, values, from, to)) return at
    }
  }

  #isSame(number: number, values: ArrayLike<number>, from: number, to: number): boolean {
    const start = number === 0 ? 0 : this.#ends.at(number - 1)
    if (this.#ends.at(number) - start !== to - from) return false
    for (let i = from; i < to; i++) if (this.#values.at(start + i - from) !== values[i]) return false
    return true
  }

  #grow(): void {
    const entries = new Uint32Array(2 * this.#entries.length)
    const mask = entries.length - 1
    for (let number = 0; number < this.size; number++) {
      let at = this.#hashes.at(number) & mask
      while (entries[at] !== 0) at = (at + 1) & mask
      entries[at] = number + 1
    }
    this.#entries = entries
  }
}

function hashOf(values: ArrayLike<number>, from: number, to: number): number {
  let hash = to - from
  for (let i = from; i < to; i++) {
    hash = Math.imul(hash ^ (values[i] as number), MIX)
    hash ^= hash >>> 15
  }
  return hash >>> 0
}
