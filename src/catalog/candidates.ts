/**
 * The records that a query's words lead to, and what each is worth. A word's postings are gone through, or the candidates'
 * own terms are looked at, whichever is less; both come to the same. So no word ever costs more than its postings.
 */
import type { Columns } from '../snapshot/schema.js'
import type { QueryWord } from './query.js'
import { SLOT_WEIGHT, SLOTS } from './ranking.js'
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
/** Sums are not exact. */
const ALL_SHARE = 0.999

/** Slots of a record's own words; the rest is context. */
const OWN_SLOTS = SLOTS - 1
/** How far a record has a word that stands in a slot: one that only the context has says little about the record itself. */
const SLOT_SHARE = SLOT_WEIGHT.map(weight => Math.min(1, 0.5 + weight))

export interface WeighedWord extends QueryWord {
  /** How telling the word is. */
  rarity: number
  /** Postings of all its terms. */
  size: number
}

export class Candidates {
  /** Record numbers, the first `count` of them, in no order. */
  readonly records: Uint32Array
  count = 0
  /** Of these, how many have all the words: they come first. */
  fullCount = 0
  /** By record; 0 for all that are no candidates. */
  readonly score: Float32Array
  /** How many words of the query, taken in turn, a record has. */
  readonly #matched: Uint8Array
  /** Share of the query that a record has, by rarity; only where not all words are found together. */
  readonly #mass: Float32Array
  readonly #postingsAt: Uint32Array
  readonly #postings: Uint32Array
  readonly #termsAt: Uint32Array
  readonly #termSlots: Uint32Array
  readonly #work: Work

  constructor(columns: Columns, records: number, work: Work) {
    this.records = new Uint32Array(records)
    this.score = new Float32Array(records)
    this.#matched = new Uint8Array(records)
    this.#mass = new Float32Array(records)
    this.#postingsAt = columns.postingsAt
    this.#postings = columns.postings
    this.#termsAt = columns.termsAt
    this.#termSlots = columns.termSlots
    this.#work = work
  }

  /** Postings of a term. */
  size(place: number): number {
    return (this.#postingsAt[(place + 1) * SLOTS] as number) - (this.#postingsAt[place * SLOTS] as number)
  }

  /** Every record that has the word among its own. */
  takeOne(word: WeighedWord): void {
    this.#clear()
    this.#open(word)
    this.fullCount = this.count
  }

  /** Candidates come from the most telling words, the others add to them. */
  takeMost(words: readonly WeighedWord[]): void {
    this.#clear()
    const byWorth = [...words].sort((a, b) => b.rarity - a.rarity || a.size - b.size)
    const whole = byWorth.reduce((sum, word) => sum + word.rarity, 0)
    let left = WORDS_STEPS_MAX
    let led = 0
    byWorth.forEach((word, i) => {
      const leads = led < whole * LEADING_SHARE
      led += word.rarity
      const byLooking = leads ? Number.POSITIVE_INFINITY : this.#looksCost(word)
      const cost = Math.min(byLooking, word.size)
      if (cost > left && i > 0) return
      left -= cost
      if (byLooking < word.size) this.#addByLooking(word)
      else this.#addByList(word, i + 1, leads)
    })
    this.#keepBest(whole)
  }

  #looksCost(word: QueryWord): number {
    // a look does not tell which of its terms a word was found by
    if (word.factors !== undefined) return Number.POSITIVE_INFINITY
    return this.count * LOOK_STEPS * (word.areNeighbours ? 1 : word.places.length)
  }

  #clear(): void {
    this.#work.steps += this.count
    for (let i = 0; i < this.count; i++) this.#forget(this.records[i] as number)
    this.count = 0
  }

  #forget(record: number): void {
    this.score[record] = 0
    this.#matched[record] = 0
    this.#mass[record] = 0
  }

  /** Every record with the word becomes a candidate. The best slots come first: of several terms the best counts. */
  #open({ places, factors, rarity, size }: WeighedWord): void {
    const { score, records } = this
    const matched = this.#matched
    const postingsAt = this.#postingsAt
    const postings = this.#postings
    let count = 0
    for (let slot = 0; slot < OWN_SLOTS; slot++) {
      const gain = rarity * (SLOT_WEIGHT[slot] as number)
      for (let n = 0; n < places.length; n++) {
        const list = (places[n] as number) * SLOTS + slot
        const end = postingsAt[list + 1] as number
        for (let i = postingsAt[list] as number; i < end; i++) {
          const record = postings[i] as number
          if (matched[record] !== 0) continue
          matched[record] = 1
          score[record] = factors === undefined ? gain : gain * (factors[n] as number)
          records[count++] = record
        }
      }
    }
    this.count = count
    this.#work.steps += size
  }

  /**
   * What a word adds to the records that have it. One that leads makes candidates of them all. `turn` tells a record's
   * second term for the word from its first.
   */
  #addByList({ places, factors, rarity, size }: WeighedWord, turn: number, leads: boolean): void {
    const { score, records } = this
    const mass = this.#mass
    const matched = this.#matched
    const postingsAt = this.#postingsAt
    const postings = this.#postings
    let { count } = this
    for (let slot = 0; slot < SLOTS; slot++) {
      const gain = rarity * (SLOT_WEIGHT[slot] as number)
      const share = rarity * (SLOT_SHARE[slot] as number)
      for (let n = 0; n < places.length; n++) {
        const list = (places[n] as number) * SLOTS + slot
        const end = postingsAt[list + 1] as number
        for (let i = postingsAt[list] as number; i < end; i++) {
          const record = postings[i] as number
          const last = matched[record] as number
          if (last === turn) continue
          if (last === 0) {
            if (!leads) continue
            records[count++] = record
          }
          matched[record] = turn
          const factor = factors === undefined ? 1 : (factors[n] as number)
          score[record] = (score[record] as number) + gain * factor
          mass[record] = (mass[record] as number) + share * factor
        }
      }
    }
    this.count = count
    this.#work.steps += size
  }

  #addByLooking(word: WeighedWord): void {
    for (let i = 0; i < this.count; i++) {
      const record = this.records[i] as number
      const slot = this.#slotIn(record, word)
      if (slot === SLOTS) continue
      this.score[record] = (this.score[record] as number) + word.rarity * (SLOT_WEIGHT[slot] as number)
      this.#mass[record] = (this.#mass[record] as number) + word.rarity * (SLOT_SHARE[slot] as number)
    }
    this.#work.steps += this.#looksCost(word)
  }

  #keepBest(whole: number): void {
    const { records, score } = this
    const mass = this.#mass
    let best = 0
    for (let i = 0; i < this.count; i++) {
      const had = mass[records[i] as number] as number
      if (had > best) best = had
    }
    let kept = 0
    let full = 0
    for (let i = 0; i < this.count; i++) {
      const record = records[i] as number
      const had = mass[record] as number
      if (had < best * KEPT_SHARE) this.#forget(record)
      else {
        score[record] = (score[record] as number) * (had / whole)
        records[kept++] = record
        // those with all the words go to the front
        if (had >= whole * ALL_SHARE) {
          records[kept - 1] = records[full] as number
          records[full++] = record
        }
      }
    }
    this.#work.steps += 2 * this.count
    this.count = kept
    this.fullCount = full
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
