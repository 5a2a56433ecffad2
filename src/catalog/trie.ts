/** Finds the record of a code, digit by digit. */
import type { Columns } from '../snapshot/schema.js'

const FANOUT = 10
const ZERO = 48
const NONE = -1

export class Trie {
  readonly #slots: Uint32Array
  readonly #record: Int32Array

  constructor(columns: Pick<Columns, 'trie' | 'trieRecord'>) {
    this.#slots = columns.trie
    this.#record = columns.trieRecord
  }

  /** The record of a code; -1 for an unknown code or any other text. */
  find(code: string): number {
    const slots = this.#slots
    let node = 0
    for (let i = 0; i < code.length; i++) {
      const digit = code.charCodeAt(i) - ZERO
      if (digit < 0 || digit >= FANOUT) return NONE
      node = slots[node * FANOUT + digit]
      if (node === 0) return NONE
    }
    return this.#record[node]
  }

  /** The record of the longest existing prefix of a code (ASCII digits only), or -1. */
  nearest(code: string): number {
    let node = 0
    let nearest = NONE
    for (let i = 0; i < code.length; i++) {
      node = this.#slots[node * FANOUT + code.charCodeAt(i) - ZERO]
      if (node === 0) break
      const here = this.#record[node]
      if (here !== NONE) nearest = here
    }
    return nearest
  }
}
