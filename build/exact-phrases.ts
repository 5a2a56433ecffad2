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
import type { IndexedPhrase } from './phrase-columns.js'

/** Places per phrase, at least. */
const ROOM = 1.5

const LINKING = new Set([...LINKING_WORDS].map(stem))

export type ExactPhraseColumns = Pick<Columns, 'exactHash' | 'exactAt' | 'exactRecord'>

export function buildExactPhrases(
  phrases: readonly (readonly IndexedPhrase[])[],
  place: ReadonlyMap<string, number>,
): ExactPhraseColumns {
  const byHash = new Map<number, Set<number>>()
  phrases.forEach((list, record) => {
    for (const { terms } of list) {
      const telling = new Set(terms.filter(term => !LINKING.has(term)))
      if (telling.size < EXACT_WORDS_MIN || telling.size > EXACT_WORDS_MAX) continue
      const hash = exactHash([...telling].map(term => place.get(term) as number))
      const known = byHash.get(hash)
      if (known === undefined) byHash.set(hash, new Set([record]))
      else known.add(record)
    }
  })
  // what more records have is no name of one good
  const kept = [...byHash].filter(([, records]) => records.size <= EXACT_RECORDS_MAX)
  const size = 2 ** Math.ceil(Math.log2(kept.length * ROOM + 1))
  const hashes = new Int32Array(size)
  const exactAt = new Uint32Array(size)
  const exactRecord: number[] = []
  for (const [hash, records] of kept) {
    let at = hash & (size - 1)
    while (hashes[at] !== 0) at = (at + 1) & (size - 1)
    hashes[at] = hash
    exactAt[at] = exactRecord.length * 2 ** EXACT_RECORDS_BITS + records.size
    exactRecord.push(...records)
  }
  return { exactHash: hashes, exactAt, exactRecord: Uint32Array.from(exactRecord) }
}
