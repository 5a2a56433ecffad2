/** Turns terms by record into records by term: a counting sort, linear in the number of postings. */
import { SLOTS } from '../../src/catalog/search/slots.js'
import type { Columns } from '../../src/snapshot/schema.js'
import type { TermSlots } from './term-slots.js'

export type Lists = Pick<Columns, 'postingsAt' | 'postings'>

/** Here `termSlots` contains indices into the vocabulary. */
export function invert({ termsAt, termSlots }: TermSlots, vocabularySize: number): Lists {
  const postingsAt = startsOf(termSlots, vocabularySize * SLOTS)
  const postings = new Uint32Array(termSlots.length)
  const next = postingsAt.slice()
  for (let record = 0; record + 1 < termsAt.length; record++) {
    const end = termsAt[record + 1]
    for (let i = termsAt[record]; i < end; i++) {
      const list = termSlots[i]
      const at = next[list]
      postings[at] = record
      next[list] = at + 1
    }
  }
  return { postingsAt, postings }
}

/** Where each list begins; one more entry is the end of the last list. */
function startsOf(termSlots: Uint32Array, lists: number): Uint32Array {
  const at = new Uint32Array(lists + 1)
  for (let i = 0; i < termSlots.length; i++) {
    const list = termSlots[i]
    at[list + 1] = at[list + 1] + 1
  }
  for (let list = 0; list < lists; list++) at[list + 1] = at[list + 1] + at[list]
  return at
}
