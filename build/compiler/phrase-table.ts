/** The phrases of all records in columns: a million words in a few arrays instead of a million objects. */
import { GrowingArray } from './growing-array.js'

export const NO_KEYWORD = 0xffff_ffff

export interface Phrases {
  /**
   * For each record, the start of its phrases; one more entry is the end of the last. All columns named `…At` work like this.
   */
  recordAt: Uint32Array
  /** Per phrase, where its terms begin. */
  termsAt: Uint32Array
  /** Numbers in the lexicon, later replaced by indices into the vocabulary. */
  terms: Uint32Array
  /** Per phrase, the index of the term that names the goods. */
  heads: Uint32Array
  slots: Uint8Array
  /** Per phrase, the number of the keyword it was made from, or `NO_KEYWORD`. */
  keywords: Uint32Array
  extraTermsAt: Uint32Array
  /**
   * Other terms that find the record although the phrase does not contain them in this form: the lexicon number times two, plus
   * 1 if the term counts only when some phrase has it.
   */
  extraTerms: Uint32Array
}

export class PhraseTable {
  readonly #recordAt = new GrowingArray()
  readonly #termsAt = new GrowingArray()
  readonly #extraTermsAt = new GrowingArray()
  readonly #terms = new GrowingArray()
  readonly #extraTerms = new GrowingArray()
  readonly #heads = new GrowingArray()
  readonly #slots = new GrowingArray()
  readonly #keywords = new GrowingArray()

  constructor() {
    this.#termsAt.push(0)
    this.#extraTermsAt.push(0)
  }

  get count(): number {
    return this.#heads.length
  }

  get terms(): Uint32Array {
    return this.#terms.values
  }

  keywordOf(phrase: number): number {
    return this.#keywords.values[phrase]
  }

  termsStart(phrase: number): number {
    return this.#termsAt.values[phrase]
  }

  termsEnd(phrase: number): number {
    return this.#termsAt.values[phrase + 1]
  }

  /** Phrases added from now on belong to the next record. */
  beginRecord(): void {
    this.#recordAt.push(this.count)
  }

  addTerm(term: number): void {
    this.#terms.push(term)
  }

  addExtraTerm(term: number, onlyIfInPhrase: boolean): void {
    this.#extraTerms.push(2 * term + (onlyIfInPhrase ? 1 : 0))
  }

  /** Makes a phrase of the terms added since the last phrase, if any. */
  endPhrase(slot: number, head: number, keyword = NO_KEYWORD): void {
    if (this.#terms.length === this.termsStart(this.count)) return
    this.#termsAt.push(this.#terms.length)
    this.#extraTermsAt.push(this.#extraTerms.length)
    this.#heads.push(head)
    this.#slots.push(slot)
    this.#keywords.push(keyword)
  }

  finish(): Phrases {
    this.#recordAt.push(this.count)
    return {
      recordAt: this.#recordAt.column(),
      termsAt: this.#termsAt.column(),
      terms: this.#terms.column(),
      heads: this.#heads.column(),
      slots: Uint8Array.from(this.#slots.column()),
      keywords: this.#keywords.column(),
      extraTermsAt: this.#extraTermsAt.column(),
      extraTerms: this.#extraTerms.column(),
    }
  }
}
