/** Correlation of subheadings between earlier editions and today's. */
import { lowerBound } from '../lower-bound.js'
import type { Columns } from '../snapshot/schema.js'
import type { Trie } from './trie.js'

export const SUBHEADING_DIGITS = 6

const NO_TARGETS = new Uint32Array(0)

export class Editions {
  /** By edition: the old codes of each record that is a target in the tables. */
  readonly #sources: Map<number, string[]>[]

  constructor(
    private readonly columns: Columns,
    readonly years: readonly string[],
    private readonly trie: Trie,
  ) {
    this.#sources = years.map((_, edition) => this.#sourcesOf(edition))
  }

  #sourcesOf(edition: number): Map<number, string[]> {
    const { editionAt, editionOld, editionTargetAt, editionTarget } = this.columns
    const sources = new Map<number, string[]>()
    for (let i = editionAt[edition]; i < editionAt[edition + 1]; i++) {
      const code = String(editionOld[i]).padStart(SUBHEADING_DIGITS, '0')
      for (let t = editionTargetAt[i]; t < editionTargetAt[i + 1]; t++) {
        const record = editionTarget[t]
        const known = sources.get(record)
        if (known === undefined) sources.set(record, [code])
        // an unchanged code comes first
        else if (this.trie.find(code) === record) known.unshift(code)
        else known.push(code)
      }
    }
    return sources
  }

  /**
   * Today's records for a subheading of that edition, likeliest first; empty if it did not exist. A code missing from the
   * tables existed if it exists today and is not another code's target.
   */
  targets(year: string, code: string): Uint32Array {
    const edition = this.years.indexOf(year)
    if (edition < 0) return NO_TARGETS
    const { editionTarget, editionTargetAt } = this.columns
    const found = this.#find(edition, Number(code))
    if (found >= 0) return editionTarget.subarray(editionTargetAt[found], editionTargetAt[found + 1])
    const record = this.trie.find(code)
    if (record < 0 || this.#sources[edition]?.has(record)) return NO_TARGETS
    return Uint32Array.of(record)
  }

  /** Targets in the newest edition that had the code. */
  lastTargets(code: string): Uint32Array | undefined {
    for (const year of this.years) {
      const targets = this.targets(year, code)
      if (targets.length > 0) return targets
    }
    return undefined
  }

  #find(edition: number, old: number): number {
    const { editionAt, editionOld } = this.columns
    const end = editionAt[edition + 1]
    const at = lowerBound(editionOld, old, editionAt[edition], end)
    return at < end && editionOld[at] === old ? at : -1
  }

  /** What a subheading was in that edition; the same code first. */
  sources(year: string, record: number, code: string): readonly string[] {
    const edition = this.years.indexOf(year)
    if (edition < 0) return []
    return this.#sources[edition]?.get(record) ?? [code]
  }
}
