/** A second look at the best: how well do the words stand together in one phrase of the record? */
import type { Columns } from '../snapshot/schema.js'
import { HEADINGS, type Homes } from './homes.js'
import type { Matches } from './matches.js'
import type { QueryWord } from './query.js'
import { ALONE_UNTOLD, ARABIC_FROM, END_FLAG, TERM_MASK } from './ranking.js'
import type { Vocabulary } from './vocabulary.js'
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
/** Longer phrases count as ones of so many terms. */
const PHRASE_TERMS_MAX = 255
const INVERSE = Float64Array.from({ length: PHRASE_TERMS_MAX + 1 }, (_, length) => 1 / length)
const REPEATS_COUNTED_MAX = 6
/** What a record counts after so many others of its heading. */
const REPEAT_WEIGHT = Float64Array.from({ length: REPEATS_COUNTED_MAX + 1 }, (_, repeats) => 0.85 ** repeats)

/** What is known of the matches of the query at hand. */
export interface Standings {
  /** How the one word of the query that is among a record's own stands in its phrases; 0 in none, ALONE_UNTOLD if there are more. */
  alone(record: number): number
}

export class PhraseJudge {
  readonly #phraseOf: Uint32Array
  readonly #phraseOfBoth: Uint32Array
  readonly #phraseOfArabic: Uint32Array
  /** Terms from this place on are Arabic. */
  readonly #arabicFrom: number
  /** Whether the query at hand has words in Latin, or in Arabic letters. */
  #hasLatin = false
  #hasArabic = false
  /** Signed, so that the flag of what names a good is the sign and V8 keeps whole numbers. */
  readonly #phraseTerms: Int32Array
  readonly #source: Uint32Array
  readonly #level: Uint8Array
  readonly #homes: Homes
  readonly #standings: Standings
  /** Per term of the index, which query word it stands for, counted from 1; 0 for none. */
  readonly #wordOfTerm: Uint8Array
  /** The query's terms by their lowest bits: a table that stays in the nearest cache, by which nearly all others are passed by. */
  readonly #near = new Uint8Array(NEAR_MASK + 1)
  /** Per query word, where the phrase begins to speak of the query that it was last counted in, counted from 1. */
  readonly #countedIn = new Uint32Array(QUERY_WORD_NUMBERS)
  /** All 0 between two calls. */
  readonly #shownOfHeading = new Uint8Array(HEADINGS)

  readonly #work: Work

  constructor(columns: Columns, homes: Homes, standings: Standings, vocabulary: Vocabulary, work: Work) {
    this.#work = work
    this.#phraseOf = columns.phraseOf
    this.#phraseOfBoth = columns.phraseOfBoth
    this.#phraseOfArabic = columns.phraseOfArabic
    this.#arabicFrom = vocabulary.from(ARABIC_FROM)
    const { buffer, byteOffset, length } = columns.phraseTerms
    this.#phraseTerms = new Int32Array(buffer, byteOffset, length)
    this.#source = columns.source
    this.#level = columns.level
    this.#homes = homes
    this.#standings = standings
    this.#wordOfTerm = new Uint8Array(vocabulary.size)
  }

  /**
   * Puts the first `count` of the matches into their final order. The phrases of one that has a single word of the query need
   * not be read.
   */
  reorder(list: Matches, count: number, query: readonly QueryWord[]): void {
    const { records, scores } = list
    this.#mark(query)
    for (let i = 0; i < count; i++) {
      const own = this.#source[records[i] as number] as number
      const alone = this.#standings.alone(own)
      const together =
        alone === ALONE_UNTOLD ? this.#best(own, query.length) : aloneLikeness(alone, query.length)
      scores[i] =
        (scores[i] as number) *
        (1 + SAME_PHRASE_GAIN * together) *
        (LEVEL_WEIGHT[this.#level[own] as number] as number)
    }
    this.#unmark(query)
    list.sort(0, count)
    this.#spread(list, count)
    list.sort(0, count)
  }

  #mark(query: readonly QueryWord[]): void {
    this.#hasLatin = false
    this.#hasArabic = false
    for (let i = 0; i < query.length; i++) {
      const { places } = query[i] as QueryWord
      for (let n = 0; n < places.length; n++) {
        const place = places[n] as number
        if (place < this.#arabicFrom) this.#hasLatin = true
        else this.#hasArabic = true
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
      const heading = this.#homes.heading(records[i] as number)
      const before = shown[heading] as number
      shown[heading] = before + 1
      scores[i] = (scores[i] as number) * (REPEAT_WEIGHT[Math.min(before, REPEATS_COUNTED_MAX)] as number)
    }
    for (let i = 0; i < count; i++) shown[this.#homes.heading(records[i] as number)] = 0
  }

  /**
   * From 0 to 1: the phrase of the record that is most like the query. How like it is: by the square of the share of the
   * query that it has, the root of the share of it that is in the query, their order, and whether it is about that good. Squares
   * are compared, so that a root is taken once. Most phrases have no word of the query.
   */
  #best(record: number, words: number): number {
    const terms = this.#phraseTerms
    const near = this.#near
    const wordOfTerm = this.#wordOfTerm
    const countedIn = this.#countedIn
    const start = (this.#hasLatin ? this.#phraseOf[record] : this.#phraseOfBoth[record]) as number
    const end = (this.#hasArabic ? this.#phraseOf[record + 1] : this.#phraseOfArabic[record]) as number
    const inTurn = words > 1 ? 1 - ORDER_SHARE : 1
    const eachInOrder = words > 1 ? ORDER_SHARE / (words - 1) : 0
    let best = 0
    this.#work.steps += end - start
    for (let i = start; i < end; i++) {
      const first = terms[i] as number
      if (near[first & NEAR_MASK] === 0 || wordOfTerm[first & TERM_MASK] === 0) continue
      let from = i
      while (from > start && ((terms[from - 1] as number) & END_FLAG) === 0) from--
      let matched = 0
      let hasHead = false
      let inOrder = 0
      let before = 0
      const mark = i + 1
      for (; ; i++) {
        const term = terms[i] as number
        const word = near[term & NEAR_MASK] === 0 ? 0 : (wordOfTerm[term & TERM_MASK] as number)
        if (word !== 0 && countedIn[word] !== mark) {
          countedIn[word] = mark
          matched++
          if (term < 0) hasHead = true
        }
        if (before !== 0 && word === before + 1) inOrder++
        before = word
        if ((term & END_FLAG) !== 0) break
      }
      const worth = matched * matched * (inTurn + inOrder * eachInOrder) * (hasHead ? 1 : BESIDE_SHARE)
      const squared = worth * worth * matched * (INVERSE[Math.min(i + 1 - from, PHRASE_TERMS_MAX)] as number)
      if (squared > best) best = squared
    }
    return Math.sqrt(best) / (words * words)
  }
}

/** The same for a record whose phrases have one word of the query or none, from how that word stands. */
function aloneLikeness(alone: number, words: number): number {
  if (alone === 0) return 0
  const worth = (words > 1 ? 1 - ORDER_SHARE : 1) * ((alone & 1) === 1 ? 1 : BESIDE_SHARE)
  return (worth * Math.sqrt(INVERSE[alone >> 1] as number)) / (words * words)
}
