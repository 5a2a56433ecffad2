/** Numbers every word and term of the dataset, so that the compiler compares and sorts numbers, not texts. */
import { isArabic } from '../../src/text/fold.js'
import type { Stemmer } from '../../src/text/terms.js'

/**
 * The Arabic "and" is read as a prefix of any word of at least this length. Other particles count only if the rest is a known
 * word.
 */
const JOINED_WORD_CHARS_MIN = 5

/** An Arabic word without its particle. */
export interface ParticleTerm {
  term: number
  /** Whether the particle is "and" and the word is long enough, so that it counts even if the rest is not a known word. */
  isAnd: boolean
}

export class Lexicon {
  readonly #stemmer: Stemmer
  readonly #words = new Map<string, number>()
  readonly #wordTexts: string[] = []
  readonly #termOfWord: number[] = []
  readonly #particleTerms: (ParticleTerm | undefined)[] = []
  readonly #terms = new Map<string, number>()
  readonly #termTexts: string[] = []

  constructor(stemmer: Stemmer) {
    this.#stemmer = stemmer
  }

  /** Texts of the words, by number. */
  get wordTexts(): readonly string[] {
    return this.#wordTexts
  }

  /** Texts of the terms, by number. */
  get termTexts(): readonly string[] {
    return this.#termTexts
  }

  /** The number of a folded word. */
  word(text: string): number {
    const known = this.#words.get(text)
    if (known !== undefined) return known
    const number = this.#wordTexts.push(text) - 1
    this.#words.set(text, number)
    this.#termOfWord.push(this.term(this.#stemmer.stem(text)))
    this.#particleTerms.push(this.#particleTermOf(text))
    return number
  }

  term(text: string): number {
    const known = this.#terms.get(text)
    if (known !== undefined) return known
    const number = this.#termTexts.push(text) - 1
    this.#terms.set(text, number)
    return number
  }

  /** The term under which a word is indexed. */
  termOf(word: number): number {
    return this.#termOfWord[word]
  }

  isArabic(word: number): boolean {
    return isArabic(this.#wordTexts[word])
  }

  /** Undefined if the word cannot have a particle. */
  particleTerm(word: number): ParticleTerm | undefined {
    return this.#particleTerms[word]
  }

  #particleTermOf(text: string): ParticleTerm | undefined {
    const term = this.#stemmer.stemWithoutParticle(text)
    if (term === '') return undefined
    return { term: this.term(term), isAnd: text.startsWith('و') && text.length >= JOINED_WORD_CHARS_MIN }
  }
}
