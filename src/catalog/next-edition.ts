/** The subheadings of the next edition that replace the current ones. They have no records yet. */
import { NEXT_CERTAINTIES, NEXT_PARTS, type NextCertainty, type NextPart } from '../snapshot/format.js'
import type { Columns } from '../snapshot/schema.js'
import { indexIn, subheadingText } from './editions.js'
import type { Records } from './records.js'

export interface NextTarget {
  hs_code: string
  part: NextPart
  certainty: NextCertainty
}

const NO_CODES: readonly string[] = []

export class NextEdition {
  /** By code of the next edition: the current records that the code replaces, wholly or in part. */
  readonly #sources = new Map<number, number[]>()

  constructor(
    private readonly columns: Columns,
    /** Empty if the dataset does not cover the next edition. */
    readonly year: string,
    private readonly records: Records,
  ) {
    const { nextRecord, nextTargetAt, nextTarget } = columns
    nextRecord.forEach((record, i) => {
      for (let t = nextTargetAt[i]; t < nextTargetAt[i + 1]; t++) {
        const sources = this.#sources.get(nextTarget[t])
        if (sources === undefined) this.#sources.set(nextTarget[t], [record])
        else sources.push(record)
      }
    })
  }

  #find(subheading: number): number {
    const { nextRecord } = this.columns
    return indexIn(nextRecord, subheading, 0, nextRecord.length)
  }

  /** Whether the number or the scope of a subheading changes. */
  changes(subheading: number): boolean {
    return this.#find(subheading) >= 0
  }

  /** The codes that replace a subheading, likeliest first. A subheading that is not in the table keeps its number and scope. */
  targets(subheading: number): NextTarget[] {
    const found = this.#find(subheading)
    if (found < 0) return [{ hs_code: this.records.code(subheading), part: 'whole', certainty: 'published' }]
    const { nextTargetAt, nextTarget, nextPart, nextCertainty } = this.columns
    const targets: NextTarget[] = []
    for (let t = nextTargetAt[found]; t < nextTargetAt[found + 1]; t++)
      targets.push({
        hs_code: subheadingText(nextTarget[t]),
        part: NEXT_PARTS[nextPart[t]],
        certainty: NEXT_CERTAINTIES[nextCertainty[t]],
      })
    return targets
  }

  /** Current codes that this code of the next edition replaces; empty if the table does not have it. */
  sources(code: string): readonly string[] {
    const sources = this.#sources.get(Number(code))
    return sources === undefined ? NO_CODES : sources.map(record => this.records.code(record))
  }
}
