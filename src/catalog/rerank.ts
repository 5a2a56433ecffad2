/** A second look at the best: how well do the words stand together in one phrase of the record? */
import type { Columns } from '../snapshot/schema.js'
import { HEADINGS, type Homes } from './homes.js'
import type { Matches } from './matches.js'
import type { QueryWord } from './query.js'
import {
  ARABIC_FROM,
  aloneWorth,
  BESIDE_SHARE,
  PHRASE_BITS,
  PHRASE_TERMS_MAX,
  SAID_TERM_BITS,
  SAID_TERM_MASK,
  TERM_MASK,
} from './ranking.js'
import type { Vocabulary } from './vocabulary.js'
import type { Work } from './work.js'

/** What a phrase that is the query, word for word, adds to a record's score. */
const SAME_PHRASE_GAIN = 1.8
/** The share of that gain that words in the query's order bring. */
const ORDER_SHARE = 0.4
/** Among equals the broader code comes first, and a line that was asked for by its own words is hardly held back. */
const LEVEL_WEIGHT = Float64Array.of(
  ...[0.7, 0.7, 0.7, 1, 1.2, 1.04, 1.04, 0.99, 0.99, 0.97, 0.97, 0.96, 0.96, 0.95, 0.95],
)

/** Numbers that a term can name a query word by. */
const QUERY_WORD_NUMBERS = 256
const NEAR_MASK = 4095
const INVERSE = Float64Array.from({ length: PHRASE_TERMS_MAX + 1 }, (_, length) => 1 / length)
const REPEATS_COUNTED_MAX = 6
/** What a record counts after so many others of its heading. */
const REPEAT_WEIGHT = Float64Array.from({ length: REPEATS_COUNTED_MAX + 1 }, (_, repeats) => 0.85 ** repeats)

/** By how a term stands in a phrase. */
const ALONE_WORTH = Float64Array.from({ length: 256 }, (_, alone) => (alone > 1 ? aloneWorth(alone) : 0))

export class PhraseJudge {
  readonly #phraseFrom: Uint32Array
  readonly #phraseAt: Uint32Array
  /** Signed, so that the flag of what names a good is the sign and V8 keeps whole numbers. */
  readonly #phraseTerms: Int32Array
  readonly #saidAt: Uint32Array
  readonly #saidArabicAt: Uint32Array
  readonly #said: Int32Array
  readonly #saidIn: Int32Array
  /** Terms from this place on are Arabic. */
  readonly #arabicFrom: number
  /** Whether the query at hand has words in Latin, or in Arabic letters. */
  #hasLatin = false
  #hasArabic = false
  /** … and how many terms stand for them. */
  #placeCount = 0
  readonly #source: Uint32Array
  readonly #level: Uint8Array
  readonly #homes: Homes
  /** Per term of the index, which query word it stands for, counted from 1; 0 for none. */
  readonly #wordOfTerm: Uint8Array
  /** The query's terms by their lowest bits: a table that stays in the nearest cache, by which nearly all others are passed by. */
  readonly #near = new Uint8Array(NEAR_MASK + 1)
  /** Per query word, the phrases of the record at hand that have it; all 0 between two records. */
  readonly #phrasesWith = new Int32Array(QUERY_WORD_NUMBERS)
  /** … and the phrase that it was last counted in, counted from 1; all 0 between two queries. */
  readonly #countedIn = new Uint32Array(QUERY_WORD_NUMBERS)
  /** All 0 between two calls. */
  readonly #shownOfHeading = new Uint8Array(HEADINGS)

  readonly #work: Work

  constructor(columns: Columns, homes: Homes, vocabulary: Vocabulary, work: Work) {
    this.#work = work
    this.#phraseFrom = columns.phraseFrom
    this.#phraseAt = columns.phraseAt
    this.#saidAt = columns.saidAt
    this.#saidArabicAt = columns.saidArabicAt
    this.#said = columns.said
    this.#saidIn = columns.saidIn
    this.#arabicFrom = vocabulary.from(ARABIC_FROM)
    const { buffer, byteOffset, length } = columns.phraseTerms
    this.#phraseTerms = new Int32Array(buffer, byteOffset, length)
    this.#source = columns.source
    this.#level = columns.level
    this.#homes = homes
    this.#wordOfTerm = new Uint8Array(vocabulary.size)
  }

  /** Puts the first `count` of the matches into their final order. */
  reorder(list: Matches, count: number, query: readonly QueryWord[]): void {
    const { records, scores } = list
    this.#mark(query)
    for (let i = 0; i < count; i++) {
      const own = this.#source[records[i] as number] as number
      const together = this.#likeness(own, query.length)
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
    this.#placeCount = 0
    for (let i = 0; i < query.length; i++) {
      const { places } = query[i] as QueryWord
      for (let n = 0; n < places.length; n++) {
        const place = places[n] as number
        if (place < this.#arabicFrom) this.#hasLatin = true
        else this.#hasArabic = true
        this.#wordOfTerm[place] = i + 1
        this.#near[place & NEAR_MASK] = 1
      }
      this.#placeCount += places.length
    }
    this.#work.steps += this.#placeCount
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
   * are compared, so that a root is taken once. What a phrase with one word of the query is worth was worked out by the build; only
   * those that have several are read.
   */
  #likeness(record: number, words: number): number {
    const said = this.#said
    const near = this.#near
    const phrasesWith = this.#phrasesWith
    const start = (this.#hasLatin ? this.#saidAt[record] : this.#saidArabicAt[record]) as number
    const end = (this.#hasArabic ? this.#saidAt[record + 1] : this.#saidArabicAt[record]) as number
    const inTurn = words > 1 ? 1 - ORDER_SHARE : 1
    let best = 0
    let once = 0
    let twice = 0
    let left = this.#placeCount
    for (let i = start; i < end && left > 0; i++) {
      const one = said[i] as number
      if (near[one & NEAR_MASK] === 0) continue
      const word = this.#wordOfTerm[one & SAID_TERM_MASK] as number
      if (word === 0) continue
      left--
      const alone = ALONE_WORTH[one >>> SAID_TERM_BITS] as number
      if (alone > best) best = alone
      const more = (this.#saidIn[i] as number) & ~(phrasesWith[word] as number)
      phrasesWith[word] = (phrasesWith[word] as number) | more
      twice |= once & more
      once |= more
    }
    for (let word = 1; word <= words; word++) phrasesWith[word] = 0
    this.#work.steps += end - start
    best *= inTurn * inTurn
    if (twice !== 0) best = this.#together(record, twice, words, best)
    return Math.sqrt(best) / (words * words)
  }

  /** The most that a phrase comes to that is among the bits, which tell all that have several words; `least` if none has more. */
  #together(record: number, bits: number, words: number, least: number): number {
    const phraseAt = this.#phraseAt
    const from = this.#phraseFrom[record] as number
    const to = this.#phraseFrom[record + 1] as number
    const most = words * words * words * words * words
    let best = least
    for (let first = from; first < to; first += PHRASE_BITS) {
      for (let rest = bits; rest !== 0; rest &= rest - 1) {
        const phrase = first + 31 - Math.clz32(rest & -rest)
        if (phrase >= to) break
        const start = phraseAt[phrase] as number
        const end = phraseAt[phrase + 1] as number
        const share = INVERSE[Math.min(end - start, PHRASE_TERMS_MAX)] as number
        // those that follow are as long or longer
        if (most * share <= best) return best
        const worth = this.#worth(phrase, start, end, words)
        if (worth * share > best) best = worth * share
      }
    }
    return best
  }

  /** What the words in a phrase are worth, whatever its length. */
  #worth(phrase: number, start: number, end: number, words: number): number {
    const terms = this.#phraseTerms
    const near = this.#near
    const countedIn = this.#countedIn
    const mark = phrase + 1
    let matched = 0
    let hasHead = false
    let inOrder = 0
    let before = 0
    for (let i = start; i < end; i++) {
      const term = terms[i] as number
      const word = near[term & NEAR_MASK] === 0 ? 0 : (this.#wordOfTerm[term & TERM_MASK] as number)
      if (word !== 0) {
        if (term < 0) hasHead = true
        if (countedIn[word] !== mark) {
          countedIn[word] = mark
          matched++
        }
      }
      if (before !== 0 && word === before + 1) inOrder++
      before = word
    }
    this.#work.steps += end - start
    const order = words > 1 ? 1 - ORDER_SHARE * (1 - Math.min(1, inOrder / (words - 1))) : 1
    const worth = matched * matched * order * (hasHead ? 1 : BESIDE_SHARE)
    return worth * worth * matched
  }
}
