/** How much a text is like the phrases of records: the best phrase of each, by the rarity of the terms they share. */
import type { Columns } from '../../snapshot/schema.js'
import { Postings } from '../search/postings.js'
import type { Model } from './model.js'

/** Of a term that is too common for the model to keep. */
const COMMON_TERM = 0.2

type LikenessColumns = Pick<
  Columns,
  | 'phrasesAt'
  | 'phraseTermsAt'
  | 'phraseLength'
  | 'phraseTerm'
  | 'postingsAt'
  | 'postings'
  | 'firstChild'
  | 'childCount'
  | 'level'
>

export class Likeness {
  readonly #columns: LikenessColumns
  /** By term. */
  readonly #rarity: Float64Array
  /** By term: its rarity if the text has it, otherwise 0. */
  readonly #inText: Float64Array
  readonly #postings: Postings
  /** Texts are numbered. By record: the last one that shares a term with it, and the last that it was compared with. */
  #text = 0
  readonly #sharedWith: Uint32Array
  readonly #comparedWith: Uint32Array
  /** By record: the result of that comparison. */
  readonly #best: Float64Array
  #terms: readonly number[] = []
  /** Rarity of all terms of the text. */
  #total = 0

  constructor(
    columns: LikenessColumns,
    private readonly model: Model,
    termCount: number,
    classCount: number,
  ) {
    this.#columns = columns
    this.#postings = new Postings(columns)
    this.#sharedWith = new Uint32Array(columns.level.length)
    this.#comparedWith = new Uint32Array(columns.level.length)
    this.#best = new Float64Array(columns.level.length)
    this.#inText = new Float64Array(termCount)
    this.#rarity = Float64Array.from({ length: termCount }, (_, term) => {
      const classes = model.classCount(term)
      return classes === 0 ? COMMON_TERM : COMMON_TERM + Math.log(classCount / classes)
    })
  }

  /** Sets the text that records are compared with. */
  read(terms: readonly number[]): void {
    for (const term of this.#terms) this.#inText[term] = 0
    this.#terms = terms
    this.#text++
    this.#total = 0
    for (const term of terms) {
      if (this.#inText[term] !== 0) continue
      this.#inText[term] = this.#rarity[term]
      this.#total += this.#rarity[term]
      // what shares common terms only is not like the text
      if (this.model.classCount(term) > 0) this.#mark(term)
    }
  }

  #mark(term: number): void {
    this.#postings.walk([term], this.#postings.count(term), record => {
      this.#sharedWith[record] = this.#text
    })
  }

  /** The best of a record and all below it. */
  atOrBelow(record: number): number {
    if (this.#comparedWith[record] === this.#text) return this.#best[record]
    const { firstChild, childCount } = this.#columns
    let best = this.#sharedWith[record] === this.#text ? this.#of(record) : 0
    for (let child = firstChild[record]; child < firstChild[record] + childCount[record]; child++)
      best = Math.max(best, this.atOrBelow(child))
    this.#comparedWith[record] = this.#text
    this.#best[record] = best
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
