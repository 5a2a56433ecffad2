/** The words of records → lists of records by term, and the columns that rank what they find. */
import { SLOTS } from '../src/catalog/ranking.js'
import type { Columns } from '../src/snapshot/schema.js'
import { buildExactPhrases, type ExactPhraseColumns } from './exact-phrases.js'
import { buildFamilies, type Families } from './families.js'
import type { BuildRecord } from './hierarchy.js'
import { Lexicon } from './lexicon.js'
import { findLonger } from './longer-terms.js'
import { buildPhraseColumns } from './phrase-columns.js'
import { readRecords } from './phrases.js'
import { invert, type Lists } from './postings.js'
import { SynonymFinder } from './synonym-finder.js'
import type { SynonymGroup } from './synonyms.js'
import { findTermSlots } from './term-slots.js'
import { type Readings, TextReader } from './text-reader.js'

export interface SearchIndex {
  columns: Lists &
    Families &
    ExactPhraseColumns &
    Pick<Columns, 'longerAt' | 'longer' | 'dossierAt' | 'dossiers' | 'saidAt' | 'said'>
  vocabulary: Terms
  lexicon: Lexicon
  reader: TextReader
  /** The keywords of all records, word by word. */
  keywords: Readings
  /** The place of a term in the vocabulary, or undefined. */
  placeOf(term: string): number | undefined
}

/** No place in the vocabulary. */
const NO_PLACE = 0xffff_ffff

/** The terms of the index in code-unit order, and the place of each among them. */
export interface Terms {
  texts: string[]
  /** By lexicon number; `NO_PLACE` for a term that no record is found by. */
  places: Uint32Array
}

export function buildSearchIndex(records: readonly BuildRecord[], groups: SynonymGroup[]): SearchIndex {
  const lexicon = new Lexicon()
  const reader = new TextReader(lexicon)
  const synonyms = new SynonymFinder(groups, lexicon)
  const isSearched = Uint8Array.from(records, ({ active, source }, i) => (active && source === i ? 1 : 0))
  const { phrases, keywords } = readRecords(records, lexicon, reader, synonyms)
  const found = findTermSlots(records, isSearched, phrases, synonyms, lexicon.termTexts.length)
  const vocabulary = sortTerms(lexicon, found.termSlots)
  const { texts, places } = vocabulary
  for (let i = 0; i < found.termSlots.length; i++) {
    const termSlot = found.termSlots[i] as number
    found.termSlots[i] = (places[Math.floor(termSlot / SLOTS)] as number) * SLOTS + (termSlot % SLOTS)
  }
  for (let i = 0; i < phrases.terms.length; i++)
    phrases.terms[i] = places[phrases.terms[i] as number] as number
  const lists = invert(found, texts.length)
  const { roles, ...phraseColumns } = buildPhraseColumns(phrases, isSearched, lists)
  const placeOf = (term: string) => {
    const place = places[lexicon.term(term)]
    return place === NO_PLACE ? undefined : place
  }
  return {
    columns: {
      ...lists,
      ...phraseColumns,
      ...findLonger(lists.postingsAt, texts),
      ...buildExactPhrases(phrases, isSearched, placeOf),
      ...buildFamilies(records, isSearched, phrases, lists, { ...phraseColumns, roles }),
    },
    vocabulary,
    lexicon,
    reader,
    keywords,
    placeOf,
  }
}

/** The terms that records are found by, in order. */
function sortTerms(lexicon: Lexicon, termSlots: Uint32Array): Terms {
  const places = new Uint32Array(lexicon.termTexts.length).fill(NO_PLACE)
  const texts: string[] = []
  for (let i = 0; i < termSlots.length; i++) {
    const term = Math.floor((termSlots[i] as number) / SLOTS)
    if (places[term] !== NO_PLACE) continue
    places[term] = 0
    texts.push(lexicon.termTexts[term] as string)
  }
  texts.sort()
  texts.forEach((text, place) => {
    places[lexicon.term(text)] = place
  })
  return { texts, places }
}
