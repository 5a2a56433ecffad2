/**
 * What a word is in the index. Texts repeat their words by the million: each is worked out once, and its terms are the same
 * strings wherever it stands.
 */
import { stem, stemUnderParticle } from '../src/text/terms.js'

/** "And" sticks to any word of this length; of the other particles only a word that exists tells. */
const JOINED_WORD_CHARS_MIN = 5

/** An Arabic word without its particle. */
export interface Under {
  term: string
  isAnd: boolean
}

export class WordForms {
  readonly #stems = new Map<string, string>()
  readonly #under = new Map<string, Under | undefined>()

  stem(word: string): string {
    const known = this.#stems.get(word)
    if (known !== undefined) return known
    const term = stem(word)
    this.#stems.set(word, term)
    return term
  }

  under(word: string): Under | undefined {
    if (this.#under.has(word)) return this.#under.get(word)
    const term = stemUnderParticle(word)
    const isAnd = word.startsWith('و') && word.length >= JOINED_WORD_CHARS_MIN
    const under = term === '' ? undefined : { term, isAnd }
    this.#under.set(word, under)
    return under
  }
}
