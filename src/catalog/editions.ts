/** Correlation of subheadings between earlier editions and the current one. */
import { fromNumber, SUBHEADING_DIGITS } from '../codes/levels.js'
import { lowerBound } from '../lower-bound.js'
import type { Columns } from '../snapshot/schema.js'
import type { Trie } from './trie.js'

const NO_TARGETS = new Uint32Array(0)

/** The six digits of a subheading that a column stores as a number. */
export function subheadingText(code: number): string {
  return fromNumber(code, SUBHEADING_DIGITS)
}

/** The index of `key` in a part of an ascending column, or -1. */
export function indexIn(keys: Uint32Array, key: number, from: number, end: number): number {
  const at = lowerBound(keys, key, from, end)
  return at < end && keys[at] === key ? at : -1
}

export class Editions {
  constructor(
    private readonly columns: Columns,
    readonly years: readonly string[],
    private readonly trie: Trie,
  ) {}

  /**
   * Current records for a subheading of that edition, likeliest first; empty if the edition did not have it. A code that is not
   * in the tables existed in that edition if it exists now and is not the target of another code.
   */
  targets(year: string, code: string): Uint32Array {
    const edition = this.years.indexOf(year)
    if (edition < 0) return NO_TARGETS
    const { editionAt, editionOld, editionTarget, editionTargetAt } = this.columns
    const found = indexIn(editionOld, Number(code), editionAt[edition], editionAt[edition + 1])
    if (found >= 0) return editionTarget.subarray(editionTargetAt[found], editionTargetAt[found + 1])
    const record = this.trie.find(code)
    if (record < 0 || this.#findTarget(edition, record) >= 0) return NO_TARGETS
    return Uint32Array.of(record)
  }

  /** Current records for the code, from the newest earlier edition that had it. */
  lastTargets(code: string): Uint32Array | undefined {
    for (const year of this.years) {
      const targets = this.targets(year, code)
      if (targets.length > 0) return targets
    }
    return undefined
  }

  /** The index of a record's old codes; -1 if the record is not a target in the tables. */
  #findTarget(edition: number, record: number): number {
    const { editionNowAt, editionNow } = this.columns
    return indexIn(editionNow, record, editionNowAt[edition], editionNowAt[edition + 1])
  }

  /** The codes of that edition that became this subheading; the subheading's own code comes first if it is one of them. */
  sources(year: string, record: number, code: string): string[] {
    const edition = this.years.indexOf(year)
    if (edition < 0) return []
    const found = this.#findTarget(edition, record)
    if (found < 0) return [code]
    const { editionSourceAt, editionSource } = this.columns
    return Array.from(editionSource.subarray(editionSourceAt[found], editionSourceAt[found + 1]), subheadingText)
  }
}
