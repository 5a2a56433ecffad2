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

export function exactHash(places: ArrayLike<number>, count = places.length): number {
  let sum = count
  let mixed = 0
  for (let i = 0; i < count; i++) {
    const one = Math.imul((places[i] as number) + 1, MIX_A)
    sum = (sum + Math.imul(one ^ (one >>> 15), MIX_B)) | 0
    mixed ^= one ^ (one >>> 13)
  }
  // 0 is no hash
  return Math.imul(sum ^ (sum >>> 16), MIX_A) ^ mixed || 1
}

/** A phrase's records are told by where they begin and how many they are, in one number. */
export const EXACT_RECORDS_BITS = 3
export const EXACT_RECORDS_MAX = 2 ** EXACT_RECORDS_BITS - 1

type ExactColumns = Pick<Columns, 'exactHash' | 'exactAt' | 'exactRecord' | 'source'>

export class ExactPhrases {
  readonly #hashes: Int32Array
  readonly #at: Uint32Array
  readonly #records: Uint32Array
  readonly #places = new Uint32Array(EXACT_WORDS_MAX)
  /** Those of the query at hand, from here to there; and per record whether it is among them, all 0 between two calls. */
  #start = 0
  #end = 0
  readonly #marks: Uint8Array

  constructor({ exactHash: hashes, exactAt, exactRecord, source }: ExactColumns) {
    this.#hashes = hashes
    this.#at = exactAt
    this.#records = exactRecord
    this.#marks = new Uint8Array(source.length)
  }

  /** For the words of a query. Two phrases may have the same hash: then the records of both are looked at. */
  find(words: readonly QueryWord[]): void {
    this.#start = 0
    this.#end = 0
    if (words.length < EXACT_WORDS_MIN || words.length > EXACT_WORDS_MAX) return
    const places = this.#places
    for (let i = 0; i < words.length; i++) {
      const word = words[i] as QueryWord
      if (word.wholeCount === 0) return
      places[i] = word.places[0] as number
    }
    const hash = exactHash(places, words.length)
    const mask = this.#hashes.length - 1
    let at = hash & mask
    while (this.#hashes[at] !== hash) {
      if (this.#hashes[at] === 0) return
      at = (at + 1) & mask
    }
    const told = this.#at[at] as number
    this.#start = told >>> EXACT_RECORDS_BITS
    this.#end = this.#start + (told & EXACT_RECORDS_MAX)
  }

  /** Marks them, and tells how many they are; `unmark` after it. */
  mark(): number {
    for (let i = this.#start; i < this.#end; i++) this.#marks[this.#records[i] as number] = 1
    return this.#end - this.#start
  }

  isMarked(record: number): boolean {
    return this.#marks[record] === 1
  }

  unmark(): void {
    for (let i = this.#start; i < this.#end; i++) this.#marks[this.#records[i] as number] = 0
  }
}
