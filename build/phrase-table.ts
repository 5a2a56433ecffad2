/** The phrases of all records, end to end in columns: a million words in a few arrays instead of a million objects. */
import { Growing } from './growing.js'

/** One phrase on its way into the table. */
export interface NewPhrase {
  terms: readonly number[]
  /** Which of the terms names the good. */
  head: number
  slot: number
  /** Terms that the record is found by though they do not stand in the phrase as they are: see `asides`. */
  asides: readonly number[]
}

export class PhraseTable {
  readonly #recordAt = new Growing()
  readonly #termsAt = new Growing()
  readonly #asidesAt = new Growing()
  readonly #terms = new Growing()
  readonly #asides = new Growing()
  readonly #heads = new Growing()
  readonly #slots = new Growing()

  /** What is added from now on belongs to the next record. */
  beginRecord(): void {
    this.#recordAt.push(this.#heads.length)
  }

  add({ terms, head, slot, asides }: NewPhrase): void {
    this.#termsAt.push(this.#terms.length)
    this.#asidesAt.push(this.#asides.length)
    for (let i = 0; i < terms.length; i++) this.#terms.push(terms[i] as number)
    for (let i = 0; i < asides.length; i++) this.#asides.push(asides[i] as number)
    this.#heads.push(head)
    this.#slots.push(slot)
  }

  finish(): Phrases {
    this.#recordAt.push(this.#heads.length)
    this.#termsAt.push(this.#terms.length)
    this.#asidesAt.push(this.#asides.length)
    return {
      recordAt: this.#recordAt.column(),
      termsAt: this.#termsAt.column(),
      terms: this.#terms.column(),
      heads: this.#heads.column(),
      slots: Uint8Array.from(this.#slots.column()),
      asidesAt: this.#asidesAt.column(),
      asides: this.#asides.column(),
    }
  }
}

export interface Phrases {
  /** Per record, where its phrases begin; one more entry ends the last. So in all columns named `…At`. */
  recordAt: Uint32Array
  /** Per phrase, where its terms begin. */
  termsAt: Uint32Array
  /** By their numbers in the lexicon, later by their places in the vocabulary. */
  terms: Uint32Array
  /** Per phrase, which of its terms names the good, counted from its first. */
  heads: Uint32Array
  slots: Uint8Array
  asidesAt: Uint32Array
  /** Lexicon number times two, plus 1 where the term counts only if some phrase has it. */
  asides: Uint32Array
}
