/** How far headings and chapters are the homes of terms, from 0 to 1, by the families of the index. */
import type { Families } from './families.js'
import type { Terms } from './search-index.js'

/** Cover and share in the families of the index. */
const STEPS = 255

export class FamilyFinder {
  readonly #places: Uint32Array
  readonly #families: Families

  constructor({ places }: Terms, families: Families) {
    this.#places = places
    this.#families = families
  }

  /** The homes of a term, as their first four digits. */
  homes(term: number): number[] {
    const { families } = this.#families
    return Array.from(families.subarray(this.#start(term), this.#end(term)), packed => packed >>> 16)
  }

  worth(term: number, number: number): number {
    const { families } = this.#families
    const end = this.#end(term)
    for (let i = this.#start(term); i < end; i++) {
      const packed = families[i] as number
      if (packed >>> 16 === number) return Math.sqrt(((packed >>> 8) & STEPS) * (packed & STEPS)) / STEPS
    }
    return 0
  }

  /** A term that is not in the vocabulary has no homes. */
  #start(term: number): number {
    return this.#families.familyAt[this.#places[term] ?? -1] ?? 0
  }

  #end(term: number): number {
    return this.#families.familyAt[(this.#places[term] ?? -1) + 1] ?? 0
  }
}
