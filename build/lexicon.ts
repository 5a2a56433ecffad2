/**
 * Every word and every term of the dataset once, by number: after this the compiler compares and sorts numbers, not texts.
 * Texts repeat their words by the hundred thousand, so each word is stemmed once.
 */
import { Encoder } from 'flexsearch'
import { anyWords } from '../src/text/fold.js'
import { stem, stemUnderParticle } from '../src/text/terms.js'

/** "And" sticks to any word of this length; of the other particles only a word that exists tells. */
const JOINED_WORD_CHARS_MIN = 5

/**
 * FlexSearch's Encoder cuts words where its own expression does, and does nothing else: folding and stems are ours, since its own
 * ways cut Arabic words at harakat, merge double letters and split long numbers. It also drops a word that repeats the one before
 * it ("mahi mahi"); so it keeps what stands between words, which is taken out at the end.
 */
const ENCODER = new Encoder({
  split: /([^\p{L}\p{N}]+)/u,
  finalize: parts => parts.filter(part => LETTER.test(part)),
  normalize: false,
  numeric: false,
  dedupe: false,
  cache: false,
})
const LETTER = /^\p{L}/u
const DIGIT = /\p{N}/u

/** The words of a folded text. Where there are digits, decimals and CAS numbers must stay whole, which the Encoder cannot tell. */
export function cutWords(folded: string): string[] {
  return DIGIT.test(folded) ? anyWords(folded) : ENCODER.encode(folded)
}

export class Lexicon {
  readonly #words = new Map<string, number>()
  readonly #wordTexts: string[] = []
  readonly #termOfWord: number[] = []
  readonly #particleTerms: (ParticleTerm | undefined)[] = []
  readonly #terms = new Map<string, number>()
  readonly #termTexts: string[] = []

  /** How each word is written, by number. */
  get wordTexts(): readonly string[] {
    return this.#wordTexts
  }

  /** … and each term. */
  get termTexts(): readonly string[] {
    return this.#termTexts
  }

  /** The numbers of the words of a folded text, in order. */
  words(folded: string): number[] {
    const cut = cutWords(folded)
    const numbers: number[] = []
    for (let i = 0; i < cut.length; i++) numbers.push(this.word(cut[i] as string))
    return numbers
  }

  word(text: string): number {
    const known = this.#words.get(text)
    if (known !== undefined) return known
    const number = this.#wordTexts.push(text) - 1
    this.#words.set(text, number)
    this.#termOfWord.push(this.term(stem(text)))
    this.#particleTerms.push(this.#underParticle(text))
    return number
  }

  term(text: string): number {
    const known = this.#terms.get(text)
    if (known !== undefined) return known
    const number = this.#termTexts.push(text) - 1
    this.#terms.set(text, number)
    return number
  }

  termOf(word: number): number {
    return this.#termOfWord[word] as number
  }

  /** An Arabic word without its particle; undefined where it can have none. */
  particleTerm(word: number): ParticleTerm | undefined {
    return this.#particleTerms[word]
  }

  #underParticle(text: string): ParticleTerm | undefined {
    const term = stemUnderParticle(text)
    if (term === '') return undefined
    return { term: this.term(term), isAnd: text.startsWith('و') && text.length >= JOINED_WORD_CHARS_MIN }
  }
}

export interface ParticleTerm {
  term: number
  /** Whether the particle is "and", which is one whether or not the rest is a known word. */
  isAnd: boolean
}
