/** How much each heading is about the query: nearly every code of 0902 mentions tea, but only one of 2921. */
import type { Columns } from '../../snapshot/schema.js'
import type { QueryWord } from './find-terms.js'
import type { Steps } from './steps.js'
import { CHAPTER_SHARE, HEADING_GAIN } from './weights.js'

/** Divides a 14-digit sort key into its heading; a chapter is its two digits and two zeros. */
const HEADING_UNIT = 1e10
const HEADINGS = 10_000
/** Evidence is stored as an integer up to this, in columns that call a heading with its codes a family. */
export const EVIDENCE_MAX = 65_535

type EvidenceColumns = Pick<Columns, 'familyAt' | 'familyHeading' | 'familyWorth' | 'sortKey'>

export class HeadingEvidence {
  readonly #columns: EvidenceColumns
  readonly #steps: Steps
  /** By record. */
  readonly #headings: Uint16Array
  /** By heading, 0 to 1, for the current query. */
  readonly #evidence = new Float64Array(HEADINGS)

  constructor(columns: EvidenceColumns, steps: Steps) {
    this.#steps = steps
    this.#columns = columns
    this.#headings = Uint16Array.from(columns.sortKey, key => Math.floor(key / HEADING_UNIT))
  }

  headingOf(record: number): number {
    return this.#headings[record]
  }

  weigh(words: readonly QueryWord[]): void {
    this.#evidence.fill(0)
    let whole = 0
    for (const { rarity } of words) whole += rarity
    for (const word of words) {
      const part = (word.rarity / whole) * word.weight
      for (const [heading, evidence] of this.#evidenceOf(word))
        this.#evidence[heading] = this.#evidence[heading] + evidence * part
    }
  }

  /** The strongest evidence among the word's terms, by heading. */
  #evidenceOf({ termIds }: QueryWord): Map<number, number> {
    const { familyAt, familyHeading, familyWorth } = this.#columns
    const strongest = new Map<number, number>()
    for (const termId of termIds) {
      const start = familyAt[termId]
      const end = familyAt[termId + 1]
      if (!this.#steps.take(end - start)) break
      for (let i = start; i < end; i++) {
        const heading = familyHeading[i]
        const isChapter = heading % 100 === 0
        const evidence = (familyWorth[i] / EVIDENCE_MAX) * (isChapter ? CHAPTER_SHARE : 1)
        if (evidence > (strongest.get(heading) ?? 0)) strongest.set(heading, evidence)
      }
    }
    return strongest
  }

  /** Headings and chapters with evidence, strongest first. */
  headings(): { heading: number; evidence: number }[] {
    const found: { heading: number; evidence: number }[] = []
    this.#evidence.forEach((evidence, heading) => {
      if (evidence > 0) found.push({ heading, evidence })
    })
    return found.sort((a, b) => b.evidence - a.evidence || a.heading - b.heading)
  }

  /** Multiplies the score of a record. */
  factor(record: number): number {
    return 1 + HEADING_GAIN * this.#evidence[this.headingOf(record)]
  }
}
