import type { IndexedPhrase, Lists } from '../build/phrase-columns.js'
import { PHRASE_SLOTS, SLOTS } from '../src/catalog/ranking.js'

/** Lists of records with these phrases. Which slot a term has in a record is of no matter to them: its place tells one. */
export function listsOf(
  records: readonly (readonly IndexedPhrase[])[],
  places: ReadonlyMap<string, number>,
): Lists {
  const lists: number[][] = Array.from({ length: places.size * SLOTS }, () => [])
  records.forEach((phrases, record) => {
    for (const term of new Set(phrases.flatMap(({ terms }) => terms))) {
      const place = places.get(term) as number
      lists[place * SLOTS + ((place + record) % PHRASE_SLOTS)]?.push(record)
    }
  })
  const postingsAt = [0]
  for (const list of lists) postingsAt.push((postingsAt.at(-1) as number) + list.length)
  return { postingsAt: Uint32Array.from(postingsAt), postings: Uint32Array.from(lists.flat()) }
}
