/** The terms that a record has, and how it has each. */
import type { Columns } from '../snapshot/schema.js'
import { SLOTS } from './ranking.js'

export class RecordTerms {
  readonly #termsAt: Uint32Array
  readonly #termSlots: Uint32Array
  readonly #alone: Uint8Array

  constructor({ termsAt, termSlots, alone }: Pick<Columns, 'termsAt' | 'termSlots' | 'alone'>) {
    this.#termsAt = termsAt
    this.#termSlots = termSlots
    this.#alone = alone
  }

  /** The slot of a term, by its place in the vocabulary; SLOTS where the record does not have it. */
  slot(record: number, place: number): number {
    const at = this.#find(record, place)
    return at < 0 ? SLOTS : (this.#termSlots[at] as number) % SLOTS
  }

  /** How a term stands in the best of the record's phrases that have it: see `aloneOf`; 0 in none. */
  alone(record: number, place: number): number {
    const at = this.#find(record, place)
    return at < 0 ? 0 : (this.#alone[at] as number)
  }

  /** A record has a term once. */
  #find(record: number, place: number): number {
    const end = this.#termsAt[record + 1] as number
    const packed = place * SLOTS
    let low = this.#termsAt[record] as number
    let high = end
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#termSlots[middle] as number) < packed) low = middle + 1
      else high = middle
    }
    return low < end && (this.#termSlots[low] as number) < packed + SLOTS ? low : -1
  }
}
