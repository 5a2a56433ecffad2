/** What became of the subheadings of earlier editions, and what today's were. */
import { lowerBound } from '../lower-bound.js'
import type { Columns } from '../snapshot/schema.js'
import type { Trie } from './trie.js'

/** Digits of a subheading: editions differ in these. */
export const SUBHEADING_DIGITS = 6

const NOTHING = new Uint32Array(0)
const NO_CODES: readonly string[] = []

export class Editions {
  /** Years, newest first. */
  readonly years: readonly string[]
  readonly #trie: Trie
  readonly #at: Uint32Array
  readonly #old: Uint32Array
  readonly #targetAt: Uint32Array
  readonly #target: Uint32Array
  /** By edition: the old codes of a record that the tables name as a target. */
  readonly #sources: Map<number, string[]>[]

  constructor(columns: Columns, years: readonly string[], trie: Trie) {
    this.years = years
    this.#trie = trie
    this.#at = columns.editionAt
    this.#old = columns.editionOld
    this.#targetAt = columns.editionTargetAt
    this.#target = columns.editionTarget
    this.#sources = years.map((_, edition) => this.#sourcesOf(edition))
  }

  #sourcesOf(edition: number): Map<number, string[]> {
    const sources = new Map<number, string[]>()
    for (let i = this.#at[edition]; i < this.#at[edition + 1]; i++) {
      const code = String(this.#old[i]).padStart(SUBHEADING_DIGITS, '0')
      for (let t = this.#targetAt[i]; t < this.#targetAt[i + 1]; t++) {
        const record = this.#target[t]
        const known = sources.get(record)
        if (known === undefined) sources.set(record, [code])
        // the code that kept its number comes first
        else if (this.#trie.find(code) === record) known.unshift(code)
        else known.push(code)
      }
    }
    return sources
  }

  /**
   * What a subheading of that edition is now: records, the likeliest first; none where it did not exist. A code that no
   * table names existed if it exists today, unless today's came from others.
   */
  targets(year: string, code: string): Uint32Array {
    const edition = this.years.indexOf(year)
    if (edition < 0) return NOTHING
    const found = this.#find(edition, Number(code))
    if (found >= 0) return this.#target.subarray(this.#targetAt[found], this.#targetAt[found + 1])
    const record = this.#trie.find(code)
    if (record < 0 || this.#sources[edition]?.has(record)) return NOTHING
    return Uint32Array.of(record)
  }

  /** As `targets`, of the newest edition that had the code; undefined where none did. Not for codes that exist today. */
  lastTargets(code: string): Uint32Array | undefined {
    for (const year of this.years) {
      const targets = this.targets(year, code)
      if (targets.length > 0) return targets
    }
    return undefined
  }

  #find(edition: number, old: number): number {
    const end = this.#at[edition + 1]
    const at = lowerBound(this.#old, old, this.#at[edition], end)
    return at < end && this.#old[at] === old ? at : -1
  }

  /** Old codes of one record, at most, over all editions. */
  get codesMax(): number {
    const most = this.#sources.map(of => [...of.values()].reduce((max, { length }) => Math.max(max, length), 1))
    return most.reduce((sum, max) => sum + max, 0)
  }

  /** What a subheading was in that edition: the same code first. */
  sources(year: string, record: number, code: string): readonly string[] {
    const edition = this.years.indexOf(year)
    if (edition < 0) return NO_CODES
    return this.#sources[edition]?.get(record) ?? [code]
  }
}
