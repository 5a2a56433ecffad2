/** A second look at the best: how well do the words stand together in one phrase of the record? */
import type { Columns } from '../snapshot/schema.js'
import type { QueryWord } from './query.js'
import { HEAD_FLAG, TERM_MASK } from './ranking.js'
import { selectTop } from './select.js'
import type { Work } from './work.js'

/** What a phrase that is the query, word for word, adds to a record's score. */
const SAME_PHRASE_GAIN = 1.8
/** The share of that gain that words in the query's order bring. */
const ORDER_SHARE = 0.15
/** What is left of that gain where none of the words names the phrase's good. */
const BESIDE_SHARE = 0.5
/** Among equals the broader code comes first, and a line that was asked for by its own words is hardly held back. */
const LEVEL_WEIGHT = [0.7, 0.7, 0.7, 1, 1.2, 1.04, 1.04, 0.99, 0.99, 0.97, 0.97, 0.96, 0.96, 0.95, 0.95]

/** Sort keys have 14 digits; a heading is the first four. */
const HEADING_UNIT = 1e10
const HEADINGS = 10_000
/** Numbers that a term can name a query word by. */
const QUERY_WORD_NUMBERS = 256
const REPEATS_COUNTED_MAX = 6
/** What a record counts after so many others of its heading. */
const REPEAT_WEIGHT = Float64Array.from({ length: REPEATS_COUNTED_MAX + 1 }, (_, repeats) => 0.85 ** repeats)

export class PhraseJudge {
  readonly #phraseOf: Uint32Array
  readonly #phraseAt: Uint32Array
  readonly #phraseTerms: Uint32Array
  readonly #sortKey: Float64Array
  /** Per term of the index, which query word it stands for, counted from 1; 0 for none. */
  readonly #wordOfTerm: Uint8Array
  /** Per query word, the end of the phrase that it was last counted in: no two phrases share it, and it is never 0. */
  readonly #countedIn = new Uint32Array(QUERY_WORD_NUMBERS)
  /** All 0 between two calls. */
  readonly #shownOfHeading = new Uint8Array(HEADINGS)

  readonly #work: Work

  constructor(columns: Columns, vocabularySize: number, work: Work) {
    this.#work = work
    this.#phraseOf = columns.phraseOf
    this.#phraseAt = columns.phraseAt
    this.#phraseTerms = columns.phraseTerms
    this.#sortKey = columns.sortKey
    this.#wordOfTerm = new Uint8Array(vocabularySize)
  }

  /** Puts the first `count` entries of `list` into their final order. */
  reorder(
    list: Uint32Array,
    count: number,
    score: Float32Array,
    source: Uint32Array,
    level: Uint8Array,
    query: QueryWord[],
  ): void {
    query.forEach(({ places }, i) => {
      for (const place of places) this.#wordOfTerm[place] = i + 1
      this.#work.steps += places.length
    })
    for (let i = 0; i < count; i++) {
      const record = list[i] as number
      const own = source[record] as number
      const together = this.#best(own, query.length)
      score[record] =
        (score[record] as number) *
        (1 + SAME_PHRASE_GAIN * together) *
        (LEVEL_WEIGHT[level[own] as number] as number)
    }
    for (const { places } of query) for (const place of places) this.#wordOfTerm[place] = 0
    this.#countedIn.fill(0, 0, query.length + 1)
    selectTop(list, count, count, score)
    this.#spread(list, count, score)
    selectTop(list, count, count, score)
  }

  /** A page of one heading's many lines hides the others: each further record of a heading counts a little less. */
  #spread(list: Uint32Array, count: number, score: Float32Array): void {
    const shown = this.#shownOfHeading
    for (let i = 0; i < count; i++) {
      const record = list[i] as number
      const heading = this.#heading(record)
      const before = shown[heading] as number
      shown[heading] = before + 1
      score[record] =
        (score[record] as number) * (REPEAT_WEIGHT[Math.min(before, REPEATS_COUNTED_MAX)] as number)
    }
    for (let i = 0; i < count; i++) shown[this.#heading(list[i] as number)] = 0
  }

  #heading(record: number): number {
    return Math.floor((this.#sortKey[record] as number) / HEADING_UNIT)
  }

  /** From 0 to 1: the phrase of the record that is most like the query. Most phrases have none of its words. */
  #best(record: number, words: number): number {
    const wordOfTerm = this.#wordOfTerm
    const terms = this.#phraseTerms
    let phrase = this.#phraseOf[record] as number
    const end = this.#phraseAt[this.#phraseOf[record + 1] as number] as number
    let best = 0
    this.#work.steps += end - (this.#phraseAt[phrase] as number)
    for (let i = this.#phraseAt[phrase] as number; i < end; i++) {
      if (wordOfTerm[(terms[i] as number) & TERM_MASK] === 0) continue
      while ((this.#phraseAt[phrase + 1] as number) <= i) phrase++
      const to = this.#phraseAt[phrase + 1] as number
      const likeness = this.#likeness(this.#phraseAt[phrase] as number, to, words)
      if (likeness > best) best = likeness
      i = to - 1
    }
    return best
  }

  /** From 0 to 1: how like the query the phrase of these terms is. */
  #likeness(from: number, to: number, words: number): number {
    const countedIn = this.#countedIn
    let matched = 0
    let hasHead = false
    let inOrder = 0
    let before = 0
    for (let i = from; i < to; i++) {
      const term = this.#phraseTerms[i] as number
      const word = this.#wordOfTerm[term & TERM_MASK] as number
      if (word === 0) {
        before = 0
        continue
      }
      if (countedIn[word] !== to) {
        countedIn[word] = to
        matched++
        if (term >= HEAD_FLAG) hasHead = true
      }
      if (before !== 0 && word === before + 1) inOrder++
      before = word
    }
    const covered = matched / words
    const filled = matched / (to - from)
    const order = words > 1 ? inOrder / (words - 1) : 1
    return (
      covered *
      covered *
      Math.sqrt(filled) *
      (1 - ORDER_SHARE + ORDER_SHARE * order) *
      (hasHead ? 1 : BESIDE_SHARE)
    )
  }
}
