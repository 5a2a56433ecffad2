/** The heading evidence of a term by its lexicon number, from 0 to 1. */
import { EVIDENCE_MAX } from '../../src/catalog/search/heading-evidence.js'
import type { EvidenceColumns } from './heading-evidence.js'
import { type IndexTerms, NO_PLACE } from './index-terms.js'

export class EvidenceFinder {
  constructor(
    private readonly terms: IndexTerms,
    private readonly columns: EvidenceColumns,
  ) {}

  /** The headings and chapters with evidence, as numbers of four digits. */
  headings(term: number): number[] {
    const place = this.terms.place(term)
    if (place === NO_PLACE) return []
    const { evidenceAt, evidenceHeading } = this.columns
    return Array.from(evidenceHeading.subarray(evidenceAt[place], evidenceAt[place + 1]))
  }

  evidence(term: number, heading: number): number {
    const place = this.terms.place(term)
    if (place === NO_PLACE) return 0
    const { evidenceAt, evidenceHeading, evidence } = this.columns
    for (let i = evidenceAt[place]; i < evidenceAt[place + 1]; i++)
      if (evidenceHeading[i] === heading) return evidence[i] / EVIDENCE_MAX
    return 0
  }
}
