import { CODE_DIGITS_MAX } from '../../limits.js'
import { partitionPoint } from '../../lower-bound.js'
import type { Columns } from '../../snapshot/schema.js'

/** Range of the sort keys of codes with a prefix. A sort key is a code padded to the maximum length. */
const lowest = (prefix: string) => Number(prefix.padEnd(CODE_DIGITS_MAX, '0'))
const highest = (prefix: string) => Number(prefix.padEnd(CODE_DIGITS_MAX, '9'))

export class CodeFinder {
  readonly #level: Uint8Array
  readonly #sortKey: Float64Array
  /** Active records in code order. */
  readonly #order: Uint32Array

  constructor({ level, sortKey, codeOrder }: Pick<Columns, 'level' | 'sortKey' | 'codeOrder'>) {
    this.#level = level
    this.#sortKey = sortKey
    this.#order = codeOrder
  }

  withPrefix(prefix: string): number[] {
    if (prefix.length > CODE_DIGITS_MAX) return []
    const found: number[] = []
    const low = lowest(prefix)
    const start = partitionPoint(0, this.#order.length, position => this.#sortKey[this.#order[position]] < low)
    for (let i = start; i < this.#order.length; i++) {
      const record = this.#order[i]
      if (this.#sortKey[record] > highest(prefix)) break
      // 85 and 8500 have the same sort key
      if (this.#level[record] >= prefix.length) found.push(record)
    }
    return found
  }

  /** Returns a predicate that accepts records at or below the code; '' accepts all. */
  isWithin(code: string): (record: number) => boolean {
    if (code === '') return () => true
    const [low, high] = [lowest(code), highest(code)]
    return record => {
      const key = this.#sortKey[record]
      return key >= low && key <= high && this.#level[record] >= code.length
    }
  }
}
