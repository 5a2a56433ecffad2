/** How far headings and chapters are the homes of terms, from 0 to 1, by the families of the index. */
import { EVIDENCE_MAX } from '../../src/catalog/search/heading-evidence.js'
import type { Families } from './families.js'
import { type IndexTerms, NO_PLACE } from './index-terms.js'

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
    const { familyAt, familyHeading } = this.#families
    return Array.from(familyHeading.subarray(familyAt[place], familyAt[place + 1]))
  }

  worth(term: number, number: number): number {
    const place = this.#terms.place(term)
    if (place === NO_PLACE) return 0
    const { familyAt, familyHeading, familyWorth } = this.#families
    for (let i = familyAt[place]; i < familyAt[place + 1]; i++)
      if (familyHeading[i] === number) return familyWorth[i] / EVIDENCE_MAX
    return 0
  }
}
