/** The words of a text, with the terms of the index that they are. */
import { words } from '../../text/fold.js'
import type { Stemmer } from '../../text/terms.js'
import type { Vocabulary } from '../search/vocabulary.js'

export interface TextTerms {
  /** Places of the vocabulary, in order; unknown words are left out. */
  terms: number[]
  /** The word of each term, folded. */
  words: string[]
  /** Share of the words that are known. */
  known: number
}

export function textTerms(text: string, vocabulary: Vocabulary, stemmer: Stemmer): TextTerms {
  const found: TextTerms = { terms: [], words: [], known: 0 }
  const all = words(text)
  for (const word of all) {
    const term = findTerm(word, vocabulary, stemmer)
    if (term < 0) continue
    found.terms.push(term)
    found.words.push(word)
  }
  found.known = all.length === 0 ? 0 : found.terms.length / all.length
  return found
}

/** -1 if unknown, with and without an Arabic particle. */
function findTerm(word: string, vocabulary: Vocabulary, stemmer: Stemmer): number {
  const term = vocabulary.find(stemmer.stem(word))
  if (term >= 0) return term
  const under = stemmer.stemUnderParticle(word)
  return under === '' ? -1 : vocabulary.find(under)
}
