/** The phrases of records, laid out for `src/catalog/search/judge-phrases.ts`. */
import type { Columns } from '../../src/snapshot/schema.js'
import { GrowingArray } from './growing-array.js'
import type { Phrases } from './phrase-table.js'

export type PhraseColumns = Pick<Columns, 'phrasesAt' | 'phraseTermsAt' | 'phraseLength' | 'phraseHead' | 'phraseTerm'>

export interface OrderedPhrases {
  columns: PhraseColumns
  /** For each phrase, in the order of the columns: the number of its keyword, or `NO_KEYWORD`. */
  keywords: Uint32Array
}

/** The phrases of each searchable record. Here their terms are indices into the vocabulary. */
export function buildPhraseColumns(
  { recordAt, termsAt, terms, heads, keywords }: Phrases,
  isSearched: Uint8Array,
): OrderedPhrases {
  const phrasesAt = new Uint32Array(isSearched.length + 1)
  const phraseTermsAt = new Uint32Array(isSearched.length + 1)
  const lengths = new GrowingArray()
  const ordered = new GrowingArray()
  const orderedKeywords = new GrowingArray()
  const all = new GrowingArray()
  const lengthOf = (phrase: number) => termsAt[phrase + 1] - termsAt[phrase]
  for (let record = 0; record < isSearched.length; record++) {
    const first = recordAt[record]
    const count = isSearched[record] === 1 ? recordAt[record + 1] - first : 0
    const own = Array.from({ length: count }, (_, n) => first + n)
    // shortest first, because judging stops when longer phrases cannot be better
    for (const phrase of own.sort((a, b) => lengthOf(a) - lengthOf(b))) {
      lengths.push(lengthOf(phrase))
      ordered.push(heads[phrase])
      orderedKeywords.push(keywords[phrase])
      for (let i = termsAt[phrase]; i < termsAt[phrase + 1]; i++) all.push(terms[i])
    }
    phrasesAt[record + 1] = lengths.length
    phraseTermsAt[record + 1] = all.length
  }
  return {
    columns: {
      phrasesAt,
      phraseTermsAt,
      phraseLength: Uint16Array.from(lengths.column()),
      phraseHead: Uint16Array.from(ordered.column()),
      phraseTerm: all.column(),
    },
    keywords: orderedKeywords.column(),
  }
}
