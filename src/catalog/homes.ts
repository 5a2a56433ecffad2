/** Which heading a record belongs to, close together: a search asks that of every record it finds. */
import type { Columns } from '../snapshot/schema.js'

/** Sort keys have 14 digits; a heading is the first four. */
const HEADING_UNIT = 1e10
export const HEADINGS = 10_000

export class Homes {
  /** By record; of a chapter its two digits and two zeros. */
  readonly headings: Uint16Array

  constructor({ sortKey }: Pick<Columns, 'sortKey'>) {
    this.headings = new Uint16Array(sortKey.length)
    for (let i = 0; i < sortKey.length; i++)
      this.headings[i] = Math.floor((sortKey[i] as number) / HEADING_UNIT)
  }
}
