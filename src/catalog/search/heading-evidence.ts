/**
 * How far each heading is about the words of a query: nearly every code of 0902 says tea, one of 2921 does. The build keeps
 * for every term the headings and chapters that it is at home in.
 */
import type { Columns } from '../../snapshot/schema.js'
import type { QueryWord } from './find-terms.js'
import type { Steps } from './steps.js'
import { CHAPTER_SHARE, HEADING_GAIN } from './weights.js'

/** Sort keys have 14 digits; a heading is the first four, a chapter its two digits and two zeros. */
const HEADING_UNIT = 1e10
const HEADINGS = 10_000
/** Homes of a term carry their worth as a whole number up to this. */
export const HOME_WORTH_MAX = 65_535

type EvidenceColumns = Pick<Columns, 'familyAt' | 'familyHeading' | 'familyWorth' | 'sortKey'>

export class HeadingEvidence {
  readonly #familyAt: Uint32Array
  readonly #familyHeading: Uint16Array
  readonly #familyWorth: Uint16Array
  readonly #steps: Steps
  /** By record. */
  readonly #headings: Uint16Array
  /** By heading, from 0 to 1; made anew for each query. */
  readonly #worth = new Float64Array(HEADINGS)

  constructor({ familyAt, familyHeading, familyWorth, sortKey }: EvidenceColumns, steps: Steps) {
    this.#steps = steps
    this.#familyAt = familyAt
    this.#familyHeading = familyHeading
    this.#familyWorth = familyWorth
    this.#headings = Uint16Array.from(sortKey, key => Math.floor(key / HEADING_UNIT))
  }

  headingOf(record: number): number {
    return this.#headings[record]
  }

  /** Weighs all headings against the words of a query. */
  weigh(words: readonly QueryWord[]): void {
    this.#worth.fill(0)
    let whole = 0
    for (const { rarity } of words) whole += rarity
    for (const word of words) {
      const part = (word.rarity / whole) * word.weight
      for (const [heading, worth] of this.#homesOf(word)) this.#worth[heading] = this.#worth[heading] + worth * part
    }
  }

  /** The homes of a word; of several terms that stand for it the one most at home counts. */
  #homesOf({ termIds }: QueryWord): Map<number, number> {
    const homes = new Map<number, number>()
    for (const termId of termIds) {
      const start = this.#familyAt[termId]
      const end = this.#familyAt[termId + 1]
      if (!this.#steps.take(end - start)) break
      for (let i = start; i < end; i++) {
        const heading = this.#familyHeading[i]
        const isChapter = heading % 100 === 0
        const worth = (this.#familyWorth[i] / HOME_WORTH_MAX) * (isChapter ? CHAPTER_SHARE : 1)
        if (worth > (homes.get(heading) ?? 0)) homes.set(heading, worth)
      }
    }
    return homes
  }

  /** How far a heading is about the query, from 0 to 1. */
  worth(heading: number): number {
    return this.#worth[heading]
  }

  /** All headings and chapters that are about the query, most first; numbered as above. */
  headings(): { heading: number; worth: number }[] {
    const found: { heading: number; worth: number }[] = []
    this.#worth.forEach((worth, heading) => {
      if (worth > 0) found.push({ heading, worth })
    })
    return found.sort((a, b) => b.worth - a.worth || a.heading - b.heading)
  }

  /** What the score of a record is multiplied by. */
  factor(record: number): number {
    return 1 + HEADING_GAIN * this.worth(this.headingOf(record))
  }
}
