/** How far headings and chapters are the homes of terms, from 0 to 1, by the families of the index. */
import type { Families } from './families.js'
import { type IndexTerms, NO_PLACE } from './index-terms.js'

/** Cover and share in the families of the index. */
const STEPS = 255

export class FamilyFinder {
  readonly #terms: IndexTerms
  readonly #families: Families

  constructor(terms: IndexTerms, families: Families) {
    this.#terms = terms
    this.#families = families
  }

  /** The homes of a term, as their first four digits. */
  homes(term: number): number[] {
    const place = this.#terms.place(term)
    if (place === NO_PLACE) return []
    const { familyAt, families } = this.#families
    return Array.from(families.subarray(familyAt[place], familyAt[place + 1]), packed => packed >>> 16)
  }

  worth(term: number, number: number): number {
    const place = this.#terms.place(term)
    if (place === NO_PLACE) return 0
    const { familyAt, families } = this.#families
    const end = familyAt[place + 1] as number
    for (let i = familyAt[place] as number; i < end; i++) {
      const packed = families[i] as number
      if (packed >>> 16 === number) return Math.sqrt(((packed >>> 8) & STEPS) * (packed & STEPS)) / STEPS
    }
    return 0
  }
}
