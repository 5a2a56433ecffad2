/** The phrases of records as columns: which terms each has, and for each term of a record in which of them it stands. */
import {
  ARABIC_FROM,
  aloneOf,
  aloneWorth,
  HEAD_FLAG,
  PHRASE_BITS,
  SAID_TERM_BITS,
} from '../src/catalog/ranking.js'
import type { Columns } from '../src/snapshot/schema.js'

export interface IndexedPhrase {
  terms: readonly string[]
  /** Which of the terms names the good. */
  head: number
}

export type PhraseColumns = Pick<
  Columns,
  'phraseFrom' | 'phraseAt' | 'phraseTerms' | 'saidAt' | 'saidArabicAt' | 'said' | 'saidIn'
>

/** Where a term of a record stands. */
interface Said {
  /** The phrases that have it, as bits. */
  inPhrases: number
  /** See `aloneOf`. */
  alone: number
  isArabic: boolean
}

/** The phrases of each record, none where it is not searched for. */
export function buildPhraseColumns(
  phrases: readonly (readonly IndexedPhrase[])[],
  place: ReadonlyMap<string, number>,
): PhraseColumns {
  const phraseFrom = [0]
  const phraseAt = [0]
  const phraseTerms: number[] = []
  const saidAt = [0]
  const saidArabicAt: number[] = []
  const said: number[] = []
  const saidIn: number[] = []
  for (const own of phrases) {
    // the shortest tells most of what it has
    const list = [...own].sort((a, b) => a.terms.length - b.terms.length)
    for (const { terms, head } of list) {
      terms.forEach((term, i) => {
        phraseTerms.push((place.get(term) as number) + (i === head ? HEAD_FLAG : 0))
      })
      phraseAt.push(phraseTerms.length)
    }
    phraseFrom.push(phraseAt.length - 1)
    const byTerm = [...saidBy(list)].map(([term, one]) => ({ ...one, term: place.get(term) as number }))
    byTerm.sort((a, b) => a.term - b.term)
    saidArabicAt.push(said.length + byTerm.filter(({ isArabic }) => !isArabic).length)
    for (const { term, inPhrases, alone } of byTerm) {
      said.push((alone << SAID_TERM_BITS) | term)
      saidIn.push(inPhrases)
    }
    saidAt.push(said.length)
  }
  return {
    phraseFrom: Uint32Array.from(phraseFrom),
    phraseAt: Uint32Array.from(phraseAt),
    phraseTerms: Uint32Array.from(phraseTerms),
    saidAt: Uint32Array.from(saidAt),
    saidArabicAt: Uint32Array.from(saidArabicAt),
    said: Int32Array.from(said),
    saidIn: Int32Array.from(saidIn),
  }
}

/** What a record's phrases, the shortest first, say of each of their terms. */
function saidBy(phrases: readonly IndexedPhrase[]): Map<string, Said> {
  const said = new Map<string, Said>()
  phrases.forEach(({ terms, head }, number) => {
    const bit = 1 << (number % PHRASE_BITS)
    for (const term of new Set(terms)) {
      const known = said.get(term)
      const alone = aloneOf(terms.length, term === terms[head])
      said.set(term, {
        inPhrases: (known?.inPhrases ?? 0) | bit,
        alone: known === undefined || aloneWorth(alone) > aloneWorth(known.alone) ? alone : known.alone,
        isArabic: term >= ARABIC_FROM,
      })
    }
  })
  return said
}
