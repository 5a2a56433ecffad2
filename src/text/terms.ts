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

  /** The stem of a folded word. In a number, a decimal comma becomes a point. */
  stem(word: string): string {
    const c = word.charCodeAt(0)
    if (c >= 48 && c <= 57) return word.replace(',', '.')
    return isArabic(word) ? this.#arabic.stem(word) : this.#english.stem(word)
  }

  stemWithoutParticle(word: string): string {
    return isArabic(word) ? this.#arabic.stemWithoutParticle(word) : ''
  }

  /** One stem per word, in order. */
  terms(text: string): string[] {
    return words(text).map(word => this.stem(word))
  }

  /** Singular and broken plurals of an Arabic word, which differ by more than an ending. */
  otherForms(word: string): readonly string[] {
    return this.#arabic.otherForms(word)
  }

  /** Arabic broken plurals, sorted. */
  get brokenPlurals(): readonly string[] {
    return this.#arabic.plurals
  }
}
