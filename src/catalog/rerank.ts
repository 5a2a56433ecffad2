/** A second look at the best: how well do the words stand together in one phrase of the record? */
import type { Columns } from '../snapshot/schema.js'
import { type Cells, HEADINGS, WORD_TOLD } from './cells.js'
import type { Matches } from './matches.js'
import type { QueryWord } from './query.js'
import { END_FLAG, HEAD_FLAG, TERM_MASK } from './ranking.js'
import type { Work } from './work.js'

/** What a phrase that is the query, word for word, adds to a record's score. */
const SAME_PHRASE_GAIN = 1.8
/** The share of that gain that words in the query's order bring. */
const ORDER_SHARE = 0.4
/** What is left of that gain where none of the words names the phrase's good. */
const BESIDE_SHARE = 0.5
/** Among equals the broader code comes first, and a line that was asked for by its own words is hardly held back. */
const LEVEL_WEIGHT = Float64Array.of(
  ...[0.7, 0.7, 0.7, 1, 1.2, 1.04, 1.04, 0.99, 0.99, 0.97, 0.97, 0.96, 0.96, 0.95, 0.95],
)

/** Numbers that a term can name a query word by. */
const QUERY_WORD_NUMBERS = 256
const NEAR_MASK = 4095
const REPEATS_COUNTED_MAX = 6
/** What a record counts after so many others of its heading. */
const REPEAT_WEIGHT = Float64Array.from({ length: REPEATS_COUNTED_MAX + 1 }, (_, repeats) => 0.85 ** repeats)

export class PhraseJudge {
  readonly #phraseOf: Uint32Array
  readonly #phraseTerms: Uint32Array
  readonly #source: Uint32Array
  readonly #cells: Cells
  /** Per term of the index, which query word it stands for, counted from 1; 0 for none. */
  readonly #wordOfTerm: Uint8Array
  /** The query's terms by their lowest bits: a table that stays in the nearest cache, by which nearly all others are passed by. */
  readonly #near = new Uint8Array(NEAR_MASK + 1)
  /** Per query word, the end of the phrase that it was last counted in: no two phrases share it, and it is never 0. */
  readonly #countedIn = new Uint32Array(QUERY_WORD_NUMBERS)
  /** All 0 between two calls. */
  readonly #shownOfHeading = new Uint8Array(HEADINGS)

  readonly #work: Work

  constructor(columns: Columns, cells: Cells, vocabularySize: number, work: Work) {
    this.#work = work
    this.#phraseOf = columns.phraseOf
    this.#phraseTerms = columns.phraseTerms
    this.#source = columns.source
    this.#cells = cells
    this.#wordOfTerm = new Uint8Array(vocabularySize)
  }

  /**
   * Puts the first `count` of the matches into their final order. Where the cells tell of all the words, the phrases of
   * most records need not be read.
   */
  reorder(list: Matches, count: number, query: readonly QueryWord[], areTold: boolean): void {
    const { records, scores } = list
    this.#mark(query)
    for (let i = 0; i < count; i++) {
      const own = this.#source[records[i] as number] as number
      const told = areTold ? this.#cells.told(own) : 2 * WORD_TOLD
      const together =
        told < 2 * WORD_TOLD ? aloneLikeness(told, query.length) : this.#best(own, query.length)
      scores[i] =
        (scores[i] as number) *
        (1 + SAME_PHRASE_GAIN * together) *
        (LEVEL_WEIGHT[this.#cells.digits(own)] as number)
    }
    this.#unmark(query)
    list.sort(0, count)
    this.#spread(list, count)
    list.sort(0, count)
  }

  #mark(query: readonly QueryWord[]): void {
    for (let i = 0; i < query.length; i++) {
      const { places } = query[i] as QueryWord
      for (let n = 0; n < places.length; n++) {
        const place = places[n] as number
        this.#wordOfTerm[place] = i + 1
        this.#near[place & NEAR_MASK] = 1
      }
      this.#work.steps += places.length
    }
  }

  #unmark(query: readonly QueryWord[]): void {
    for (let i = 0; i < query.length; i++) {
      const { places } = query[i] as QueryWord
      for (let n = 0; n < places.length; n++) {
        const place = places[n] as number
        this.#wordOfTerm[place] = 0
        this.#near[place & NEAR_MASK] = 0
      }
      this.#countedIn[i + 1] = 0
    }
  }

  /** A page of one heading's many lines hides the others: each further record of a heading counts a little less. */
  #spread({ records, scores }: Matches, count: number): void {
    const shown = this.#shownOfHeading
    for (let i = 0; i < count; i++) {
      const heading = this.#cells.heading(records[i] as number)
      const before = shown[heading] as number
      shown[heading] = before + 1
      scores[i] = (scores[i] as number) * (REPEAT_WEIGHT[Math.min(before, REPEATS_COUNTED_MAX)] as number)
    }
    for (let i = 0; i < count; i++) shown[this.#cells.heading(records[i] as number)] = 0
  }

  /** From 0 to 1: the phrase of the record that is most like the query. Most phrases have none of its words. */
  #best(record: number, words: number): number {
    const terms = this.#phraseTerms
    const near = this.#near
    const start = this.#phraseOf[record] as number
    const end = this.#phraseOf[record + 1] as number
    let best = 0
    this.#work.steps += end - start
    for (let i = start; i < end; i++) {
      const term = terms[i] as number
      if (near[term & NEAR_MASK] === 0 || this.#wordOfTerm[term & TERM_MASK] === 0) continue
      let from = i
      while (from > start && ((terms[from - 1] as number) & END_FLAG) === 0) from--
      let last = i
      while (((terms[last] as number) & END_FLAG) === 0) last++
      const likeness = this.#likeness(from, i, last + 1, words)
      if (likeness > best) best = likeness
      i = last
    }
    return best
  }

  /** From 0 to 1: how like the query the phrase of these terms is; before `first` it has none of its words. */
  #likeness(from: number, first: number, to: number, words: number): number {
    const countedIn = this.#countedIn
    let matched = 0
    let hasHead = false
    let inOrder = 0
    let before = 0
    for (let i = first; i < to; i++) {
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
    return likeness(matched, words, to - from, inOrder, hasHead)
  }
}

function likeness(matched: number, words: number, length: number, inOrder: number, hasHead: boolean): number {
  const covered = matched / words
  const filled = matched / length
  const order = words > 1 ? inOrder / (words - 1) : 1
  return (
    covered *
    covered *
    Math.sqrt(filled) *
    (1 - ORDER_SHARE + ORDER_SHARE * order) *
    (hasHead ? 1 : BESIDE_SHARE)
  )
}

/** The same for a record whose phrases have one word of the query or none, from what its cell tells of that word. */
function aloneLikeness(told: number, words: number): number {
  if (told === 0) return 0
  const alone = told - WORD_TOLD
  return likeness(1, words, alone >> 1, 0, (alone & 1) === 1)
}
