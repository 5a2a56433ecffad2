/** How much a term is used, and what else it may be the beginning of. */
import type { Columns } from '../snapshot/schema.js'
import { SLOTS } from './ranking.js'

const NONE: readonly number[] = []

export class TermUse {
  readonly #postingsAt: Uint32Array
  readonly #longerAt: Uint32Array
  readonly #longer: Uint32Array

  constructor({ postingsAt, longerAt, longer }: Pick<Columns, 'postingsAt' | 'longerAt' | 'longer'>) {
    this.#postingsAt = postingsAt
    this.#longerAt = longerAt
    this.#longer = longer
  }

  /** Postings of a term. */
  used(place: number): number {
    return (this.#postingsAt[(place + 1) * SLOTS] as number) - (this.#postingsAt[place * SLOTS] as number)
  }

  /** Places of longer terms that are far more used: `longerThan` found them when the dataset was compiled. */
  longer(place: number): readonly number[] {
    const from = this.#longerAt[place] as number
    const to = this.#longerAt[place + 1] as number
    return from === to ? NONE : Array.from(this.#longer.subarray(from, to))
  }
}
