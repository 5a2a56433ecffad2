/**
 * The records that a query's words lead to, and what each is worth. A word's postings are gone through, or the candidates'
 * own terms are looked at, whichever is less; both come to the same. So no word ever costs more than its postings.
 */
import type { Columns } from '../snapshot/schema.js'
import { CELL, type Cells, MASS, SCORE, TOLD, WORD_TOLD } from './cells.js'
import type { Families } from './families.js'
import type { Matches } from './matches.js'
import type { QueryWord } from './query.js'
import { ALONE_UNTOLD, SLOT_WEIGHT, SLOTS } from './ranking.js'
import type { Work } from './work.js'

/** What looking for one term among a record's own costs beside one posting, as measured. */
const LOOK_STEPS = 16
/**
 * Steps for the words of a query. A word that would cost more than is left is left out: the common ones come last, and they
 * tell least. The first is always taken, so that a word alone finds all it should in a dataset of any size.
 */
const WORDS_STEPS_MAX = 100_000
/** The most telling words that make up this share of the query lead to records. */
const LEADING_SHARE = 0.75
/** … and a record must have this share of what the best one has. */
const KEPT_SHARE = 0.4
/** Two words that so many records have both are asked for together: more than a page of them hides what has one alone. */
export const BOTH_ENOUGH = 50
/** A candidate has the first word of all, whatever it was added to since. */
const FIRST_TURN = 1
/** Sums are not exact: what a record may come to at most is a little more. */
const ROUNDED_UP = 1.0001
/** … and all the words come to a little less. */
const ALL_SHARE = 0.999

/** Slots of a record's own words; the rest is context. */
const OWN_SLOTS = SLOTS - 1
/** How far a record has a word that stands in a slot: one that only the context has says little about the record itself. */
const SLOT_SHARE = SLOT_WEIGHT.map(weight => Math.min(1, 0.5 + weight))
/** What there is to tell of a word's phrases that `alone` does not tell. */
const UNTOLD = 2 * WORD_TOLD

/** What a cell is told of a word, by the entry in `alone`. */
const TOLD_OF = Uint16Array.from({ length: 256 }, (_, alone) => {
  if (alone === 0) return 0
  return alone === ALONE_UNTOLD ? UNTOLD : WORD_TOLD + alone
})
/** How a list's cells are told of a word: it stands in no phrase, its entry in `alone` tells, or that would not be enough. */
const NOTHING = 0
const ALONE = 1
const TOO_LITTLE = 2

export class Candidates {
  /** Record numbers, the first `count` of them, in no order. */
  readonly #records: Uint32Array
  #count = 0
  /** The most of the query that any candidate has so far. */
  #bestMass = 0
  /** How many words of the query, taken in turn, a record has; all 0 between two queries. */
  readonly #matched: Uint8Array
  /** Scores and masses mean something for candidates only: the first word of one sets them. */
  readonly #cells: Cells
  readonly #postingsAt: Uint32Array
  readonly #postings: Uint32Array
  readonly #alone: Uint8Array
  readonly #termsAt: Uint32Array
  readonly #termSlots: Uint32Array
  readonly #families: Families
  readonly #work: Work
  /** The words at hand, the most telling first; the first `wordCount` of these. */
  readonly #byWorth: QueryWord[] = []
  /** Whether a word was left out, so that cells do not tell of all of them. */
  isPartial = false
  /** Whether only records with all the words were taken, there being enough of them. */
  isNarrowed = false
  /** What all the words come to, and how many candidates have that much once a word was added to them. */
  #all = 0
  #fullCount = 0

  constructor(columns: Columns, cells: Cells, families: Families, work: Work) {
    const records = columns.termsAt.length - 1
    this.#records = new Uint32Array(records)
    this.#matched = new Uint8Array(records)
    this.#cells = cells
    this.#postingsAt = columns.postingsAt
    this.#postings = columns.postings
    this.#alone = columns.alone
    this.#termsAt = columns.termsAt
    this.#termSlots = columns.termSlots
    this.#families = families
    this.#work = work
  }

  /** Every record that has the word among its own, with what it is worth. */
  takeOne(word: QueryWord, found: Matches): void {
    this.isPartial = false
    this.isNarrowed = false
    this.#work.steps += 2 * word.size
    found.count = 0
    if (word.places.length === 1) this.#takeTerm(word, found)
    else this.#takeTerms(word, found)
  }

  /** No record is twice among a term's. */
  #takeTerm({ places, factors, rarity }: QueryWord, found: Matches): void {
    const { records, scores } = found
    const { numbers } = this.#cells
    const postingsAt = this.#postingsAt
    const postings = this.#postings
    const alone = this.#alone
    const lists = (places[0] as number) * SLOTS
    const factor = factors === undefined ? 1 : (factors[0] as number)
    let count = 0
    for (let slot = 0; slot < OWN_SLOTS; slot++) {
      const gain = Math.fround(rarity * (SLOT_WEIGHT[slot] as number) * factor)
      const end = postingsAt[lists + slot + 1] as number
      for (let i = postingsAt[lists + slot] as number; i < end; i++) {
        const record = postings[i] as number
        numbers[record * CELL + TOLD] = TOLD_OF[alone[i] as number] as number
        records[count] = record
        scores[count++] = gain * this.#families.worth(this.#cells.heading(record))
      }
    }
    found.count = count
  }

  /** The best slots come first: of several terms the best counts. */
  #takeTerms({ places, factors, rarity }: QueryWord, found: Matches): void {
    const { records, scores } = found
    const { numbers } = this.#cells
    const matched = this.#matched
    const postingsAt = this.#postingsAt
    const postings = this.#postings
    let count = 0
    for (let slot = 0; slot < OWN_SLOTS; slot++) {
      const gain = rarity * (SLOT_WEIGHT[slot] as number)
      for (let n = 0; n < places.length; n++) {
        const list = (places[n] as number) * SLOTS + slot
        const end = postingsAt[list + 1] as number
        const own = Math.fround(factors === undefined ? gain : gain * (factors[n] as number))
        for (let i = postingsAt[list] as number; i < end; i++) {
          const record = postings[i] as number
          if (matched[record] !== 0) continue
          matched[record] = 1
          numbers[record * CELL + TOLD] = UNTOLD
          records[count] = record
          scores[count++] = own * this.#families.worth(this.#cells.heading(record))
        }
      }
    }
    for (let i = 0; i < count; i++) matched[records[i] as number] = 0
    found.count = count
  }

  /**
   * Candidates come from the most telling words, the others add to them. Those with all the words are told apart, and
   * stand alone where they are enough, if they may.
   */
  takeMost(words: readonly QueryWord[], full: Matches, others: Matches, mayNarrow = true): void {
    const byWorth = this.#byWorth
    this.#sort(words)
    let whole = 0
    for (let i = 0; i < words.length; i++) whole += (byWorth[i] as QueryWord).rarity
    let left = WORDS_STEPS_MAX
    let led = 0
    this.#count = 0
    this.#bestMass = 0
    this.#all = whole * ALL_SHARE
    this.#fullCount = 0
    this.isPartial = false
    this.isNarrowed =
      mayNarrow && words.length === 2 && this.#haveBoth(byWorth[0] as QueryWord, byWorth[1] as QueryWord)
    if (this.isNarrowed) return this.#settleFull(words.length, full, others)
    for (let i = 0; i < words.length; i++) {
      const word = byWorth[i] as QueryWord
      const leads = led < whole * LEADING_SHARE
      led += word.rarity
      const byLooking = leads ? Number.POSITIVE_INFINITY : this.#looksCost(word)
      const cost = Math.min(byLooking, word.size)
      if (cost > left && i > 0) {
        this.isPartial = true
        continue
      }
      left -= cost
      if (byLooking < word.size) this.#addByLooking(word)
      else this.#addByList(word, i + 1, leads, whole - led)
    }
    this.#settle(whole, full, others)
  }

  /**
   * Whether enough records have both of two words among their own. Where they do, those are all the candidates; where not,
   * what was found out stays, and going through the words again adds to it.
   */
  #haveBoth(first: QueryWord, second: QueryWord): boolean {
    if (first.size + second.size > WORDS_STEPS_MAX) return false
    if (first.rarity >= this.#all * LEADING_SHARE || Math.min(first.size, second.size) < BOTH_ENOUGH)
      return false
    this.#addByList(first, 1, true, second.rarity, OWN_SLOTS)
    this.#addByList(second, 2, false, 0, OWN_SLOTS)
    return this.#fullCount >= BOTH_ENOUGH
  }

  /** The most telling first, among equals the one with fewer postings. */
  #sort(words: readonly QueryWord[]): void {
    const byWorth = this.#byWorth
    for (let i = 0; i < words.length; i++) {
      const word = words[i] as QueryWord
      let at = i
      for (; at > 0; at--) {
        const other = byWorth[at - 1] as QueryWord
        if (other.rarity > word.rarity || (other.rarity === word.rarity && other.size <= word.size)) break
        byWorth[at] = other
      }
      byWorth[at] = word
    }
  }

  #looksCost(word: QueryWord): number {
    // a look does not tell which of its terms a word was found by
    if (word.factors !== undefined) return Number.POSITIVE_INFINITY
    return this.#count * LOOK_STEPS * (word.areNeighbours ? 1 : word.places.length)
  }

  /**
   * What a word adds to the records that have it. One that leads makes candidates of them all, but of those that would not
   * be kept even with all that is left of the query. `turn` tells a record's second term for the word from its first.
   */
  #addByList(
    { places, factors, rarity, size }: QueryWord,
    turn: number,
    leads: boolean,
    unasked: number,
    slots = SLOTS,
  ): void {
    const postingsAt = this.#postingsAt
    for (let slot = 0; slot < slots; slot++) {
      const gain = rarity * (SLOT_WEIGHT[slot] as number)
      const share = rarity * (SLOT_SHARE[slot] as number)
      for (let n = 0; n < places.length; n++) {
        const list = (places[n] as number) * SLOTS + slot
        const from = postingsAt[list] as number
        const end = postingsAt[list + 1] as number
        if (from === end) continue
        const factor = factors === undefined ? 1 : (factors[n] as number)
        // of two terms with different factors the second may open what the first may not
        const opens =
          leads && (factors !== undefined || (share + unasked) * ROUNDED_UP >= this.#bestMass * KEPT_SHARE)
        const telling = slot >= OWN_SLOTS ? NOTHING : places.length === 1 ? ALONE : TOO_LITTLE
        if (opens) this.#open(from, end, turn, gain * factor, share * factor, telling)
        else this.#add(from, end, turn, gain * factor, share * factor, telling)
      }
    }
    this.#work.steps += size
  }

  /** Adds to the records of a list, and makes candidates of those that are none. */
  #open(from: number, end: number, turn: number, gain: number, share: number, telling: number): void {
    const { floats, numbers } = this.#cells
    const records = this.#records
    const matched = this.#matched
    const postings = this.#postings
    const alone = this.#alone
    let count = this.#count
    let best = this.#bestMass
    for (let i = from; i < end; i++) {
      const record = postings[i] as number
      const last = matched[record] as number
      const cell = record * CELL
      if (last === 0) {
        records[count++] = record
        floats[cell + SCORE] = gain
        floats[cell + MASS] = share
        numbers[cell + TOLD] =
          telling === NOTHING ? 0 : telling === ALONE ? (TOLD_OF[alone[i] as number] as number) : UNTOLD
      } else if (last !== turn && turn !== FIRST_TURN) {
        const had = Math.fround((floats[cell + MASS] as number) + share)
        floats[cell + SCORE] = (floats[cell + SCORE] as number) + gain
        floats[cell + MASS] = had
        if (telling !== NOTHING)
          numbers[cell + TOLD] =
            (numbers[cell + TOLD] as number) +
            (telling === ALONE ? (TOLD_OF[alone[i] as number] as number) : UNTOLD)
        if (had > best) best = had
      } else continue
      matched[record] = turn
    }
    this.#bestMass = count > this.#count ? Math.max(best, Math.fround(share)) : best
    this.#count = count
  }

  /** Adds to the candidates of a list. */
  #add(from: number, end: number, turn: number, gain: number, share: number, telling: number): void {
    if (turn === FIRST_TURN) return
    const { floats, numbers } = this.#cells
    const matched = this.#matched
    const postings = this.#postings
    const alone = this.#alone
    const all = this.#all
    let best = this.#bestMass
    let fullCount = this.#fullCount
    for (let i = from; i < end; i++) {
      const record = postings[i] as number
      const last = matched[record] as number
      if (last === 0 || last === turn) continue
      const cell = record * CELL
      const had = Math.fround((floats[cell + MASS] as number) + share)
      floats[cell + SCORE] = (floats[cell + SCORE] as number) + gain
      floats[cell + MASS] = had
      if (telling !== NOTHING)
        numbers[cell + TOLD] =
          (numbers[cell + TOLD] as number) +
          (telling === ALONE ? (TOLD_OF[alone[i] as number] as number) : UNTOLD)
      matched[record] = turn
      if (had > best) best = had
      if (had >= all) fullCount++
    }
    this.#bestMass = best
    this.#fullCount = fullCount
  }

  #addByLooking(word: QueryWord): void {
    const { floats, numbers } = this.#cells
    for (let i = 0; i < this.#count; i++) {
      const record = this.#records[i] as number
      const slot = this.#slotIn(record, word)
      if (slot === SLOTS) continue
      const cell = record * CELL
      floats[cell + SCORE] = (floats[cell + SCORE] as number) + word.rarity * (SLOT_WEIGHT[slot] as number)
      const had = Math.fround((floats[cell + MASS] as number) + word.rarity * (SLOT_SHARE[slot] as number))
      floats[cell + MASS] = had
      if (had > this.#bestMass) this.#bestMass = had
      if (slot < OWN_SLOTS) numbers[cell + TOLD] = (numbers[cell + TOLD] as number) + UNTOLD
    }
    this.#work.steps += this.#looksCost(word)
  }

  /** Keeps the candidates that have enough of the query, and weighs them by how much and by their families. */
  #settle(whole: number, full: Matches, others: Matches): void {
    const { floats } = this.#cells
    const records = this.#records
    const matched = this.#matched
    const count = this.#count
    const least = this.#bestMass * KEPT_SHARE
    const all = this.#all
    let fullCount = 0
    let otherCount = 0
    for (let i = 0; i < count; i++) {
      const record = records[i] as number
      matched[record] = 0
      const had = floats[record * CELL + MASS] as number
      if (had < least) continue
      const score = this.#scoreOf(record, had / whole)
      if (had >= all) {
        full.records[fullCount] = record
        full.scores[fullCount++] = score
      } else {
        others.records[otherCount] = record
        others.scores[otherCount++] = score
      }
    }
    full.count = fullCount
    others.count = otherCount
    this.#work.steps += 2 * count
  }

  /** The same where only those with all the words are kept: what the last word did not touch is not looked at again. */
  #settleFull(turn: number, full: Matches, others: Matches): void {
    const { floats } = this.#cells
    const records = this.#records
    const matched = this.#matched
    const count = this.#count
    const all = this.#all
    const whole = all / ALL_SHARE
    let fullCount = 0
    for (let i = 0; i < count; i++) {
      const record = records[i] as number
      const last = matched[record] as number
      matched[record] = 0
      if (last !== turn) continue
      const had = floats[record * CELL + MASS] as number
      if (had < all) continue
      full.records[fullCount] = record
      full.scores[fullCount++] = this.#scoreOf(record, had / whole)
    }
    full.count = fullCount
    others.count = 0
    this.#work.steps += count
  }

  /** What a candidate comes to that has this share of the query. */
  #scoreOf(record: number, share: number): number {
    return (
      Math.fround((this.#cells.floats[record * CELL + SCORE] as number) * share) *
      this.#families.worth(this.#cells.heading(record))
    )
  }

  /** The best slot that a word has in a record; SLOTS where it has none of its terms. */
  #slotIn(record: number, { places, areNeighbours }: QueryWord): number {
    const to = this.#termsAt[record + 1] as number
    // neighbours in the vocabulary are neighbours in the record: the first leads to them all
    const span = areNeighbours ? places.length : 1
    let best = SLOTS
    for (let n = 0; n < places.length; n += span) {
      const first = (places[n] as number) * SLOTS
      for (let at = this.#lowest(record, first); at < to; at++) {
        const packed = this.#termSlots[at] as number
        if (packed >= first + span * SLOTS) break
        const slot = packed % SLOTS
        if (slot < best) best = slot
      }
    }
    return best
  }

  /** Where the terms of a record stop being lower than this one. */
  #lowest(record: number, packed: number): number {
    let low = this.#termsAt[record] as number
    let high = this.#termsAt[record + 1] as number
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#termSlots[middle] as number) < packed) low = middle + 1
      else high = middle
    }
    return low
  }
}
