/** Phrases of several words that few records have, by a hash of their terms. */
import {
  EXACT_RECORDS_BITS,
  EXACT_RECORDS_MAX,
  EXACT_WORDS_MAX,
  EXACT_WORDS_MIN,
  exactHash,
} from '../src/catalog/exact-phrases.js'
import { LINKING_WORDS } from '../src/catalog/word-lists.js'
import type { Columns } from '../src/snapshot/schema.js'
import { stem } from '../src/text/terms.js'
import { Growing } from './growing.js'
import type { Phrases } from './phrase-table.js'
import { SequenceTable } from './sequence-table.js'

/** Places per phrase, at least. */
const ROOM = 1.5

export type ExactPhraseColumns = Pick<Columns, 'exactHash' | 'exactAt' | 'exactRecord'>

/** The terms of phrases are places of the vocabulary here. */
export function buildExactPhrases(
  phrases: Phrases,
  isSearched: Uint8Array,
  placeOf: (term: string) => number | undefined,
): ExactPhraseColumns {
  const found = new PhraseRecords()
  const linking = new Set([...LINKING_WORDS].map(word => placeOf(stem(word))))
  const telling = new Uint32Array(EXACT_WORDS_MAX + 1)
  for (let record = 0; record < isSearched.length; record++) {
    if (isSearched[record] !== 1) continue
    const end = phrases.recordAt[record + 1] as number
    for (let phrase = phrases.recordAt[record] as number; phrase < end; phrase++) {
      const count = tellingTerms(phrases, phrase, linking, telling)
      if (count >= EXACT_WORDS_MIN && count <= EXACT_WORDS_MAX) found.add(exactHash(telling, count), record)
    }
  }
  return found.columns()
}

/** Puts the distinct terms that do more than link others into `telling`, and tells how many they are: one too many at most. */
function tellingTerms(
  { termsAt, terms }: Phrases,
  phrase: number,
  linking: ReadonlySet<number | undefined>,
  telling: Uint32Array,
): number {
  let count = 0
  const end = termsAt[phrase + 1] as number
  for (let i = termsAt[phrase] as number; i < end && count < telling.length; i++) {
    const term = terms[i] as number
    let n = 0
    while (n < count && telling[n] !== term) n++
    if (n === count && !linking.has(term)) telling[count++] = term
  }
  return count
}

/** What more records have is no name of one good, so of each phrase only so many are kept, and one more to tell. */
const KEPT = EXACT_RECORDS_MAX + 1

/** The records of each hash, hashes in the order they came in. */
class PhraseRecords {
  readonly #numbers = new SequenceTable()
  readonly #hashes = new Growing()
  readonly #counts = new Growing()
  readonly #records = new Growing()
  readonly #key = new Uint32Array(1)

  /** Records come in ascending order. */
  add(hash: number, record: number): void {
    this.#key[0] = hash
    const number = this.#numbers.add(this.#key, 0, 1)
    if (number === this.#hashes.length) {
      this.#hashes.push(hash)
      this.#counts.push(0)
      for (let i = 0; i < KEPT; i++) this.#records.push(0)
    }
    const count = this.#counts.values[number] as number
    const records = this.#records.values
    if (count === KEPT || (count > 0 && records[number * KEPT + count - 1] === record)) return
    records[number * KEPT + count] = record
    this.#counts.values[number] = count + 1
  }

  columns(): ExactPhraseColumns {
    const counts = this.#counts.column()
    const kept = counts.reduce((sum, count) => sum + (count <= EXACT_RECORDS_MAX ? 1 : 0), 0)
    const size = 2 ** Math.ceil(Math.log2(kept * ROOM + 1))
    const hashes = new Int32Array(size)
    const exactAt = new Uint32Array(size)
    const exactRecord = new Growing()
    for (let number = 0; number < counts.length; number++) {
      const count = counts[number] as number
      if (count > EXACT_RECORDS_MAX) continue
      const hash = this.#hashes.values[number] as number
      let at = hash & (size - 1)
      while (hashes[at] !== 0) at = (at + 1) & (size - 1)
      hashes[at] = hash
      exactAt[at] = exactRecord.length * 2 ** EXACT_RECORDS_BITS + count
      for (let i = 0; i < count; i++) exactRecord.push(this.#records.values[number * KEPT + i] as number)
    }
    return { exactHash: hashes, exactAt, exactRecord: exactRecord.column() }
  }
}
