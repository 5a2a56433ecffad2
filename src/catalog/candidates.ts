/**
 * The records that a query's words lead to, and what each is worth. A word's postings are gone through, or the candidates'
 * own terms are looked at, whichever is less; both come to the same. So no word ever costs more than its postings.
 *
 * Waiting for memory is most of a search: what is worked out about a record are two numbers that lie in one line of the
 * processor's cache.
 */
import type { Columns } from '../snapshot/schema.js'
import type { Families } from './families.js'
import { firstNotBelow } from './in-order.js'
import type { Matches } from './matches.js'
import { Pairs } from './pairs.js'
import { hasLonger, type QueryWord } from './query.js'
import { LONGER_WORD, OWN_SLOTS, SLOT_WEIGHT, SLOTS } from './ranking.js'
import type { Work } from './work.js'

/** What looking for one term among a record's own costs beside one posting, as measured. */
const LOOK_STEPS = 16
/**
 * Steps for the words of a query. A word that would cost more than is left is left out: the common ones come last, and they
 * tell least. The first is always taken, so that a word alone finds all it should in a dataset of any size.
 */
const WORDS_STEPS_MAX = 30_000
/** The most telling words that make up this share of the query lead to records. */
const LEADING_SHARE = 0.75
/** … and a record must have this share of what the best one has. */
const KEPT_SHARE = 0.4
/** Two words that so many records say both are asked for together: more than a page of them hides what has one alone. */
export const BOTH_ENOUGH = 50
/** Sums are not exact: what a record may come to at most is a little more. */
const ROUNDED_UP = 1.0001
/** … and what it must come to a little less. */
const ROUNDED_DOWN = 0.9999

/** How far a record has a word that stands in a slot: one that only the context has says little about the record itself. */
const SLOT_SHARE = SLOT_WEIGHT.map(weight => Math.min(1, 0.5 + weight))

/**
 * Two numbers a record, side by side. The first, where the cell begins, tells the query's share that it holds, in units of 2^-24,
 * then the turn of the last word, counted from 1; 0 for no candidate. The second tells what its words are worth, in units of
 * 2^-28. All below 2^30, for which V8 keeps whole numbers.
 */
const CELL_BITS = 1
const WORTH = 1
/** So that every word of a query has its turn. */
const TURN_BITS = 5
const TURN_MASK = (1 << TURN_BITS) - 1
const SHARE_UNIT = 1 << TURN_BITS
const SHARES = 2 ** 24
const WORTHS = 2 ** 28

export class Candidates {
  /** Record numbers, the first `count` of them, in no order. */
  readonly #records: Uint32Array
  #count = 0
  /** The most that any candidate holds so far. */
  #most = 0
  /** What they hold is 0 between two queries. */
  readonly #cells: Int32Array
  readonly #pairs: Pairs
  readonly #postingsAt: Uint32Array
  readonly #postings: Uint32Array
  readonly #termsAt: Uint32Array
  readonly #termSlots: Uint32Array
  readonly #families: Families
  readonly #work: Work
  /** The words at hand, the most telling first; the first `wordCount` of these. */
  readonly #byWorth: QueryWord[] = []
  #wordCount = 0
  /** What all the words come to, and that in shares. */
  #whole = 0
  #all = 0
  /** Whether only records that say all the words were taken, there being enough of them. */
  isNarrowed = false

  constructor(columns: Columns, families: Families, work: Work) {
    const records = columns.termsAt.length - 1
    this.#records = new Uint32Array(records)
    this.#cells = new Int32Array(records << CELL_BITS)
    this.#pairs = new Pairs(columns, families, work)
    this.#postingsAt = columns.postingsAt
    this.#postings = columns.postings
    this.#termsAt = columns.termsAt
    this.#termSlots = columns.termSlots
    this.#families = families
    this.#work = work
  }

  /** Every record that has the word among its own, with what it is worth. */
  takeOne(word: QueryWord, found: Matches): void {
    this.isNarrowed = false
    this.#work.steps += 2 * word.size
    found.count = 0
    if (word.places.length === 1) this.#takeTerm(word, found)
    else this.#takeTerms(word, found)
  }

  /** No record is twice among a term's. */
  #takeTerm({ places, rarity }: QueryWord, found: Matches): void {
    const postingsAt = this.#postingsAt
    const postings = this.#postings
    const lists = (places[0] as number) * SLOTS
    let count = 0
    for (let slot = 0; slot < OWN_SLOTS; slot++) {
      const gain = Math.fround(rarity * (SLOT_WEIGHT[slot] as number))
      const end = postingsAt[lists + slot + 1] as number
      for (let i = postingsAt[lists + slot] as number; i < end; i++) {
        const record = postings[i] as number
        found.set(count++, record, gain * this.#families.factor(record))
      }
    }
    found.count = count
  }

  /** The best slots come first: of several terms the best counts. */
  #takeTerms({ places, wholeCount, rarity }: QueryWord, found: Matches): void {
    const cells = this.#cells
    const postingsAt = this.#postingsAt
    const postings = this.#postings
    let count = 0
    for (let slot = 0; slot < OWN_SLOTS; slot++) {
      const gain = rarity * (SLOT_WEIGHT[slot] as number)
      for (let n = 0; n < places.length; n++) {
        const list = (places[n] as number) * SLOTS + slot
        const end = postingsAt[list + 1] as number
        const own = Math.fround(n < wholeCount ? gain : gain * LONGER_WORD)
        for (let i = postingsAt[list] as number; i < end; i++) {
          const record = postings[i] as number
          if (cells[record << CELL_BITS] !== 0) continue
          cells[record << CELL_BITS] = 1
          found.set(count++, record, own * this.#families.factor(record))
        }
      }
    }
    for (let i = 0; i < count; i++) cells[found.record(i) << CELL_BITS] = 0
    found.count = count
  }

  /**
   * Candidates come from the most telling words, the others add to them. Those with all the words are told apart, and
   * stand alone where they are enough, if they may.
   */
  takeMost(words: readonly QueryWord[], full: Matches, others: Matches, mayNarrow = true): void {
    this.#begin(words)
    this.isNarrowed = mayNarrow && this.#mayPair() && this.#havePair(full)
    if (this.isNarrowed) {
      others.count = 0
      return
    }
    let left = WORDS_STEPS_MAX
    let led = 0
    for (let turn = 0; turn < this.#wordCount; turn++) {
      const word = this.#byWorth[turn] as QueryWord
      const leads = led < this.#whole * LEADING_SHARE
      led += word.rarity
      const byLooking = leads ? Number.POSITIVE_INFINITY : this.#looksCost(word)
      const cost = Math.min(byLooking, word.size)
      if (cost > left && turn > 0) continue
      left -= cost
      if (byLooking < word.size) this.#addByLooking(turn)
      else this.#addByList(turn, leads, this.#whole - led)
    }
    this.#settle(full, others)
  }

  /** The most telling word first, among equals the one with fewer postings. */
  #begin(words: readonly QueryWord[]): void {
    const byWorth = this.#byWorth
    this.#wordCount = words.length
    this.#count = 0
    this.#most = 0
    this.#whole = 0
    this.#all = 0
    for (let i = 0; i < this.#wordCount; i++) {
      const word = words[i] as QueryWord
      this.#whole += word.rarity
      let at = i
      for (; at > 0; at--) {
        const other = byWorth[at - 1] as QueryWord
        if (other.rarity > word.rarity || (other.rarity === word.rarity && other.size <= word.size)) break
        byWorth[at] = other
      }
      byWorth[at] = word
    }
    for (let i = 0; i < this.#wordCount; i++) this.#all += this.#shareOf((byWorth[i] as QueryWord).rarity)
  }

  /** What a part of the query is in shares … */
  #shareOf(rarity: number): number {
    return Math.round((rarity / this.#whole) * SHARES)
  }

  /** … and what a first, or a further word of a turn brings to a record's cell. */
  #heldBy(turn: number, slot: number, factor: number): number {
    const { rarity } = this.#byWorth[turn] as QueryWord
    return this.#shareOf(rarity * (SLOT_SHARE[slot] as number) * factor) * SHARE_UNIT
  }

  #worthBy(turn: number, slot: number, factor: number): number {
    const { rarity } = this.#byWorth[turn] as QueryWord
    const gain = (rarity / this.#whole) * (SLOT_WEIGHT[slot] as number) * factor
    return Math.round(gain * WORTHS)
  }

  /** Whether enough records have both words; they are listed then. */
  #havePair(full: Matches): boolean {
    const [first, second] = this.#byWorth as [QueryWord, QueryWord]
    return this.#pairs.take(first, second, full) >= BOTH_ENOUGH
  }

  /** Whether there are two words, both of them telling and both common. */
  #mayPair(): boolean {
    if (this.#wordCount !== 2) return false
    const [first, second] = this.#byWorth as [QueryWord, QueryWord]
    return (
      first.size + second.size <= WORDS_STEPS_MAX &&
      first.rarity < this.#whole * LEADING_SHARE &&
      Math.min(this.#pairs.said(first), this.#pairs.said(second)) >= BOTH_ENOUGH
    )
  }

  #looksCost(word: QueryWord): number {
    // a look does not tell whether a word was found by a longer one
    if (hasLonger(word)) return Number.POSITIVE_INFINITY
    return this.#count * LOOK_STEPS * word.places.length
  }

  /**
   * What a word adds to the records that have it. One that leads makes candidates of them all, but of those that would not
   * be kept even with all that is left of the query. Where records have several of its terms, that of the best slot counts.
   */
  #addByList(turn: number, leads: boolean, unasked: number): void {
    const word = this.#byWorth[turn] as QueryWord
    const { places, wholeCount, rarity, size } = word
    const postingsAt = this.#postingsAt
    // of a word and a longer one the second may open what the first may not
    const always = hasLonger(word)
    for (let slot = 0; slot < SLOTS; slot++) {
      const atMost = (rarity * (SLOT_SHARE[slot] as number) + unasked) * (SHARES / this.#whole) * ROUNDED_UP
      for (let n = 0; n < places.length; n++) {
        const list = (places[n] as number) * SLOTS + slot
        const from = postingsAt[list] as number
        const end = postingsAt[list + 1] as number
        if (from === end) continue
        const factor = n < wholeCount ? 1 : LONGER_WORD
        const held = this.#heldBy(turn, slot, factor)
        const worth = this.#worthBy(turn, slot, factor)
        if (leads && (always || atMost >= (this.#most / SHARE_UNIT) * KEPT_SHARE)) {
          if (turn === 0 && places.length === 1) this.#openFirst(from, end, held, worth)
          else this.#open(from, end, turn, held, worth)
        } else if (turn > 0) this.#add(from, end, turn, held, worth)
      }
    }
    this.#work.steps += size
  }

  /** Makes candidates of the records of a list, none of which can be one: no term has a record twice. */
  #openFirst(from: number, end: number, held: number, worth: number): void {
    const cells = this.#cells
    const records = this.#records
    const postings = this.#postings
    let count = this.#count
    for (let i = from; i < end; i++) {
      const record = postings[i] as number
      records[count++] = record
      cells[record << CELL_BITS] = held + 1
      cells[(record << CELL_BITS) | WORTH] = worth
    }
    this.#most = Math.max(this.#most, held)
    this.#count = count
  }

  /** Adds to the records of a list, and makes candidates of those that are none. */
  #open(from: number, end: number, turn: number, held: number, worth: number): void {
    const cells = this.#cells
    const records = this.#records
    const postings = this.#postings
    const own = turn + 1
    let count = this.#count
    let most = this.#most
    for (let i = from; i < end; i++) {
      const record = postings[i] as number
      const cell = record << CELL_BITS
      const known = cells[cell] as number
      if (known === 0) {
        records[count++] = record
        cells[cell] = held + own
        cells[cell | WORTH] = worth
        continue
      }
      const last = known & TURN_MASK
      if (last === own) continue
      const now = known + held + own - last
      cells[cell] = now
      cells[cell | WORTH] = (cells[cell | WORTH] as number) + worth
      if (now > most) most = now
    }
    this.#most = count > this.#count ? Math.max(most, held) : most
    this.#count = count
  }

  /** Adds to the candidates of a list. */
  #add(from: number, end: number, turn: number, held: number, worth: number): void {
    const cells = this.#cells
    const postings = this.#postings
    const own = turn + 1
    let most = this.#most
    for (let i = from; i < end; i++) {
      const cell = (postings[i] as number) << CELL_BITS
      const known = cells[cell] as number
      const last = known & TURN_MASK
      if (known === 0 || last === own) continue
      const now = known + held + own - last
      cells[cell] = now
      cells[cell | WORTH] = (cells[cell | WORTH] as number) + worth
      if (now > most) most = now
    }
    this.#most = most
  }

  #addByLooking(turn: number): void {
    const word = this.#byWorth[turn] as QueryWord
    const cells = this.#cells
    for (let i = 0; i < this.#count; i++) {
      const record = this.#records[i] as number
      const slot = this.#slotIn(record, word)
      if (slot === SLOTS) continue
      const cell = record << CELL_BITS
      const known = cells[cell] as number
      const now = known + this.#heldBy(turn, slot, 1) + turn + 1 - (known & TURN_MASK)
      cells[cell] = now
      cells[cell | WORTH] = (cells[cell | WORTH] as number) + this.#worthBy(turn, slot, 1)
      if (now > this.#most) this.#most = now
    }
    this.#work.steps += this.#looksCost(word)
  }

  /** Keeps the candidates that have enough of the query, and weighs them by what their words are worth, how much of it these are, and their families. */
  #settle(full: Matches, others: Matches): void {
    const cells = this.#cells
    const records = this.#records
    const count = this.#count
    const least = (this.#most / SHARE_UNIT) * KEPT_SHARE * ROUNDED_DOWN * SHARE_UNIT
    const all = this.#all * SHARE_UNIT
    const unit = this.#whole / WORTHS / (SHARE_UNIT * SHARES)
    let fullCount = 0
    let otherCount = 0
    for (let i = 0; i < count; i++) {
      const record = records[i] as number
      const cell = record << CELL_BITS
      const known = cells[cell] as number
      cells[cell] = 0
      if (known < least) continue
      const score = (cells[cell | WORTH] as number) * known * unit * this.#families.factor(record)
      if (known >= all) full.set(fullCount++, record, score)
      else others.set(otherCount++, record, score)
    }
    full.count = fullCount
    others.count = otherCount
    this.#work.steps += count
  }

  /** The best slot that a word has in a record; SLOTS where it has none of its terms. */
  #slotIn(record: number, { places }: QueryWord): number {
    const from = this.#termsAt[record] as number
    const to = this.#termsAt[record + 1] as number
    let best = SLOTS
    for (let n = 0; n < places.length; n++) {
      const first = (places[n] as number) * SLOTS
      const at = firstNotBelow(this.#termSlots, from, to, first)
      if (at < to) best = Math.min(best, (this.#termSlots[at] as number) - first)
    }
    return best
  }
}
