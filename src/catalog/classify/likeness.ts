/**
 * Measures how similar a text is to a record, by the record's most similar phrase. Of the terms that the
 * phrase and the text share, rarer ones count more.
 */
import type { Columns } from '../../snapshot/schema.js'
import { Postings } from '../search/postings.js'
import type { Model } from './model.js'

/** Rarity of a term that is too common for the model to keep. */
const COMMON_TERM = 0.2
/**
 * A phrase counts less if it lacks the noun that names the goods (the phrase "paint" for the text "paint mixer"), or contains
 * that noun but names other goods ("mixer tap").
 */
const WITHOUT_HEAD = 0.5
const WITH_OTHER_HEAD = 0.75

type LikenessColumns = Pick<
  Columns,
  | 'phrasesAt'
  | 'phraseTermsAt'
  | 'phraseLength'
  | 'phraseHead'
  | 'phraseTerm'
  | 'postingsAt'
  | 'postings'
  | 'firstChild'
  | 'childCount'
  | 'level'
>

/** Data that is the same for every text. */
export class PhraseRarity {
  readonly postings: Postings
  /** The rarity of each term. */
  readonly rarity: Float64Array
  constructor(
    readonly columns: LikenessColumns,
    private readonly model: Model,
    termCount: number,
    classCount: number,
  ) {
    this.postings = new Postings(columns)
    this.rarity = Float64Array.from({ length: termCount }, (_, term) => {
      const classes = model.classCount(term)
      return classes === 0 ? COMMON_TERM : COMMON_TERM + Math.log(classCount / classes)
    })
  }

  isCommon(term: number): boolean {
    return this.model.classCount(term) === 0
  }
}

/** Compares one text with records. */
export class Likeness {
  /** By term: 1 if the text has the term. */
  readonly #isInText: Uint8Array
  /** By record: 1 if it shares a term with the text. Common terms count only if the text has no others. */
  readonly #sharesTerm: Uint8Array
  /** Sum of the rarities of the text's terms. */
  readonly #total: number
  /** Cached results of records that have other records below them. */
  readonly #best = new Map<number, number>()

  constructor(
    private readonly phrases: PhraseRarity,
    terms: readonly number[],
    /** The term that names the goods, or -1. */
    private readonly head: number,
  ) {
    const { columns, rarity, postings } = phrases
    const isInText = new Uint8Array(rarity.length)
    const sharesTerm = new Uint8Array(columns.level.length)
    const mark = (record: number) => {
      sharesTerm[record] = 1
    }
    let total = 0
    const areAllCommon = terms.every(term => phrases.isCommon(term))
    for (const term of new Set(terms)) {
      isInText[term] = 1
      total += rarity[term]
      if (areAllCommon || !phrases.isCommon(term)) postings.walk([term], postings.count(term), mark)
    }
    this.#isInText = isInText
    this.#sharesTerm = sharesTerm
    this.#total = total
  }

  /** The best likeness of a record and of all records below it, 0 to 1. */
  atOrBelow(record: number): number {
    const { firstChild, childCount } = this.phrases.columns
    if (childCount[record] === 0) return this.#of(record)
    const known = this.#best.get(record)
    if (known !== undefined) return known
    const end = firstChild[record] + childCount[record]
    let best = this.#of(record)
    for (let child = firstChild[record]; child < end; child++) best = Math.max(best, this.atOrBelow(child))
    this.#best.set(record, best)
    return best
  }

  /** The share of the text's terms, weighted by rarity, that the phrases of a record contain together. */
  coverage(record: number): number {
    if (this.#sharesTerm[record] === 0) return 0
    const { columns, rarity } = this.phrases
    const { phraseTermsAt, phraseTerm } = columns
    const found = new Set<number>()
    for (let n = phraseTermsAt[record]; n < phraseTermsAt[record + 1]; n++)
      if (this.#isInText[phraseTerm[n]] === 1) found.add(phraseTerm[n])
    let sum = 0
    for (const term of found) sum += rarity[term]
    return sum / this.#total
  }

  /** The share of the record's best phrase that the text contains, reduced if the shared terms are a small part of the text. */
  #of(record: number): number {
    if (this.#sharesTerm[record] === 0) return 0
    const { columns, rarity } = this.phrases
    const { phrasesAt, phraseTermsAt, phraseLength, phraseHead, phraseTerm } = columns
    const { head } = this
    const isInText = this.#isInText
    let best = 0
    let from = phraseTermsAt[record]
    for (let phrase = phrasesAt[record]; phrase < phrasesAt[record + 1]; phrase++) {
      const end = from + phraseLength[phrase]
      let shared = 0
      let hasHead = head < 0
      for (let n = from; n < end; n++) {
        const term = phraseTerm[n]
        if (isInText[term] === 1) shared += rarity[term]
        if (term === head) hasHead = true
      }
      if (shared > 0) {
        const isSameHead = head < 0 || phraseTerm[from + phraseHead[phrase]] === head
        const factor = isSameHead ? 1 : hasHead ? WITH_OTHER_HEAD : WITHOUT_HEAD
        best = Math.max(best, factor * (shared / this.#rarityOf(from, end)) * Math.sqrt(shared / this.#total))
      }
      from = end
    }
    return best
  }

  #rarityOf(from: number, end: number): number {
    const { columns, rarity } = this.phrases
    let sum = 0
    for (let n = from; n < end; n++) sum += rarity[columns.phraseTerm[n]]
    return sum
  }
}
