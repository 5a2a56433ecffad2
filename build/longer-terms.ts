/** What each term may be the beginning of: nothing of that depends on a query. */
import { longerThan } from '../src/catalog/query.js'
import { SLOTS } from '../src/catalog/ranking.js'
import { Vocabulary } from '../src/catalog/vocabulary.js'
import type { Columns } from '../src/snapshot/schema.js'
import { Growing } from './growing.js'

export function findLonger(
  postingsAt: Uint32Array,
  terms: readonly string[],
): Pick<Columns, 'longerAt' | 'longer'> {
  const vocabulary = new Vocabulary(terms.join('\n'))
  const used = (place: number) =>
    (postingsAt[(place + 1) * SLOTS] as number) - (postingsAt[place * SLOTS] as number)
  const longerAt = new Uint32Array(terms.length + 1)
  const longer = new Growing()
  terms.forEach((term, place) => {
    for (const other of longerThan(term, [place], vocabulary, used)) longer.push(other)
    longerAt[place + 1] = longer.length
  })
  return { longerAt, longer: longer.column() }
}
