/** The words of a text with their index terms: the first TERMS_MAX. */
import { words } from '../../text/fold.js'
import type { Stemmer } from '../../text/terms.js'
import type { Vocabulary } from '../search/vocabulary.js'
import { TERMS_MAX } from './features.js'

export interface TextTerms {
  /** Indices into the vocabulary, in the order of the text; unknown words are left out. */
  terms: number[]
  /** The word of each term as written: "T-shirt" for both of its terms. */
  written: string[]
}

/** From the first letter or digit to the last. */
const FROM_FIRST_TO_LAST = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su

export function textTerms(text: string, vocabulary: Vocabulary, stemmer: Stemmer): TextTerms {
  const found: TextTerms = { terms: [], written: [] }
  for (const part of text.split(/\s/)) {
    let written: string | undefined
    for (const word of words(part)) {
      const term = findTerm(word, vocabulary, stemmer)
      if (term < 0) continue
      written ??= FROM_FIRST_TO_LAST.exec(part)?.[0] ?? ''
      found.terms.push(term)
      found.written.push(written)
      if (found.terms.length === TERMS_MAX) return found
    }
  }
  return found
}

/** -1 if the word is unknown both with and without an Arabic particle. */
function findTerm(word: string, vocabulary: Vocabulary, stemmer: Stemmer): number {
  const term = vocabulary.find(stemmer.stem(word))
  if (term >= 0) return term
  const under = stemmer.stemUnderParticle(word)
  return under === '' ? -1 : vocabulary.find(under)
}
