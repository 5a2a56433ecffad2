/** How much a text is like the phrases of records: the best phrase of each, by the rarity of the terms they share. */
import type { Columns } from '../../snapshot/schema.js'
import type { Model } from './model.js'

/** Of a term that is too common for the model to keep. */
const COMMON_TERM = 0.2

type PhrasesAndTree = Pick<Columns, 'phrasesAt' | 'phraseTermsAt' | 'phraseLength' | 'phraseTerm' | 'firstChild' | 'childCount'>

export class Likeness {
  readonly #columns: PhrasesAndTree
  /** By term. */
  readonly #rarity: Float64Array
  /** By term: its rarity if the text has it, otherwise 0. */
  readonly #inText: Float64Array
  /** By record, of the text that was read. */
  readonly #known = new Map<number, number>()
  #terms: readonly number[] = []
  /** Rarity of all terms of the text. */
  #total = 0

  constructor(columns: PhrasesAndTree, model: Model, termCount: number, classCount: number) {
    this.#columns = columns
    this.#inText = new Float64Array(termCount)
    this.#rarity = Float64Array.from({ length: termCount }, (_, term) => {
      const classes = model.classCount(term)
      return classes === 0 ? COMMON_TERM : COMMON_TERM + Math.log(classCount / classes)
    })
  }

  /** Sets the text that records are compared with. */
  read(terms: readonly number[]): void {
    for (const term of this.#terms) this.#inText[term] = 0
    this.#known.clear()
    this.#terms = terms
    this.#total = 0
    for (const term of terms) {
      if (this.#inText[term] === 0) this.#total += this.#rarity[term]
      this.#inText[term] = this.#rarity[term]
    }
  }

  /** The best of a record and all below it. */
  atOrBelow(record: number): number {
    const known = this.#known.get(record)
    if (known !== undefined) return known
    const { firstChild, childCount } = this.#columns
    let best = this.#of(record)
    for (let child = firstChild[record]; child < firstChild[record] + childCount[record]; child++)
      best = Math.max(best, this.atOrBelow(child))
    this.#known.set(record, best)
    return best
  }

  /** 0 to 1: the share of the phrase that the text has, less where it is a small part of the text. */
  #of(record: number): number {
    const { phrasesAt, phraseTermsAt, phraseLength, phraseTerm } = this.#columns
    let best = 0
    let from = phraseTermsAt[record]
    for (let phrase = phrasesAt[record]; phrase < phrasesAt[record + 1]; phrase++) {
      const end = from + phraseLength[phrase]
      let shared = 0
      for (let n = from; n < end; n++) shared += this.#inText[phraseTerm[n]]
      if (shared > 0) best = Math.max(best, (shared / this.#rarityOf(from, end)) * Math.sqrt(shared / this.#total))
      from = end
    }
    return best
  }

  #rarityOf(from: number, end: number): number {
    let sum = 0
    for (let n = from; n < end; n++) sum += this.#rarity[this.#columns.phraseTerm[n]]
    return sum
  }
}
