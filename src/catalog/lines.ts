/** Declarable lines at or below a code: a contiguous run in code order. */
import { CODE_DIGITS_MAX } from '../limits.js'
import { partitionPoint } from '../lower-bound.js'
import type { Columns } from '../snapshot/schema.js'

export class Lines {
  /** Line lengths, ascending. */
  readonly digits: readonly number[]
  /** Records grouped by line length, each group in code order. */
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

  /** Number of digits of the longest lines, under which goods are declared; 0 if the dataset has no lines. */
  get longest(): number {
    return this.digits.at(-1) ?? 0
  }

  /** Lines of this length (one of `this.digits`) at or below a record, as positions in `order`. */
  below(record: number, digits: number): { first: number; end: number } {
    const group = this.digits.indexOf(digits)
    const from = this.#at[group]
    const to = this.#at[group + 1]
    const level = this.#level[record]
    if (level > digits) return { first: from, end: from }
    const key = this.#sortKey[record]
    const first = this.#lowerBound(key, from, to)
    return { first, end: this.#lowerBound(key + 10 ** (CODE_DIGITS_MAX - level), first, to) }
  }

  countBelow(record: number): number {
    if (this.digits.length === 0) return 0
    const { first, end } = this.below(record, this.longest)
    return end - first
  }

  #lowerBound(key: number, from: number, to: number): number {
    return partitionPoint(from, to, position => this.#sortKey[this.order[position]] < key)
  }
}
