/** Family evidence: what a record is worth because its whole heading speaks of the words. */
import type { Columns } from '../snapshot/schema.js'
import { HEADINGS, type Homes } from './homes.js'
import type { QueryWord } from './query.js'

/** What a family that speaks of nothing else, and alone, adds to the score of its records. */
const GAIN = 3
/** A chapter is the answer only where it speaks of little else. */
const CHAPTER_SHARE = 0.5

/** By cover and share, each in 255ths. */
const WORTH = new Float32Array(65_536)
for (let i = 0; i < WORTH.length; i++) WORTH[i] = Math.sqrt((i >> 8) * (i & 255)) / 255

function shareOf(heading: number): number {
  return heading % 100 === 0 ? CHAPTER_SHARE : 1
}

export class Families {
  readonly #familyAt: Uint32Array
  readonly #families: Uint32Array
  readonly #headings: Uint16Array
  /** By heading, what the score of its records is multiplied by; all 1 between two queries. */
  readonly #factors = new Float64Array(HEADINGS).fill(1)
  /** By heading; all 0 between two queries. */
  readonly #worth = new Float32Array(HEADINGS)
  readonly #best = new Float32Array(HEADINGS)
  /** The first `touchedCount` of these: it is never shortened, so that it is never made anew. */
  readonly #touched: number[] = []
  #touchedCount = 0

  constructor({ familyAt, families }: Pick<Columns, 'familyAt' | 'families'>, homes: Homes) {
    this.#headings = homes.headings
    this.#familyAt = familyAt
    this.#families = families
  }

  /** For the words of a query; `clear` after it. */
  gather(words: readonly QueryWord[]): void {
    let whole = 0
    for (let i = 0; i < words.length; i++) whole += (words[i] as QueryWord).rarity
    for (let i = 0; i < words.length; i++) {
      const { places, rarity, weight } = words[i] as QueryWord
      const part = (rarity / whole) * weight
      if (places.length === 1) this.#addOne(places[0] as number, part)
      else this.#addBest(places, part)
    }
    for (let i = 0; i < this.#touchedCount; i++) {
      const heading = this.#touched[i] as number
      this.#factors[heading] = 1 + GAIN * (this.#worth[heading] as number)
    }
  }

  /** No two homes of a term are the same. */
  #addOne(place: number, part: number): void {
    const worths = this.#worth
    const families = this.#families
    const end = this.#familyAt[place + 1] as number
    for (let i = this.#familyAt[place] as number; i < end; i++) {
      const packed = families[i] as number
      const heading = packed >>> 16
      this.#touched[this.#touchedCount++] = heading
      worths[heading] =
        (worths[heading] as number) +
        Math.fround((WORTH[packed & 65_535] as number) * part * shareOf(heading))
    }
  }

  /** Of several terms for a word the best counts. */
  #addBest(places: readonly number[], part: number): void {
    const best = this.#best
    const start = this.#touchedCount
    for (let n = 0; n < places.length; n++) {
      const place = places[n] as number
      const end = this.#familyAt[place + 1] as number
      for (let i = this.#familyAt[place] as number; i < end; i++) {
        const packed = this.#families[i] as number
        const heading = packed >>> 16
        const worth = (WORTH[packed & 65_535] as number) * part * shareOf(heading)
        if (best[heading] === 0) this.#touched[this.#touchedCount++] = heading
        if (worth > (best[heading] as number)) best[heading] = worth
      }
    }
    for (let i = start; i < this.#touchedCount; i++) {
      const heading = this.#touched[i] as number
      this.#worth[heading] = (this.#worth[heading] as number) + (best[heading] as number)
      best[heading] = 0
    }
  }

  /** What the score of a record is multiplied by. */
  factor(record: number): number {
    return this.#factors[this.#headings[record] as number] as number
  }

  clear(): void {
    for (let i = 0; i < this.#touchedCount; i++) {
      const heading = this.#touched[i] as number
      this.#worth[heading] = 0
      this.#factors[heading] = 1
    }
    this.#touchedCount = 0
  }
}
