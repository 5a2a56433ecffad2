/** Codes to record numbers by their digits. One walk answers lookup and nearest prefix alike. */
import type { Columns } from '../snapshot/columns.js'

const FANOUT = 10

export class Trie {
  readonly #slots: Uint32Array
  readonly #record: Int32Array
  /** After `find`: the record of the longest prefix that exists, -1 without one. */
  nearest = -1

  constructor(columns: Columns) {
    this.#slots = columns.trie as Uint32Array
    this.#record = columns.trieRecord as Int32Array
  }

  /** The record of a code (ASCII digits only), or -1; `nearest` then names the best that exists. */
  find(code: string): number {
    const slots = this.#slots
    const record = this.#record
    let node = 0
    let nearest = -1
    for (let i = 0; i < code.length; i++) {
      node = slots[node * FANOUT + code.charCodeAt(i) - 48] as number
      if (node === 0) {
        this.nearest = nearest
        return -1
      }
      const here = record[node] as number
      if (here >= 0) nearest = here
    }
    this.nearest = nearest
    return record[node] as number
  }
}
