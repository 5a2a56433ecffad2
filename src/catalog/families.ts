/** Family evidence: what a record is worth because its whole heading speaks of the words. */
import type { Columns } from '../snapshot/schema.js'
import type { WeighedWord } from './candidates.js'

/** Sort keys have 14 digits; a heading is the first four. */
const HEADING_UNIT = 1e10
const HEADINGS = 10_000
/** What a family that speaks of nothing else, and alone, adds to the score of its records. */
const GAIN = 3
/** A chapter is the answer only where it speaks of little else. */
const CHAPTER_SHARE = 0.5

/** By cover and share, each in 255ths. */
const WORTH = Float32Array.from({ length: 65_536 }, (_, i) => Math.sqrt((i >> 8) * (i & 255)) / 255)

export class Families {
  readonly #familyAt: Uint32Array
  readonly #families: Uint32Array
  readonly #headingOf: Uint16Array
  /** By heading; all 0 between two queries. */
  readonly #worth = new Float32Array(HEADINGS)
  readonly #best = new Float32Array(HEADINGS)
  readonly #touched: number[] = []

  constructor({ familyAt, families, sortKey }: Columns) {
    this.#familyAt = familyAt
    this.#families = families
    this.#headingOf = Uint16Array.from(sortKey, key => Math.floor(key / HEADING_UNIT))
  }

  /** For the words of a query; `clear` after it. */
  gather(words: readonly WeighedWord[]): void {
    const whole = words.reduce((sum, { rarity }) => sum + rarity, 0)
    for (const { places, rarity, weight } of words) {
      const part = (rarity / whole) * weight
      const start = this.#touched.length
      for (const place of places) {
        const end = this.#familyAt[place + 1] as number
        for (let i = this.#familyAt[place] as number; i < end; i++) {
          const packed = this.#families[i] as number
          const heading = packed >>> 16
          const worth = (WORTH[packed & 65_535] as number) * part
          if ((this.#best[heading] as number) === 0) this.#touched.push(heading)
          if (worth > (this.#best[heading] as number)) this.#best[heading] = worth
        }
      }
      for (let i = start; i < this.#touched.length; i++) {
        const heading = this.#touched[i] as number
        this.#worth[heading] = (this.#worth[heading] as number) + (this.#best[heading] as number)
        this.#best[heading] = 0
      }
    }
  }

  /** What a record's score is multiplied by. */
  worth(record: number): number {
    const heading = this.#headingOf[record] as number
    const own = this.#worth[heading] as number
    return 1 + GAIN * (heading % 100 === 0 ? own * CHAPTER_SHARE : own)
  }

  clear(): void {
    for (const heading of this.#touched) this.#worth[heading] = 0
    this.#touched.length = 0
  }
}
