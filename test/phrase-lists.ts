import { type Phrases, PhraseTable } from '../build/phrase-table.js'
import { invert, type Lists } from '../build/postings.js'
import { PHRASE_SLOTS, SLOTS } from '../src/catalog/ranking.js'

/** A phrase by its terms' places in the vocabulary. */
export interface TestPhrase {
  terms: readonly number[]
  /** -1 where no term names the good. */
  head: number
}

type Records = readonly (readonly TestPhrase[])[]

/** The phrases of records, as the compiler keeps them. */
export function phrasesOf(records: Records): Phrases {
  const table = new PhraseTable()
  for (const phrases of records) {
    table.beginRecord()
    for (const { terms, head } of phrases) {
      for (const term of terms) table.addTerm(term)
      table.endPhrase(0, head)
    }
  }
  return table.finish()
}

/** Lists of records with these phrases. Which slot a term has in a record is of no matter to them: its place tells one. */
export function listsOf(records: Records, vocabularySize: number): Lists {
  const own = records.map((phrases, record) =>
    [...new Set(phrases.flatMap(({ terms }) => terms))].map(
      place => place * SLOTS + ((place + record) % PHRASE_SLOTS),
    ),
  )
  const termsAt = [0]
  for (const list of own) termsAt.push((termsAt.at(-1) as number) + list.length)
  return invert(
    { termsAt: Uint32Array.from(termsAt), termSlots: Uint32Array.from(own.flat()) },
    vocabularySize,
  )
}

/** All of them are searched. */
export const allSearched = (records: Records) => new Uint8Array(records.length).fill(1)
