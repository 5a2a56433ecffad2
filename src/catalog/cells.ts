/**
 * What a query works out about a record, beside what it needs to know of it: four numbers a record that lie in one line of
 * the processor's cache. In columns of their own they would be four lines, and waiting for these is most of a search.
 */
import type { Columns } from '../snapshot/schema.js'

/** Sort keys have 14 digits; a heading is the first four. */
const HEADING_UNIT = 1e10
export const HEADINGS = 10_000

/** Numbers a record. */
export const CELL = 4
/** What the record is worth so far. */
export const SCORE = 0
/** Share of the query that it has, by rarity. */
export const MASS = 1
/** What is known of its phrases: see `toldOf`. */
export const TOLD = 2
/** Its heading, and above that its number of digits; set once. */
const HOME = 3
const HEADING_BITS = 14

/**
 * Added to `TOLD` for a word that stands in one phrase of the record or more; what the column `alone` has of it is added,
 * too. A word of which that does not tell enough counts as two.
 */
export const WORD_TOLD = 256

export class Cells {
  readonly floats: Float32Array
  readonly numbers: Uint32Array

  constructor({ sortKey, level }: Pick<Columns, 'sortKey' | 'level'>) {
    const records = sortKey.length
    this.floats = new Float32Array(records * CELL)
    this.numbers = new Uint32Array(this.floats.buffer)
    for (let record = 0; record < records; record++) {
      const heading = Math.floor((sortKey[record] as number) / HEADING_UNIT)
      this.numbers[record * CELL + HOME] = heading + ((level[record] as number) << HEADING_BITS)
    }
  }

  heading(record: number): number {
    return (this.numbers[record * CELL + HOME] as number) & ((1 << HEADING_BITS) - 1)
  }

  digits(record: number): number {
    return (this.numbers[record * CELL + HOME] as number) >>> HEADING_BITS
  }

  told(record: number): number {
    return this.numbers[record * CELL + TOLD] as number
  }
}
