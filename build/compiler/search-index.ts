/** Turns the words of records into lists of records by term, and into the columns for ranking. */
import { SLOTS } from '../../src/catalog/search/slots.js'
import type { Stemmer } from '../../src/text/terms.js'
import type { SynonymGroup } from '../dataset/synonyms.js'
import { buildHeadingEvidence, type EvidenceColumns } from './heading-evidence.js'
import type { BuildRecord } from './hierarchy.js'
import { IndexTerms, NO_PLACE } from './index-terms.js'
import { Lexicon } from './lexicon.js'
import { buildPhraseColumns, type PhraseColumns } from './phrase-columns.js'
import { readRecords } from './phrases.js'
import { invert, type Lists } from './postings.js'
import { SynonymFinder } from './synonym-finder.js'
import { findTermSlots } from './term-slots.js'
import { type Readings, TextReader } from './text-reader.js'

export interface SearchIndex {
  columns: Lists & PhraseColumns & EvidenceColumns
  terms: IndexTerms
  lexicon: Lexicon
  reader: TextReader
  /** The keywords of all records, as word numbers. */
  keywords: Readings
  /** Per phrase of the columns, the number of its keyword, or `NO_KEYWORD`. */
  phraseKeywords: Uint32Array
  /** The index of a term in the vocabulary, or undefined. */
  placeOf(term: string): number | undefined
  /** Number of postings of the term with this index. */
  frequency(place: number): number
}

export function buildSearchIndex(records: readonly BuildRecord[], groups: SynonymGroup[], stemmer: Stemmer): SearchIndex {
  const lexicon = new Lexicon(stemmer)
  const reader = new TextReader(lexicon)
  const synonyms = new SynonymFinder(groups, lexicon)
  const isSearched = Uint8Array.from(records, ({ active, source }, i) => (active && source === i ? 1 : 0))
  const { phrases, keywords } = readRecords(records, lexicon, reader, synonyms)
  const found = findTermSlots(isSearched, phrases, synonyms, lexicon.termTexts.length)
  const terms = new IndexTerms(lexicon, found.termSlots)
  for (let i = 0; i < found.termSlots.length; i++) {
    const termSlot = found.termSlots[i]
    found.termSlots[i] = terms.place(Math.floor(termSlot / SLOTS)) * SLOTS + (termSlot % SLOTS)
  }
  for (let i = 0; i < phrases.terms.length; i++) phrases.terms[i] = terms.place(phrases.terms[i])
  const ordered = buildPhraseColumns(phrases, isSearched)
  const lists = invert(found, terms.texts.length)
  return {
    columns: {
      ...lists,
      ...ordered.columns,
      ...buildHeadingEvidence(records, isSearched, phrases, terms.texts.length),
    },
    terms,
    lexicon,
    reader,
    keywords,
    phraseKeywords: ordered.keywords,
    placeOf: term => {
      const place = terms.place(lexicon.term(term))
      return place === NO_PLACE ? undefined : place
    },
    frequency: place => lists.postingsAt[(place + 1) * SLOTS] - lists.postingsAt[place * SLOTS],
  }
}
