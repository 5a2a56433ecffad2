/** A second look at the best: how well do the words stand together in one phrase of the record? */
import type { Columns } from '../snapshot/schema.js'
import {
  aloneWorth,
  BESIDE_SHARE,
  DOSSIER_AHEAD,
  PHRASE_BITS,
  PHRASE_TERMS_MAX,
  PHRASES_MASK,
  TERM_MASK,
} from './dossier.js'
import { HEADINGS, type Homes } from './homes.js'
import { firstNotBelow } from './in-order.js'
import type { Matches } from './matches.js'
import type { QueryWord } from './query.js'
import { PHRASE_SLOTS, SLOTS } from './ranking.js'
import type { Work } from './work.js'

/** V8 takes what another module exports out of a cell at every use; what loops use is known here. */
const phraseBits = PHRASE_BITS
const phrasesMask = PHRASES_MASK
const termMask = TERM_MASK
const besideShare = BESIDE_SHARE
const dossierAhead = DOSSIER_AHEAD
const phraseTermsMax = PHRASE_TERMS_MAX

/** What a phrase that is the query, word for word, adds to a record's score. */
const SAME_PHRASE_GAIN = 1.8
/** The share of that gain that words in the query's order bring. */
const ORDER_SHARE = 0.4
/** Among equals the broader code comes first, and a line that was asked for by its own words is hardly held back. */
const LEVEL_WEIGHT = Float64Array.of(
  ...[0.7, 0.7, 0.7, 1, 1.2, 1.04, 1.04, 0.99, 0.99, 0.97, 0.97, 0.96, 0.96, 0.95, 0.95],
)

/** Numbers in a line of the processor's cache. */
const LINE = 16
/** At least as many as are judged at once. */
const JUDGED_ROOM = 64
/** A term's postings are gone through for the few that are judged; in longer lists each of these is looked for. */
const WALKED_MAX = 2_048
const INVERSE = Float64Array.from({ length: PHRASE_TERMS_MAX + 1 }, (_, length) => 1 / length)
const REPEATS_COUNTED_MAX = 6
/** What a record counts after so many others of its heading. */
const REPEAT_WEIGHT = Float64Array.from({ length: REPEATS_COUNTED_MAX + 1 }, (_, repeats) => 0.85 ** repeats)

/** All that a term standing alone in a phrase may be worth, squared, ascending: the first where there is none … */
const WORTH_OF_RANK = [...new Set(Array.from({ length: 256 }, (_, alone) => worthOf(alone)))].sort(
  (a, b) => a - b,
)
/** … and the rank of what it is worth by how it stands. */
const ALONE_RANK = Uint8Array.from({ length: 256 }, (_, alone) => WORTH_OF_RANK.indexOf(worthOf(alone)))

function worthOf(alone: number): number {
  return alone > 1 ? aloneWorth(alone) : 0
}

export class PhraseJudge {
  readonly #postingsAt: Uint32Array
  readonly #postings: Uint32Array
  readonly #saidAt: Uint32Array
  readonly #said: Int32Array
  readonly #dossierAt: Uint32Array
  /** Signed, so that the flag of what names a good is the sign and V8 keeps whole numbers. */
  readonly #dossiers: Int32Array
  readonly #source: Uint32Array
  readonly #level: Uint8Array
  readonly #headings: Uint16Array
  /** Per term of the index, which query word it stands for, counted from 1; 0 for none. */
  readonly #wordOfTerm: Uint8Array
  /** Those that are judged: the records whose words they have. */
  readonly #judged = new Uint32Array(JUDGED_ROOM)
  /** Per record, its place among those that are judged, counted from 1; all 0 between two calls. */
  readonly #placeOf: Uint8Array
  /** By that place: the rank of how a word stands in the most telling phrase with one … */
  readonly #alone = new Int32Array(JUDGED_ROOM + 1)
  /** … and its phrases that have the word at hand, one word so far, and several, as bits. */
  readonly #having = new Int32Array(JUDGED_ROOM + 1)
  readonly #once = new Int32Array(JUDGED_ROOM + 1)
  readonly #twice = new Int32Array(JUDGED_ROOM + 1)
  /** All 0 between two calls. */
  readonly #shownOfHeading = new Uint8Array(HEADINGS)

  readonly #work: Work

  constructor(columns: Columns, homes: Homes, terms: number, work: Work) {
    this.#work = work
    this.#postingsAt = columns.postingsAt
    this.#postings = columns.postings
    this.#saidAt = columns.saidAt
    this.#said = columns.said
    this.#dossierAt = columns.dossierAt
    this.#dossiers = columns.dossiers
    this.#source = columns.source
    this.#level = columns.level
    this.#headings = homes.headings
    this.#wordOfTerm = new Uint8Array(terms)
    this.#placeOf = new Uint8Array(columns.source.length)
  }

  /** Puts the first `count` of the matches, `JUDGED_ROOM` at most, into their final order. */
  reorder(list: Matches, count: number, query: readonly QueryWord[]): void {
    const judged = this.#judged
    this.#mark(query)
    for (let i = 0; i < count; i++) judged[i] = this.#source[list.record(i)] as number
    this.#hear(count, query)
    this.#fetch(count)
    for (let i = 0; i < count; i++) {
      const own = judged[i] as number
      const score =
        list.score(i) *
        (1 + SAME_PHRASE_GAIN * this.#likeness(own, i + 1, query.length)) *
        (LEVEL_WEIGHT[this.#level[own] as number] as number)
      list.set(i, list.record(i), score)
    }
    this.#unmark(query)
    list.sort(0, count)
    this.#spread(list, count)
    list.sort(0, count)
  }

  #mark(query: readonly QueryWord[]): void {
    for (let i = 0; i < query.length; i++) {
      const { places } = query[i] as QueryWord
      for (let n = 0; n < places.length; n++) this.#wordOfTerm[places[n] as number] = i + 1
      this.#work.steps += places.length
    }
  }

  #unmark(query: readonly QueryWord[]): void {
    for (let i = 0; i < query.length; i++) {
      const { places } = query[i] as QueryWord
      for (let n = 0; n < places.length; n++) this.#wordOfTerm[places[n] as number] = 0
    }
  }

  /** Finds out what the phrases of those that are judged say of the words. */
  #hear(count: number, query: readonly QueryWord[]): void {
    for (let at = 1; at <= count; at++) {
      this.#placeOf[this.#judged[at - 1] as number] = at
      this.#alone[at] = 0
      this.#once[at] = 0
      this.#twice[at] = 0
    }
    for (let i = 0; i < query.length; i++) {
      const { places } = query[i] as QueryWord
      for (let at = 1; at <= count; at++) this.#having[at] = 0
      // a term of two words counts for one
      for (let n = 0; n < places.length; n++)
        if (this.#wordOfTerm[places[n] as number] === i + 1) this.#hearTerm(places[n] as number, count)
    }
    for (let i = 0; i < count; i++) this.#placeOf[this.#judged[i] as number] = 0
  }

  #hearTerm(place: number, count: number): void {
    const postings = this.#postings
    const placeOf = this.#placeOf
    const from = this.#postingsAt[place * SLOTS] as number
    const end = this.#postingsAt[place * SLOTS + PHRASE_SLOTS] as number
    const said = (this.#saidAt[place] as number) - from
    if (end - from > WALKED_MAX) return this.#hearLongTerm(place, said, count)
    let i = from
    // those that are judged have the words where they tell most: the best slots come first, and no record is in two
    let left = count
    // four at a time, since nearly none is judged: counting and asking for the end would be most of it
    for (; i < end - 3 && left > 0; i += 4) {
      const a = placeOf[postings[i] as number] as number
      const b = placeOf[postings[i + 1] as number] as number
      const c = placeOf[postings[i + 2] as number] as number
      const d = placeOf[postings[i + 3] as number] as number
      if ((a | b | c | d) === 0) continue
      this.#note(a, this.#said[said + i] as number)
      this.#note(b, this.#said[said + i + 1] as number)
      this.#note(c, this.#said[said + i + 2] as number)
      this.#note(d, this.#said[said + i + 3] as number)
      left -= isOne(a) + isOne(b) + isOne(c) + isOne(d)
    }
    if (left > 0)
      for (; i < end; i++)
        this.#note(placeOf[postings[i] as number] as number, this.#said[said + i] as number)
    this.#work.steps += i - from
  }

  /** A term's records are in order within a slot. */
  #hearLongTerm(place: number, said: number, count: number): void {
    const postings = this.#postings
    for (let slot = 0; slot < PHRASE_SLOTS; slot++) {
      const from = this.#postingsAt[place * SLOTS + slot] as number
      const end = this.#postingsAt[place * SLOTS + slot + 1] as number
      if (from === end) continue
      for (let at = 1; at <= count; at++) {
        const own = this.#judged[at - 1] as number
        const i = firstNotBelow(postings, from, end, own)
        if (i < end && postings[i] === own) this.#note(at, this.#said[said + i] as number)
      }
      this.#work.steps += count * Math.ceil(Math.log2(end - from + 1))
    }
  }

  /** Without a jump, which would be guessed wrong: what is not judged is at place 0, and nobody asks what is noted there. */
  #note(at: number, said: number): void {
    const more = (ALONE_RANK[said >>> phraseBits] as number) - (this.#alone[at] as number)
    this.#alone[at] = (this.#alone[at] as number) + (more & ~(more >> 31))
    const had = this.#having[at] as number
    const once = this.#once[at] as number
    const further = said & phrasesMask & ~had
    this.#having[at] = had | further
    this.#twice[at] = (this.#twice[at] as number) | (once & further)
    this.#once[at] = once | further
  }

  /**
   * Asks for the memory of all dossiers that are to be read before any is: the processor waits for many places at once, but not
   * while it has to find out which of the terms are asked for.
   */
  #fetch(count: number): void {
    const dossiers = this.#dossiers
    let sum = 0
    for (let i = 0; i < count; i++) {
      if (this.#twice[i + 1] === 0) continue
      const base = this.#dossierAt[this.#judged[i] as number] as number
      for (let line = 0; line < dossierAhead; line += LINE)
        sum = (sum + (dossiers[base + line] as number)) | 0
    }
    this.#work.fetched = sum
  }

  /** A page of one heading's many lines hides the others: each further record of a heading counts a little less. */
  #spread(list: Matches, count: number): void {
    const shown = this.#shownOfHeading
    const headings = this.#headings
    for (let i = 0; i < count; i++) {
      const record = list.record(i)
      const heading = headings[record] as number
      const before = shown[heading] as number
      shown[heading] = before + 1
      if (before > 0)
        list.set(i, record, list.score(i) * (REPEAT_WEIGHT[Math.min(before, REPEATS_COUNTED_MAX)] as number))
    }
    for (let i = 0; i < count; i++) shown[headings[list.record(i)] as number] = 0
  }

  /**
   * From 0 to 1: the phrase of a record that is most like the query. How like it is: by the square of the share of the query that
   * it has, the root of the share of it that is in the query, their order, and whether it is about that good. Squares are compared,
   * so that a root is taken once. What a phrase with one word of the query is worth was worked out by the build; only those that
   * have several are read.
   */
  #likeness(record: number, at: number, words: number): number {
    const inTurn = words > 1 ? 1 - ORDER_SHARE : 1
    let best = (WORTH_OF_RANK[this.#alone[at] as number] as number) * inTurn * inTurn
    const twice = this.#twice[at] as number
    if (twice !== 0) best = this.#together(this.#dossierAt[record] as number, twice, words, best)
    return Math.sqrt(best) / (words * words)
  }

  /** The most that a phrase comes to that is among the bits, which tell all that have several words; `least` if none has more. */
  #together(base: number, bits: number, words: number, least: number): number {
    const dossiers = this.#dossiers
    // behind where the phrases begin, and where the last ends, the first begins
    const to = base + (dossiers[base] as number) - 1
    const most = words * words * words * words * words
    let best = least
    for (let first = base; first < to; first += phraseBits) {
      for (let rest = bits; rest !== 0; rest &= rest - 1) {
        const phrase = first + 31 - Math.clz32(rest & -rest)
        if (phrase >= to) break
        const start = base + (dossiers[phrase] as number)
        const end = base + (dossiers[phrase + 1] as number)
        const share = INVERSE[Math.min(end - start, phraseTermsMax)] as number
        // those that follow are as long or longer
        if (most * share <= best) return best
        const worth = this.#worth(start, end, words)
        if (worth * share > best) best = worth * share
      }
    }
    return best
  }

  /**
   * What the words in a phrase are worth, whatever its length. Which of its terms are asked for is as good as chance, so nothing
   * is decided by a jump that the processor would guess wrong.
   */
  #worth(start: number, end: number, words: number): number {
    const dossiers = this.#dossiers
    const wordOfTerm = this.#wordOfTerm
    let met = 0
    let named = 0
    let inOrder = 0
    let before = 0
    for (let i = start; i < end; i++) {
      const term = dossiers[i] as number
      const word = wordOfTerm[term & termMask] as number
      const isAsked = -word >> 31
      const fromNext = word - before - 1
      met |= 1 << word
      named |= term & isAsked
      // 1 where the word follows the one before it, which is one
      inOrder += ~((fromNext | -fromNext) >> 31) & (-before >>> 31)
      before = word
    }
    this.#work.steps += end - start
    const matched = bitsIn(met & ~1)
    const order = words > 1 ? 1 - ORDER_SHARE * (1 - Math.min(1, inOrder / (words - 1))) : 1
    const worth = matched * matched * order * (named < 0 ? 1 : besideShare)
    return worth * worth * matched
  }
}

/** 1 for a place among those that are judged, 0 for none. */
function isOne(place: number): number {
  return -place >>> 31
}

/** How many bits of a number are set. */
function bitsIn(number: number): number {
  const pairs = number - ((number >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
