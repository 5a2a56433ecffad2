/** The lines that goods are declared on, at or below a code: neighbours in the order of codes. */

import { CODE_DIGITS_MAX } from '../limits.js'
import { partitionPoint } from '../lower-bound.js'
import type { Columns } from '../snapshot/schema.js'

/** A run of lines. */
export interface LineRun {
  /** Positions in `order`. */
  first: number
  end: number
}

export class Lines {
  /** Line lengths, ascending. */
  readonly digits: readonly number[]
  /** Records of one line length after those of another, each in the order of codes. */
  readonly order: Uint32Array
  readonly #at: Uint32Array
  readonly #sortKey: Float64Array
  readonly #level: Uint8Array

  constructor({ lines, lineAt, sortKey, level }: Columns, digits: readonly number[]) {
    this.digits = digits
    this.order = lines
    this.#at = lineAt
    this.#sortKey = sortKey
    this.#level = level
  }

  /** The length of the longest lines, on which goods are declared; 0 where there are none. */
  get longest(): number {
    return this.digits.at(-1) ?? 0
  }

  /** The lines of a length (one of `digits`) that stand at or below a record. */
  below(record: number, digits: number): LineRun {
    const place = this.digits.indexOf(digits)
    const from = this.#at[place]
    const to = this.#at[place + 1]
    const level = this.#level[record]
    if (level > digits) return { first: from, end: from }
    const key = this.#sortKey[record]
    const first = this.#firstFrom(key, from, to)
    return { first, end: this.#firstFrom(key + 10 ** (CODE_DIGITS_MAX - level), first, to) }
  }

  /** How many of the longest lines stand at or below a record. */
  countBelow(record: number): number {
    if (this.digits.length === 0) return 0
    const { first, end } = this.below(record, this.longest)
    return end - first
  }

  #firstFrom(key: number, from: number, to: number): number {
    return partitionPoint(from, to, position => this.#sortKey[this.order[position]] < key)
  }
}
