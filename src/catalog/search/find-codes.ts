/** Codes by their first digits, and whether a code is at or below another. */

import { CODE_DIGITS_MAX } from '../../limits.js'
import { partitionPoint } from '../../lower-bound.js'
import type { Columns } from '../../snapshot/schema.js'

/** Codes as numbers of the most digits there are. */
const lowest = (prefix: string) => Number(prefix.padEnd(CODE_DIGITS_MAX, '0'))
const highest = (prefix: string) => Number(prefix.padEnd(CODE_DIGITS_MAX, '9'))

export class CodeFinder {
  readonly #level: Uint8Array
  readonly #sortKey: Float64Array
  /** Active records in code order, and their keys. */
  readonly #order: Uint32Array

  constructor({ level, sortKey, codeOrder }: Pick<Columns, 'level' | 'sortKey' | 'codeOrder'>) {
    this.#level = level
    this.#sortKey = sortKey
    this.#order = codeOrder
  }

  /** All active codes that begin with these digits, in order. */
  withPrefix(prefix: string): number[] {
    if (prefix.length > CODE_DIGITS_MAX) return []
    const found: number[] = []
    for (let i = this.#firstFrom(lowest(prefix)); i < this.#order.length; i++) {
      const record = this.#order[i]
      if (this.#sortKey[record] > highest(prefix)) break
      // 85 and 8500 share a sort key; only the longer one begins with 8500
      if (this.#level[record] >= prefix.length) found.push(record)
    }
    return found
  }

  /** The test for being at or below a code; '' is above all. */
  isWithin(code: string): (record: number) => boolean {
    if (code === '') return () => true
    const [low, high] = [lowest(code), highest(code)]
    return record => {
      const key = this.#sortKey[record]
      return key >= low && key <= high && this.#level[record] >= code.length
    }
  }

  #firstFrom(key: number): number {
    return partitionPoint(0, this.#order.length, position => this.#sortKey[this.#order[position]] < key)
  }
}
