/**
 * The records that say both of two words in full, in one of their phrases each; what a synonym alone brings is left out here. That
 * nearly all queries find too few of them costs little: a byte a record tells where the first word stands, and nothing is worked
 * out for those with one word.
 */
import type { Columns } from '../snapshot/schema.js'
import type { Families } from './families.js'
import type { Matches } from './matches.js'
import type { QueryWord } from './query.js'
import { PHRASE_SLOTS, SLOT_WEIGHT, SLOTS } from './ranking.js'
import type { Work } from './work.js'

/** In place of the slot of a word, which is one of a phrase: a longer one stands there. */
const LONGER = PHRASE_SLOTS
/** The last number from which on slots are noted in a byte. */
const NOTED_MAX = 256 - SLOTS

export class Pairs {
  /** Per record, where the first word stands, counted from a number that rises with every query. */
  readonly #slotOfFirst: Uint8Array
  #notedFrom = 0
  readonly #both: Uint32Array
  readonly #postingsAt: Uint32Array
  readonly #postings: Uint32Array
  readonly #families: Families
  readonly #work: Work

  constructor(columns: Columns, families: Families, work: Work) {
    this.#slotOfFirst = new Uint8Array(columns.termsAt.length - 1)
    this.#both = new Uint32Array(columns.termsAt.length - 1)
    this.#postingsAt = columns.postingsAt
    this.#postings = columns.postings
    this.#families = families
    this.#work = work
  }

  /** How many records say a word, those counted again that say it in several ways. */
  said({ places }: QueryWord): number {
    let count = 0
    for (let n = 0; n < places.length; n++) {
      const lists = (places[n] as number) * SLOTS
      count += (this.#postingsAt[lists + PHRASE_SLOTS] as number) - (this.#postingsAt[lists] as number)
    }
    return count
  }

  /** Lists them with what each is worth, and tells how many they are. */
  take(first: QueryWord, second: QueryWord, found: Matches): number {
    const own = this.#begin()
    if (first.places.length === 1) this.#noteTerm(first.places[0] as number, own)
    else this.#noteTerms(first, own)
    if (second.places.length === 1) this.#takeTerm(first, second, own, found)
    else this.#takeTerms(first, second, own, found)
    this.#work.steps += this.said(first) + this.said(second)
    return found.count
  }

  /** What it gives is more than what earlier queries left: these need not be forgotten. */
  #begin(): number {
    if (this.#notedFrom + SLOTS > NOTED_MAX) {
      this.#slotOfFirst.fill(0)
      this.#notedFrom = 0
    }
    this.#notedFrom += SLOTS
    return this.#notedFrom
  }

  /** No record is twice among a term's. */
  #noteTerm(place: number, own: number): void {
    const slots = this.#slotOfFirst
    const postings = this.#postings
    const lists = place * SLOTS
    for (let slot = 0; slot < PHRASE_SLOTS; slot++) {
      const noted = own + slot
      const end = this.#postingsAt[lists + slot + 1] as number
      let i = this.#postingsAt[lists + slot] as number
      // four at a time: counting and asking for the end would be half of it
      for (; i < end - 3; i += 4) {
        slots[postings[i] as number] = noted
        slots[postings[i + 1] as number] = noted
        slots[postings[i + 2] as number] = noted
        slots[postings[i + 3] as number] = noted
      }
      for (; i < end; i++) slots[postings[i] as number] = noted
    }
  }

  /** The best slots come first: of several terms the best counts. */
  #noteTerms({ places, wholeCount }: QueryWord, own: number): void {
    const slots = this.#slotOfFirst
    for (let slot = 0; slot < PHRASE_SLOTS; slot++) {
      for (let n = 0; n < places.length; n++) {
        const noted = own + (n < wholeCount ? slot : LONGER)
        const list = (places[n] as number) * SLOTS + slot
        const end = this.#postingsAt[list + 1] as number
        for (let i = this.#postingsAt[list] as number; i < end; i++) {
          const record = this.#postings[i] as number
          if ((slots[record] as number) < own) slots[record] = noted
        }
      }
    }
  }

  /** Those with both are gathered first: a loop that does nothing else is short. */
  #takeTerm(first: QueryWord, { places, rarity }: QueryWord, own: number, found: Matches): void {
    const slots = this.#slotOfFirst
    const both = this.#both
    const lists = (places[0] as number) * SLOTS
    let kept = 0
    for (let slot = 0; slot < PHRASE_SLOTS; slot++) {
      const gain = rarity * (SLOT_WEIGHT[slot] as number)
      const count = this.#gather(lists + slot, own)
      for (let i = 0; i < count; i++) {
        const record = both[i] as number
        const noted = (slots[record] as number) - own
        if (noted === LONGER) continue
        const worth = Math.fround(gain + first.rarity * (SLOT_WEIGHT[noted] as number))
        found.set(kept++, record, worth * this.#families.factor(record))
      }
    }
    found.count = kept
  }

  /** The records of a list that are noted, and how many they are. */
  #gather(list: number, own: number): number {
    const slots = this.#slotOfFirst
    const both = this.#both
    const postings = this.#postings
    const end = this.#postingsAt[list + 1] as number
    let i = this.#postingsAt[list] as number
    let count = 0
    for (; i < end - 3; i += 4) {
      const a = postings[i] as number
      const b = postings[i + 1] as number
      const c = postings[i + 2] as number
      const d = postings[i + 3] as number
      if ((slots[a] as number) >= own) both[count++] = a
      if ((slots[b] as number) >= own) both[count++] = b
      if ((slots[c] as number) >= own) both[count++] = c
      if ((slots[d] as number) >= own) both[count++] = d
    }
    for (; i < end; i++) {
      const record = postings[i] as number
      if ((slots[record] as number) >= own) both[count++] = record
    }
    return count
  }

  #takeTerms(first: QueryWord, second: QueryWord, own: number, found: Matches): void {
    const slots = this.#slotOfFirst
    let count = 0
    for (let slot = 0; slot < PHRASE_SLOTS; slot++) {
      const gain = second.rarity * (SLOT_WEIGHT[slot] as number)
      for (let n = 0; n < second.places.length; n++) {
        const list = (second.places[n] as number) * SLOTS + slot
        const isWhole = n < second.wholeCount
        const end = this.#postingsAt[list + 1] as number
        for (let i = this.#postingsAt[list] as number; i < end; i++) {
          const record = this.#postings[i] as number
          const noted = (slots[record] as number) - own
          if (noted < 0) continue
          slots[record] = 0
          if (noted === LONGER || !isWhole) continue
          const worth = Math.fround(gain + first.rarity * (SLOT_WEIGHT[noted] as number))
          found.set(count++, record, worth * this.#families.factor(record))
        }
      }
    }
    found.count = count
  }
}
