/** For every term and slot, the records that have the term in that slot, in ascending order. */

import { lowerBound } from '../../lower-bound.js'
import type { Columns } from '../../snapshot/schema.js'
import { SLOTS } from './slots.js'
import type { Steps } from './steps.js'

export type Visit = (record: number, slot: number) => void

export class Postings {
  readonly #at: Uint32Array
  readonly #records: Uint32Array

  constructor({ postingsAt, postings }: Pick<Columns, 'postingsAt' | 'postings'>) {
    this.#at = postingsAt
    this.#records = postings
  }

  count(termId: number): number {
    return this.#at[(termId + 1) * SLOTS] - this.#at[termId * SLOTS]
  }

  /** Visits at most `max` postings, best slot first, so that the first visit of a record is for its best slot. */
  walk(termIds: readonly number[], max: number, visit: Visit): void {
    let left = max
    for (let slot = 0; slot < SLOTS; slot++) {
      for (const termId of termIds) {
        const list = termId * SLOTS + slot
        const start = this.#at[list]
        const end = Math.min(this.#at[list + 1], start + left)
        left -= end - start
        for (let i = start; i < end; i++) visit(this.#records[i], slot)
      }
    }
  }

  /** Whether some record has both terms; false when no steps are left. */
  areTogether(first: number, second: number, steps: Steps): boolean {
    const [rare, common] = this.count(first) < this.count(second) ? [first, second] : [second, first]
    if (!steps.take(this.count(rare))) return false
    let found = false
    this.walk([rare], this.count(rare), record => {
      found ||= this.has(common, record)
    })
    return found
  }

  has(termId: number, record: number): boolean {
    for (let list = termId * SLOTS; list < (termId + 1) * SLOTS; list++) {
      const end = this.#at[list + 1]
      const i = lowerBound(this.#records, record, this.#at[list], end)
      if (i < end && this.#records[i] === record) return true
    }
    return false
  }
}
