/** The phrases of records, laid out for `src/catalog/search/judge-phrases.ts`. */
import type { Columns } from '../src/snapshot/schema.js'
import { Growing } from './growing.js'

export interface IndexedPhrase {
  terms: readonly string[]
  /** Which of the terms names the good. */
  head: number
}

export type Lists = Pick<Columns, 'postingsAt' | 'postings'>
export type PhraseColumns = Pick<
  Columns,
  'phrasesAt' | 'phraseTermsAt' | 'phraseLength' | 'phraseHead' | 'phraseTerm'
>

/** The phrases of each record, none where it is not searched for. */
export function buildPhraseColumns(
  phrases: readonly (readonly IndexedPhrase[])[],
  place: ReadonlyMap<string, number>,
): PhraseColumns {
  const phrasesAt = new Uint32Array(phrases.length + 1)
  const phraseTermsAt = new Uint32Array(phrases.length + 1)
  const lengths = new Growing()
  const heads = new Growing()
  const all = new Growing()
  phrases.forEach((own, record) => {
    // the shortest first: judging stops where longer ones cannot be better
    for (const { terms, head } of [...own].sort((a, b) => a.terms.length - b.terms.length)) {
      lengths.push(terms.length)
      heads.push(head)
      for (const term of terms) all.push(place.get(term) as number)
    }
    phrasesAt[record + 1] = lengths.length
    phraseTermsAt[record + 1] = all.length
  })
  return {
    phrasesAt,
    phraseTermsAt,
    phraseLength: Uint16Array.from(lengths.column()),
    phraseHead: Uint16Array.from(heads.column()),
    phraseTerm: all.column(),
  }
}
