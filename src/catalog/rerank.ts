/** A second look at the best: how well do the words stand together in one phrase of the record? */
import type { Columns } from '../snapshot/schema.js'
import {
  aloneWorth,
  BESIDE_SHARE,
  DOSSIER,
  DOSSIER_AHEAD,
  PHRASE_BITS,
  PHRASE_TERMS_MAX,
  SAID_TERM_BITS,
  SAID_TERM_MASK,
  TERM_MASK,
} from './dossier.js'
import { HEADINGS, type Homes } from './homes.js'
import type { Matches } from './matches.js'
import type { QueryWord } from './query.js'
import { ARABIC_FROM } from './ranking.js'
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
/** Numbers in a line of the processor's cache. */
const LINE = 16
/** The two dossiers of a record. */
const SCRIPTS = 2
const LATIN = 0
const ARABIC = 1
const INVERSE = Float64Array.from({ length: PHRASE_TERMS_MAX + 1 }, (_, length) => 1 / length)
const REPEATS_COUNTED_MAX = 6
/** What a record counts after so many others of its heading. */
const REPEAT_WEIGHT = Float64Array.from({ length: REPEATS_COUNTED_MAX + 1 }, (_, repeats) => 0.85 ** repeats)

/** By how a term stands in a phrase. */
const ALONE_WORTH = Float64Array.from({ length: 256 }, (_, alone) => (alone > 1 ? aloneWorth(alone) : 0))

export class PhraseJudge {
  readonly #dossierAt: Uint32Array
  /** Signed, so that the flag of what names a good is the sign and V8 keeps whole numbers. */
  readonly #dossiers: Int32Array
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
  /** … and where the phrase begins that it was last counted in; all 0 between two queries. */
  readonly #countedIn = new Uint32Array(QUERY_WORD_NUMBERS)
  /** All 0 between two calls. */
  readonly #shownOfHeading = new Uint8Array(HEADINGS)

  readonly #work: Work

  constructor(columns: Columns, homes: Homes, vocabulary: Vocabulary, work: Work) {
    this.#work = work
    this.#dossierAt = columns.dossierAt
    this.#dossiers = columns.dossiers
    this.#arabicFrom = vocabulary.from(ARABIC_FROM)
    this.#source = columns.source
    this.#level = columns.level
    this.#homes = homes
    this.#wordOfTerm = new Uint8Array(vocabulary.size)
  }

  /** Puts the first `count` of the matches into their final order. */
  reorder(list: Matches, count: number, query: readonly QueryWord[]): void {
    const { records, scores } = list
    this.#mark(query)
    if (this.#hasLatin) this.#fetch(records, count, LATIN)
    if (this.#hasArabic) this.#fetch(records, count, ARABIC)
    for (let i = 0; i < count; i++) {
      const own = this.#source[records[i] as number] as number
      let together = this.#hasLatin ? this.#likeness(own * SCRIPTS + LATIN, query.length) : 0
      if (this.#hasArabic) together = Math.max(together, this.#likeness(own * SCRIPTS + ARABIC, query.length))
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

  /**
   * Asks for the memory of all dossiers before any is read: the processor waits for many places at once, but not while it has
   * to find out which of the terms are asked for.
   */
  #fetch(records: Uint32Array, count: number, script: number): void {
    const dossiers = this.#dossiers
    let sum = 0
    for (let i = 0; i < count; i++) {
      const base = this.#dossierAt[
        (this.#source[records[i] as number] as number) * SCRIPTS + script
      ] as number
      for (let line = 0; line < DOSSIER_AHEAD; line += LINE)
        sum = (sum + (dossiers[base + line] as number)) | 0
    }
    this.#work.fetched = sum
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
   * From 0 to 1: the phrase of a dossier that is most like the query. How like it is: by the square of the share of the
   * query that it has, the root of the share of it that is in the query, their order, and whether it is about that good. Squares
   * are compared, so that a root is taken once. What a phrase with one word of the query is worth was worked out by the build; only
   * those that have several are read.
   */
  #likeness(dossier: number, words: number): number {
    const dossiers = this.#dossiers
    const near = this.#near
    const phrasesWith = this.#phrasesWith
    const base = this.#dossierAt[dossier] as number
    if (base === this.#dossierAt[dossier + 1]) return 0
    const terms = dossiers[base + DOSSIER.terms] as number
    const start = base + DOSSIER.first
    const end = start + terms
    const inTurn = words > 1 ? 1 - ORDER_SHARE : 1
    let best = 0
    let once = 0
    let twice = 0
    let left = this.#placeCount
    for (let i = start; i < end && left > 0; i++) {
      const one = dossiers[i] as number
      if (near[one & NEAR_MASK] === 0) continue
      const word = this.#wordOfTerm[one & SAID_TERM_MASK] as number
      if (word === 0) continue
      left--
      const alone = ALONE_WORTH[one >>> SAID_TERM_BITS] as number
      if (alone > best) best = alone
      const more = (dossiers[i + terms] as number) & ~(phrasesWith[word] as number)
      phrasesWith[word] = (phrasesWith[word] as number) | more
      twice |= once & more
      once |= more
    }
    for (let word = 1; word <= words; word++) phrasesWith[word] = 0
    this.#work.steps += terms
    best *= inTurn * inTurn
    if (twice !== 0) best = this.#together(base, twice, words, best)
    return Math.sqrt(best) / (words * words)
  }

  /** The most that a phrase comes to that is among the bits, which tell all that have several words; `least` if none has more. */
  #together(base: number, bits: number, words: number, least: number): number {
    const dossiers = this.#dossiers
    const from = base + DOSSIER.first + 2 * (dossiers[base + DOSSIER.terms] as number)
    const to = from + (dossiers[base + DOSSIER.phrases] as number)
    const most = words * words * words * words * words
    let best = least
    for (let first = from; first < to; first += PHRASE_BITS) {
      for (let rest = bits; rest !== 0; rest &= rest - 1) {
        const phrase = first + 31 - Math.clz32(rest & -rest)
        if (phrase >= to) break
        const start = base + (dossiers[phrase] as number)
        const end = base + (dossiers[phrase + 1] as number)
        const share = INVERSE[Math.min(end - start, PHRASE_TERMS_MAX)] as number
        // those that follow are as long or longer
        if (most * share <= best) return best
        const worth = this.#worth(start, end, words)
        if (worth * share > best) best = worth * share
      }
    }
    return best
  }

  /** What the words in a phrase are worth, whatever its length. */
  #worth(start: number, end: number, words: number): number {
    const dossiers = this.#dossiers
    const near = this.#near
    const countedIn = this.#countedIn
    // no other phrase of any record begins there
    const mark = start
    let matched = 0
    let hasHead = false
    let inOrder = 0
    let before = 0
    for (let i = start; i < end; i++) {
      const term = dossiers[i] as number
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
