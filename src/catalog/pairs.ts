/**
 * The records that have both of two words in full among their own. That nearly all queries find too few of them costs little: a
 * byte a record tells where the first word stands, and nothing is worked out for those with one word.
 */
import type { Columns } from '../snapshot/schema.js'
import type { Families } from './families.js'
import type { Homes } from './homes.js'
import type { Matches } from './matches.js'
import type { QueryWord } from './query.js'
import { OWN_SLOTS, SLOT_WEIGHT, SLOTS } from './ranking.js'
import type { Work } from './work.js'

/** In place of the slot of a word, which is one of its own: a longer one stands there. */
const LONGER = OWN_SLOTS
/** The last number from which on slots are noted in a byte. */
const NOTED_MAX = 256 - SLOTS

export class Pairs {
  /** Per record, where the first word stands, counted from a number that rises with every query. */
  readonly #slotOfFirst: Uint8Array
  #notedFrom = 0
  readonly #homes: Homes
  readonly #postingsAt: Uint32Array
  readonly #postings: Uint32Array
  readonly #families: Families
  readonly #work: Work

  constructor(columns: Columns, homes: Homes, families: Families, work: Work) {
    this.#slotOfFirst = new Uint8Array(columns.termsAt.length - 1)
    this.#homes = homes
    this.#postingsAt = columns.postingsAt
    this.#postings = columns.postings
    this.#families = families
    this.#work = work
  }

  /** Lists them with what each is worth, and tells how many they are. */
  take(first: QueryWord, second: QueryWord, found: Matches): number {
    const slots = this.#slotOfFirst
    const own = this.#note(first)
    const postingsAt = this.#postingsAt
    const postings = this.#postings
    let count = 0
    for (let slot = 0; slot < OWN_SLOTS; slot++) {
      const gain = second.rarity * (SLOT_WEIGHT[slot] as number)
      for (let n = 0; n < second.places.length; n++) {
        const list = (second.places[n] as number) * SLOTS + slot
        const isWhole = n < second.wholeCount
        const end = postingsAt[list + 1] as number
        for (let i = postingsAt[list] as number; i < end; i++) {
          const record = postings[i] as number
          const noted = (slots[record] as number) - own
          if (noted < 0) continue
          // of several terms the one in the best slot counts
          slots[record] = 0
          if (noted === LONGER || !isWhole) continue
          const gained = gain + first.rarity * (SLOT_WEIGHT[noted] as number)
          found.records[count] = record
          found.scores[count++] = gained * this.#families.worth(this.#homes.heading(record))
        }
      }
    }
    this.#work.steps += first.size + second.size
    found.count = count
    return count
  }

  /** The best slots come first. What it gives is more than what earlier queries left: these need not be forgotten. */
  #note({ places, wholeCount }: QueryWord): number {
    const slots = this.#slotOfFirst
    if (this.#notedFrom + SLOTS > NOTED_MAX) {
      slots.fill(0)
      this.#notedFrom = 0
    }
    this.#notedFrom += SLOTS
    const own = this.#notedFrom
    for (let slot = 0; slot < OWN_SLOTS; slot++) {
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
    return own
  }
}
