/** How much each heading is about the query. For "tea", heading 0902 counts more than 2921, where one code mentions tea. */
import type { Columns } from '../../snapshot/schema.js'
import type { QueryWord } from './find-terms.js'
import type { Steps } from './steps.js'
import { CHAPTER_EVIDENCE } from './weights.js'

/** A 14-digit sort key divided by this gives its heading; a chapter's number is its two digits followed by two zeros. */
const HEADING_UNIT = 1e10
/** Headings are numbered by their four digits. */
export const HEADING_NUMBERS = 10_000
/** The columns store evidence of 1 as this integer. */
export const EVIDENCE_MAX = 65_535

type EvidenceColumns = Pick<Columns, 'evidenceAt' | 'evidenceHeading' | 'evidence' | 'sortKey'>

export class HeadingEvidence {
  /** By record: its heading or chapter. */
  readonly headingOf: Uint16Array

  constructor(
    private readonly columns: EvidenceColumns,
    private readonly steps: Steps,
  ) {
    this.headingOf = Uint16Array.from(columns.sortKey, key => Math.floor(key / HEADING_UNIT))
  }

  /** Evidence for the words by heading or chapter; at most 1. */
  of(words: readonly QueryWord[]): Map<number, number> {
    const sums = new Map<number, number>()
    const whole = words.reduce((sum, { rarity }) => sum + rarity, 0)
    for (const word of words) {
      const part = (word.rarity / whole) * word.weight
      for (const [heading, evidence] of this.#ofWord(word)) sums.set(heading, (sums.get(heading) ?? 0) + evidence * part)
    }
    return sums
  }

  /** The strongest evidence among the word's terms, by heading. */
  #ofWord({ termIds }: QueryWord): Map<number, number> {
    const { evidenceAt, evidenceHeading, evidence } = this.columns
    const strongest = new Map<number, number>()
    for (const termId of termIds) {
      const start = evidenceAt[termId]
      const end = evidenceAt[termId + 1]
      if (!this.steps.take(end - start)) break
      for (let i = start; i < end; i++) {
        const heading = evidenceHeading[i]
        const isChapter = heading % 100 === 0
        const value = (evidence[i] / EVIDENCE_MAX) * (isChapter ? CHAPTER_EVIDENCE : 1)
        if (value > (strongest.get(heading) ?? 0)) strongest.set(heading, value)
      }
    }
    return strongest
  }
}
