/** The results of one query. The stages change their scores; this file sorts them. */
import type { QueryWord } from './find-terms.js'
import { highestScore, selectFirst, sortPart } from './order.js'
import { FIRST_SUGGESTION, JUDGED_MAX } from './weights.js'

/** The words of a query and the records that contain them. Arrays are indexed by record, and the next query reuses them. */
export interface Findings {
  readonly words: readonly QueryWord[]
  /** The score without heading evidence. */
  readonly ownScore: ArrayLike<number>
  /** Bit set of the query words that a record contains; 0 if it has none. */
  readonly wordsIn: ArrayLike<number>
}

/** The records with all words of a query, or those with some. They are ordered only as far as a page needs. */
export class Tier {
  readonly #records: number[]
  readonly #score: Float64Array
  /** This many records come first, even if others have higher scores. */
  #firstCount = 0

  constructor(records: number[], score: Float64Array) {
    this.#records = records
    this.#score = score
  }

  get size(): number {
    return this.#records.length
  }

  get records(): readonly number[] {
    return this.#records
  }

  get first(): number[] {
    return this.#records.slice(0, this.#firstCount)
  }

  /** Reorders some or all of the first records. */
  set first(ordered: readonly number[]) {
    for (let i = 0; i < ordered.length; i++) this.#records[i] = ordered[i]
  }

  /** Moves `count` records to the front, unordered: the best `byScore` by score, then the best of the others by `measure`. */
  chooseFirst(count: number, byScore = count, measure: ArrayLike<number> = this.#score): void {
    selectFirst(this.#records, this.#score, byScore)
    if (count > byScore) selectFirst(this.#records, measure, count, byScore)
    this.#firstCount = Math.min(count, this.size)
  }

  /** Extends the first records to this number, or to all records if there are fewer, by sorting more of them. */
  extendFirst(count: number): void {
    const end = Math.min(count, this.size)
    if (end <= this.#firstCount) return
    this.#sort(this.#firstCount, end)
    this.#firstCount = end
  }

  /** Appends the records in `[from, to)`, which may extend beyond the tier. */
  appendTo(page: number[], from: number, to: number): void {
    const end = Math.min(to, this.size)
    this.#sort(Math.max(from, this.#firstCount), end)
    for (let i = Math.max(0, from); i < end; i++) page.push(this.#records[i])
  }

  #sort(from: number, end: number): void {
    if (from >= end) return
    selectFirst(this.#records, this.#score, from, this.#firstCount)
    selectFirst(this.#records, this.#score, end, from)
    sortPart(this.#records, this.#score, from, end)
  }
}

export class Ranking {
  /** Records with every word of the query, and records with some. */
  readonly full: Tier
  readonly partial: Tier

  constructor(
    readonly findings: Findings,
    /** Score by record. Several stages write to this array, and the next query reuses it. */
    readonly score: Float64Array,
    full: number[],
    partial: number[],
  ) {
    this.full = new Tier(full, score)
    this.partial = new Tier(partial, score)
  }

  get tiers(): readonly Tier[] {
    return [this.full, this.partial]
  }

  get total(): number {
    return this.full.size + this.partial.size
  }

  /** A ranking of the accepted records only. Must be called before the records are sorted. */
  restrictedTo(accepts: (record: number) => boolean): Ranking {
    const { findings, full, partial, score } = this
    return new Ranking(findings, score, full.records.filter(accepts), partial.records.filter(accepts))
  }

  /** Puts a record before all others. */
  withFirst(record: number): Ranking {
    const { findings, full, partial, score } = this
    const best = highestScore(full.records, score) || highestScore(partial.records, score)
    const isOther = (other: number) => other !== record
    score[record] = best * FIRST_SUGGESTION
    const ranking = new Ranking(findings, score, [record, ...full.records.filter(isOther)], partial.records.filter(isOther))
    ranking.full.chooseFirst(JUDGED_MAX)
    return ranking
  }

  page(offset: number, limit: number): number[] {
    const page: number[] = []
    this.full.appendTo(page, offset, offset + limit)
    this.partial.appendTo(page, offset - this.full.size, offset + limit - this.full.size)
    return page
  }
}
