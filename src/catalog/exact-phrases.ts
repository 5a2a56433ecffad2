/**
 * Records that have a phrase which is the query, word for word: "cotton wool" has its place, though a hundred codes speak of cotton
 * and of wool. These are looked at whatever else has the words.
 */
import type { Columns } from '../snapshot/schema.js'
import type { QueryWord } from './query.js'

/** Phrases of so many words, those left out that only link others, are known by a hash of their terms, whatever the order. */
export const EXACT_WORDS_MIN = 2
export const EXACT_WORDS_MAX = 6
const MIX_A = 0x9e3779b1 | 0
const MIX_B = 0x85ebca6b | 0

export function exactHash(places: readonly number[]): number {
  let sum = places.length
  let mixed = 0
  for (let i = 0; i < places.length; i++) {
    const one = Math.imul((places[i] as number) + 1, MIX_A)
    sum = (sum + Math.imul(one ^ (one >>> 15), MIX_B)) | 0
    mixed ^= one ^ (one >>> 13)
  }
  return Math.imul(sum ^ (sum >>> 16), MIX_A) ^ mixed
}

export class ExactPhrases {
  readonly #hashes: Int32Array
  readonly #at: Uint32Array
  readonly #records: Uint32Array
  readonly #places: number[] = []

  constructor({
    exactHash: hashes,
    exactAt,
    exactRecord,
  }: Pick<Columns, 'exactHash' | 'exactAt' | 'exactRecord'>) {
    this.#hashes = hashes
    this.#at = exactAt
    this.#records = exactRecord
  }

  /** Writes them into a list, which is empty where there are none. Two phrases may have the same hash: then both are looked at. */
  find(words: readonly QueryWord[], into: number[]): void {
    into.length = 0
    const places = this.#places
    places.length = 0
    if (words.length < EXACT_WORDS_MIN || words.length > EXACT_WORDS_MAX) return
    for (let i = 0; i < words.length; i++) {
      const word = words[i] as QueryWord
      if (word.wholeCount === 0) return
      places.push(word.places[0] as number)
    }
    const hash = exactHash(places)
    let low = 0
    let high = this.#hashes.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#hashes[middle] as number) < hash) low = middle + 1
      else high = middle
    }
    if (this.#hashes[low] !== hash) return
    const end = this.#at[low + 1] as number
    for (let i = this.#at[low] as number; i < end; i++) into.push(this.#records[i] as number)
  }
}
