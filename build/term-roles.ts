/** How the phrases of a record have each of its terms: as the name of the good, or only beside it. */
import { SLOTS } from '../src/catalog/ranking.js'
import type { Phrases } from './phrase-table.js'
import type { Lists } from './postings.js'

/** A term names the good in one of the phrases, or only tells more of it; 0 where no phrase has the term. */
export const NAMES = 2
export const BESIDE = 1

/** A role for each posting. The terms of phrases are places of the vocabulary here. */
export function findRoles(phrases: Phrases, isSearched: Uint8Array, lists: Lists): Uint8Array {
  const { recordAt, termsAt, terms, heads } = phrases
  const { postingsAt, postings, termSlots } = lists
  const roles = new Uint8Array(postings.length)
  /** Per term, its role in the record at hand. */
  const own = new Uint8Array((postingsAt.length - 1) / SLOTS)
  const next = postingsAt.slice()
  for (let record = 0; record < isSearched.length; record++) {
    if (isSearched[record] !== 1) continue
    const first = recordAt[record] as number
    const end = recordAt[record + 1] as number
    for (let phrase = first; phrase < end; phrase++) {
      const head = (termsAt[phrase] as number) + (heads[phrase] as number)
      for (let i = termsAt[phrase] as number; i < (termsAt[phrase + 1] as number); i++) {
        const term = terms[i] as number
        own[term] = i === head ? NAMES : Math.max(own[term] as number, BESIDE)
      }
    }
    for (let i = lists.termsAt[record] as number; i < (lists.termsAt[record + 1] as number); i++) {
      const list = termSlots[i] as number
      const posting = next[list] as number
      roles[posting] = own[Math.floor(list / SLOTS)] as number
      next[list] = posting + 1
    }
    for (let i = termsAt[first] as number; i < (termsAt[end] as number); i++) own[terms[i] as number] = 0
  }
  return roles
}
