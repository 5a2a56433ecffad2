/** Phrases of several words that few records have, by a hash of their terms. */
import { EXACT_WORDS_MAX, EXACT_WORDS_MIN, exactHash } from '../src/catalog/exact-phrases.js'
import { LINKING_WORDS } from '../src/catalog/word-lists.js'
import type { Columns } from '../src/snapshot/schema.js'
import { stem } from '../src/text/terms.js'
import type { IndexedPhrase } from './phrase-columns.js'

/** What more records have is no name of one good. */
const RECORDS_MAX = 6

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
  const kept = [...byHash].filter(([, records]) => records.size <= RECORDS_MAX).sort(([a], [b]) => a - b)
  const at = [0]
  for (const [, records] of kept) at.push((at.at(-1) as number) + records.size)
  return {
    exactHash: Int32Array.from(kept, ([hash]) => hash),
    exactAt: Uint32Array.from(at),
    exactRecord: Uint32Array.from(kept.flatMap(([, records]) => [...records])),
  }
}
