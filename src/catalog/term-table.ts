/**
 * Where each term is found by its letters. A word that is no term, as most joined ones are, is told by one look at memory: a Map would
 * have it hashed outside of our code, and follow a chain of strings that lie anywhere.
 */
import { joinedHash, textHash } from '../text-hash.js'

/** Places per term, at least. */
const ROOM = 2
/** A hash, and the place of its term counted from 1; 0 where there is none. */
const ENTRY = 2

export class TermTable {
  readonly #terms: readonly string[]
  readonly #entries: Int32Array
  readonly #mask: number

  constructor(terms: readonly string[]) {
    const size = 2 ** Math.ceil(Math.log2(terms.length * ROOM + 1))
    this.#terms = terms
    this.#entries = new Int32Array(size * ENTRY)
    this.#mask = size - 1
    for (let place = 0; place < terms.length; place++) {
      const hash = textHash(terms[place] as string)
      let at = hash & this.#mask
      while (this.#entries[at * ENTRY + 1] !== 0) at = (at + 1) & this.#mask
      this.#entries[at * ENTRY] = hash
      this.#entries[at * ENTRY + 1] = place + 1
    }
  }

  /** The place of a term, or of the one that two words make together; -1 without. These are joined only where the hash is known. */
  find(first: string, second = ''): number {
    const entries = this.#entries
    const hash = joinedHash(first, second)
    for (let at = hash & this.#mask; ; at = (at + 1) & this.#mask) {
      const place = entries[at * ENTRY + 1] as number
      if (place === 0) return -1
      if (entries[at * ENTRY] === hash && this.#terms[place - 1] === first + second) return place - 1
    }
  }
}
