/** The index form of words. Build and queries both read them here, by the same word forms. */
import { ArabicStems } from './arabic.js'
import { EnglishStems } from './english.js'
import { isArabic, words } from './fold.js'
import type { WordData } from './word-data.js'

export class Stemmer {
  readonly #english: EnglishStems
  readonly #arabic: ArabicStems

  constructor({ spellings, plurals, whole }: Pick<WordData, 'spellings' | 'plurals' | 'whole'>) {
    this.#english = new EnglishStems(
      spellings,
      plurals.filter(([plural]) => !isArabic(plural)),
    )
    this.#arabic = new ArabicStems(
      plurals.filter(([plural]) => isArabic(plural)),
      whole,
    )
  }

  /** The index form of one folded word. Numbers stay as they are, with a decimal point. */
  stem(word: string): string {
    const c = word.charCodeAt(0)
    if (c >= 48 && c <= 57) return word.replace(',', '.')
    return isArabic(word) ? this.#arabic.stem(word) : this.#english.stem(word)
  }

  /** The other reading of an Arabic word that may carry a particle, or ''. */
  stemUnderParticle(word: string): string {
    return isArabic(word) ? this.#arabic.stemUnderParticle(word) : ''
  }

  /** A text as the index sees it: one stem per word, in order. */
  terms(text: string): string[] {
    return words(text).map(word => this.stem(word))
  }

  /** The singular of an Arabic broken plural and the broken plurals of a singular: forms that no ending relates. */
  otherForms(word: string): readonly string[] {
    return this.#arabic.otherForms(word)
  }

  /** All Arabic broken plurals, in order. */
  get brokenPlurals(): readonly string[] {
    return this.#arabic.plurals
  }
}
