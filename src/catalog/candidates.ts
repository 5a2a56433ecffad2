/**
 * The records that a query's words lead to, and what each is worth. A word's postings are gone through, or the candidates'
 * own terms are looked at, whichever is less; both come to the same. So no word ever costs more than its postings.
 *
 * While words are gone through, a record is told no more than in which slot it has each of them, a few bits a word, all in one
 * number: what that is worth is added up once, for those that are left. Waiting for memory is most of a search.
 */
import type { Columns } from '../snapshot/schema.js'
import type { Families } from './families.js'
import type { Homes } from './homes.js'
import type { Matches } from './matches.js'
import { hasLonger, type QueryWord } from './query.js'
import { LONGER_WORD, OWN_SLOTS, SLOT_WEIGHT, SLOTS } from './ranking.js'
import type { RecordTerms } from './record-terms.js'
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
/** Sums are not exact: what a record may come to at most is a little more. */
const ROUNDED_UP = 1.0001
/** … and all the words come to a little less. */
const ALL_SHARE = 0.999

/** How far a record has a word that stands in a slot: one that only the context has says little about the record itself. */
const SLOT_SHARE = SLOT_WEIGHT.map(weight => Math.min(1, 0.5 + weight))

/** How a record has a word: 0 not at all, else its slot counted from 1; by a longer word, counted on from the last of these. */
const CODE_BITS = 5
const CODES = 1 << CODE_BITS
/** Words whose codes make up one number. */
const PLANE_WORDS = 6
/** Marks, in the first plane, a candidate that has only words of later ones. */
const OPENED = 1 << (PLANE_WORDS * CODE_BITS)

const planeOf = (turn: number) => Math.floor(turn / PLANE_WORDS)
const shiftOf = (turn: number) => (turn % PLANE_WORDS) * CODE_BITS

export class Candidates {
  /** Record numbers, the first `count` of them, in no order. */
  readonly #records: Uint32Array
  #count = 0
  /** The most of the query that any candidate has so far. */
  #bestMass = 0
  /** Per record how it has the words, six of them a plane in the order of their turns; all 0 between two queries. */
  readonly #planes: Uint32Array[]
  /** By turn and code: what it adds to a record's score, and how much of the query it is. */
  #gains = new Float64Array(PLANE_WORDS * CODES)
  #shares = new Float64Array(PLANE_WORDS * CODES)
  readonly #homes: Homes
  readonly #postingsAt: Uint32Array
  readonly #postings: Uint32Array
  readonly #terms: RecordTerms
  readonly #families: Families
  readonly #work: Work
  /** The words at hand, the most telling first; the first `wordCount` of these. */
  readonly #byWorth: QueryWord[] = []
  #wordCount = 0
  /** What all the words come to. */
  #whole = 0
  /** Whether only records with all the words were taken, there being enough of them. */
  isNarrowed = false

  constructor(columns: Columns, homes: Homes, terms: RecordTerms, families: Families, work: Work) {
    const records = columns.source.length
    this.#records = new Uint32Array(records)
    this.#planes = [new Uint32Array(records)]
    this.#homes = homes
    this.#postingsAt = columns.postingsAt
    this.#postings = columns.postings
    this.#terms = terms
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
    const { records, scores } = found
    const postingsAt = this.#postingsAt
    const postings = this.#postings
    const lists = (places[0] as number) * SLOTS
    let count = 0
    for (let slot = 0; slot < OWN_SLOTS; slot++) {
      const gain = Math.fround(rarity * (SLOT_WEIGHT[slot] as number))
      const end = postingsAt[lists + slot + 1] as number
      for (let i = postingsAt[lists + slot] as number; i < end; i++) {
        const record = postings[i] as number
        records[count] = record
        scores[count++] = gain * this.#families.worth(this.#homes.heading(record))
      }
    }
    found.count = count
  }

  /** The best slots come first: of several terms the best counts. */
  #takeTerms({ places, wholeCount, rarity }: QueryWord, found: Matches): void {
    const { records, scores } = found
    const seen = this.#planes[0] as Uint32Array
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
          if (seen[record] !== 0) continue
          seen[record] = 1
          records[count] = record
          scores[count++] = own * this.#families.worth(this.#homes.heading(record))
        }
      }
    }
    for (let i = 0; i < count; i++) seen[records[i] as number] = 0
    found.count = count
  }

  /**
   * Candidates come from the most telling words, the others add to them. Those with all the words are told apart, and
   * stand alone where they are enough, if they may.
   */
  takeMost(words: readonly QueryWord[], full: Matches, others: Matches, mayNarrow = true): void {
    this.#begin(words)
    const wasPaired = mayNarrow && this.#mayPair()
    this.isNarrowed = wasPaired && this.#pair(full) >= BOTH_ENOUGH
    if (this.isNarrowed) {
      others.count = 0
      for (let i = 0; i < this.#count; i++) (this.#planes[0] as Uint32Array)[this.#records[i] as number] = 0
      return
    }
    let left = WORDS_STEPS_MAX
    let led = 0
    for (let turn = 0; turn < words.length; turn++) {
      const word = this.#byWorth[turn] as QueryWord
      const leads = led < this.#whole * LEADING_SHARE
      const byLooking = leads ? Number.POSITIVE_INFINITY : this.#looksCost(word)
      const cost = Math.min(byLooking, word.size)
      if (cost <= left || turn === 0) {
        left -= cost
        const isHalfDone = wasPaired && turn === 0
        if (byLooking < word.size) this.#addByLooking(turn)
        else this.#addByList(turn, leads, led, isHalfDone ? OWN_SLOTS : 0)
      }
      led += word.rarity
    }
    this.#settle(full, others)
  }

  /** The most telling word first, among equals the one with fewer postings, and what each way to have it is worth. */
  #begin(words: readonly QueryWord[]): void {
    const byWorth = this.#byWorth
    this.#makeRoom(words.length)
    this.#count = 0
    this.#bestMass = 0
    this.#whole = 0
    this.#wordCount = words.length
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
    for (let turn = 0; turn < words.length; turn++) {
      const { rarity } = byWorth[turn] as QueryWord
      this.#whole += rarity
      const first = turn * CODES + 1
      for (let slot = 0; slot < SLOTS; slot++) {
        const gain = rarity * (SLOT_WEIGHT[slot] as number)
        const share = rarity * (SLOT_SHARE[slot] as number)
        this.#gains[first + slot] = gain
        this.#shares[first + slot] = share
        this.#gains[first + SLOTS + slot] = gain * LONGER_WORD
        this.#shares[first + SLOTS + slot] = share * LONGER_WORD
      }
    }
  }

  #makeRoom(words: number): void {
    while (this.#planes.length * PLANE_WORDS < words) this.#planes.push(new Uint32Array(this.#records.length))
    const size = this.#planes.length * PLANE_WORDS * CODES
    if (this.#gains.length === size) return
    this.#gains = new Float64Array(size)
    this.#shares = new Float64Array(size)
  }

  /** Whether there are two words, both of them telling and both common. */
  #mayPair(): boolean {
    if (this.#wordCount !== 2) return false
    const [first, second] = this.#byWorth as [QueryWord, QueryWord]
    return (
      first.size + second.size <= WORDS_STEPS_MAX &&
      first.rarity < this.#whole * ALL_SHARE * LEADING_SHARE &&
      Math.min(first.size, second.size) >= BOTH_ENOUGH
    )
  }

  /**
   * Lists the records that have both of two words among their own, and tells how many. Those that have the first are
   * candidates then, and the second is told to them, so that going on adds to it where they are not enough.
   */
  #pair(full: Matches): number {
    this.#addByList(0, true, 0, 0, OWN_SLOTS)
    const { places, wholeCount, size } = this.#byWorth[1] as QueryWord
    const plane = this.#planes[0] as Uint32Array
    const both = full.records
    const postingsAt = this.#postingsAt
    const postings = this.#postings
    let count = 0
    for (let slot = 0; slot < OWN_SLOTS; slot++) {
      for (let n = 0; n < places.length; n++) {
        const list = (places[n] as number) * SLOTS + slot
        const end = postingsAt[list + 1] as number
        const code = (n < wholeCount ? 1 : 1 + SLOTS) + slot
        for (let i = postingsAt[list] as number; i < end; i++) {
          const record = postings[i] as number
          const known = plane[record] as number
          // none, or both already
          if (known === 0 || known >= CODES) continue
          plane[record] = known | (code << CODE_BITS)
          both[count++] = record
        }
      }
    }
    this.#work.steps += size + count
    return this.#weighBoth(full, count)
  }

  /** Keeps those of the records with both words that have them in full. */
  #weighBoth(full: Matches, count: number): number {
    const { records, scores } = full
    const plane = this.#planes[0] as Uint32Array
    const gains = this.#gains
    const shares = this.#shares
    const whole = this.#whole
    const all = whole * ALL_SHARE
    let kept = 0
    for (let i = 0; i < count; i++) {
      const record = records[i] as number
      const codes = plane[record] as number
      const first = codes & (CODES - 1)
      const second = CODES + (codes >>> CODE_BITS)
      const had = (shares[first] as number) + (shares[second] as number)
      if (had > this.#bestMass) this.#bestMass = had
      if (had < all) continue
      records[kept] = record
      scores[kept++] = this.#worthOf(record, (gains[first] as number) + (gains[second] as number), had)
    }
    full.count = kept
    return kept
  }

  #looksCost(word: QueryWord): number {
    // a look does not tell whether a word was found by a longer one
    if (hasLonger(word)) return Number.POSITIVE_INFINITY
    return this.#count * LOOK_STEPS * word.places.length
  }

  /**
   * What a word adds to the records that have it. One that leads makes candidates of them all, but of those that would not
   * be kept even with all that is left of the query; `led` is what the words before it come to.
   */
  #addByList(turn: number, leads: boolean, led: number, fromSlot: number, toSlot = SLOTS): void {
    const word = this.#byWorth[turn] as QueryWord
    const { places, wholeCount, rarity, size } = word
    const postingsAt = this.#postingsAt
    const unasked = this.#whole - led - rarity
    // of a word and a longer one the second may open what the first may not
    const always = hasLonger(word)
    for (let slot = fromSlot; slot < toSlot; slot++) {
      const share = rarity * (SLOT_SHARE[slot] as number)
      for (let n = 0; n < places.length; n++) {
        const list = (places[n] as number) * SLOTS + slot
        const from = postingsAt[list] as number
        const end = postingsAt[list + 1] as number
        if (from === end) continue
        const code = (n < wholeCount ? 1 : 1 + SLOTS) + slot
        const opens = leads && (always || (share + unasked) * ROUNDED_UP >= this.#bestMass * KEPT_SHARE)
        if (opens) this.#open(from, end, turn, code, led)
        else if (turn > 0) this.#add(from, end, turn, code, led)
      }
    }
    this.#work.steps += size
  }

  /** Adds to the records of a list, and makes candidates of those that are none. */
  #open(from: number, end: number, turn: number, code: number, led: number): void {
    const known = this.#planes[0] as Uint32Array
    const plane = this.#planes[planeOf(turn)] as Uint32Array
    const shift = shiftOf(turn)
    const own = (CODES - 1) << shift
    const mark = code << shift
    const isFirstPlane = turn < PLANE_WORDS
    const records = this.#records
    const postings = this.#postings
    const share = this.#shares[turn * CODES + code] as number
    let count = this.#count
    for (let i = from; i < end; i++) {
      const record = postings[i] as number
      if (known[record] === 0) {
        records[count++] = record
        known[record] = isFirstPlane ? mark : OPENED
        if (!isFirstPlane) plane[record] = mark
        continue
      }
      const codes = plane[record] as number
      if ((codes & own) !== 0) continue
      plane[record] = codes | mark
      // no record can come to more than all the words so far
      if (this.#bestMass < led + share) this.#notice(record)
    }
    if (count > this.#count && share > this.#bestMass) this.#bestMass = share
    this.#count = count
  }

  /** Adds to the candidates of a list. */
  #add(from: number, end: number, turn: number, code: number, led: number): void {
    const known = this.#planes[0] as Uint32Array
    const plane = this.#planes[planeOf(turn)] as Uint32Array
    const shift = shiftOf(turn)
    const own = (CODES - 1) << shift
    const mark = code << shift
    const postings = this.#postings
    const most = led + (this.#shares[turn * CODES + code] as number)
    for (let i = from; i < end; i++) {
      const record = postings[i] as number
      if (known[record] === 0) continue
      const codes = plane[record] as number
      if ((codes & own) !== 0) continue
      plane[record] = codes | mark
      if (this.#bestMass < most) this.#notice(record)
    }
  }

  #addByLooking(turn: number): void {
    const word = this.#byWorth[turn] as QueryWord
    const plane = this.#planes[planeOf(turn)] as Uint32Array
    const shift = shiftOf(turn)
    for (let i = 0; i < this.#count; i++) {
      const record = this.#records[i] as number
      const slot = this.#slotIn(record, word)
      if (slot === SLOTS) continue
      plane[record] = (plane[record] as number) | ((slot + 1) << shift)
      this.#notice(record)
    }
    this.#work.steps += this.#looksCost(word)
  }

  /** A candidate that has more than the best so far is the best. */
  #notice(record: number): void {
    let had = 0
    for (let n = 0; n * PLANE_WORDS < this.#wordCount; n++) {
      let codes = ((this.#planes[n] as Uint32Array)[record] as number) & (OPENED - 1)
      for (let at = n * PLANE_WORDS * CODES; codes !== 0; at += CODES, codes >>>= CODE_BITS)
        had += this.#shares[at + (codes & (CODES - 1))] as number
    }
    if (had > this.#bestMass) this.#bestMass = had
  }

  /** Keeps the candidates that have enough of the query, and weighs them by how much and by their families. */
  #settle(full: Matches, others: Matches): void {
    const records = this.#records
    const count = this.#count
    const least = this.#bestMass * KEPT_SHARE
    const all = this.#whole * ALL_SHARE
    const gains = this.#gains
    const shares = this.#shares
    const planes = Math.ceil(this.#wordCount / PLANE_WORDS)
    let fullCount = 0
    let otherCount = 0
    for (let i = 0; i < count; i++) {
      const record = records[i] as number
      let had = 0
      let gained = 0
      for (let n = 0; n < planes; n++) {
        const plane = this.#planes[n] as Uint32Array
        let codes = (plane[record] as number) & (OPENED - 1)
        plane[record] = 0
        for (let at = n * PLANE_WORDS * CODES; codes !== 0; at += CODES, codes >>>= CODE_BITS) {
          const code = codes & (CODES - 1)
          had += shares[at + code] as number
          gained += gains[at + code] as number
        }
      }
      if (had < least) continue
      const score = this.#worthOf(record, gained, had)
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
    this.#work.steps += count
  }

  /** What a candidate comes to that has so much of the query. */
  #worthOf(record: number, score: number, had: number): number {
    return score * (had / this.#whole) * this.#families.worth(this.#homes.heading(record))
  }

  /** The best slot that a word has in a record; SLOTS where it has none of its terms. */
  #slotIn(record: number, { places }: QueryWord): number {
    let best = SLOTS
    for (let n = 0; n < places.length; n++)
      best = Math.min(best, this.#terms.slot(record, places[n] as number))
    return best
  }
}
