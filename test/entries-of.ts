import type { Matches } from '../src/catalog/matches.js'

/** What a list has, in its order. */
export function entriesOf(list: Matches, count = list.count): { record: number; score: number }[] {
  return Array.from({ length: count }, (_, i) => ({ record: list.record(i), score: list.score(i) }))
}
