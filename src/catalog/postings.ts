/** FlexSearch's index over lists that stay where the snapshot put them. */
import { Index } from 'flexsearch'
import type { Columns } from '../snapshot/schema.js'
import { SLOTS } from './ranking.js'
import type { Vocabulary } from './vocabulary.js'

/** Record numbers by slot; a slot without any is left out. */
export type Postings = readonly (Uint32Array | undefined)[]

const NONE: Postings = []

/**
 * What FlexSearch reads as its map from terms to lists. Importing its own export instead would copy every list into
 * objects of this thread: some 45 MB and 200 ms for the shipped dataset, where these views cost nothing until used.
 */
class ColumnMap extends Map<string, Postings> {
  readonly #vocabulary: Vocabulary
  readonly #at: Uint32Array
  readonly #records: Uint32Array

  constructor(vocabulary: Vocabulary, columns: Columns) {
    super()
    this.#vocabulary = vocabulary
    this.#at = columns.postingsAt
    this.#records = columns.postings
  }

  override get(term: string): Postings | undefined {
    const place = this.#vocabulary.find(term)
    if (place < 0) return undefined
    const lists: (Uint32Array | undefined)[] = []
    for (let slot = 0; slot < SLOTS; slot++) {
      const from = this.#at[place * SLOTS + slot] as number
      const to = this.#at[place * SLOTS + slot + 1] as number
      lists.push(from === to ? undefined : this.#records.subarray(from, to))
    }
    return lists
  }
}

export class PostingsIndex {
  readonly #index: Index

  constructor(vocabulary: Vocabulary, columns: Columns) {
    this.#index = new Index({ tokenize: 'strict', resolution: SLOTS, encode: (term: string) => [term] })
    ;(this.#index as unknown as { map: Map<string, Postings> }).map = new ColumnMap(vocabulary, columns)
  }

  find(term: string): Postings {
    const { result } = this.#index.search(term, { resolve: false }) as unknown as { result: Postings }
    return result ?? NONE
  }
}
