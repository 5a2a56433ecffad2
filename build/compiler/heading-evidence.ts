/**
 * How strongly a term points to each heading and chapter: nearly every code of 0902 mentions tea, but only one of 2921. The
 * evidence is the square root of the product of two shares: the heading's records that have the term, and the term's records
 * that are in the heading.
 */

import { EVIDENCE_MAX, HEADING_NUMBERS } from '../../src/catalog/search/heading-evidence.js'
import { EVIDENCE_HEADINGS_MAX, EVIDENCE_PRODUCT_MIN, NON_HEAD_WORD } from '../../src/catalog/search/weights.js'
import { chapterOf, headingOf } from '../../src/codes/levels.js'
import type { Columns } from '../../src/snapshot/schema.js'
import { GrowingArray } from './growing-array.js'
import type { BuildRecord } from './hierarchy.js'
import type { Phrases } from './phrase-table.js'

const NO_HEADING = 0xffff

export type EvidenceColumns = Pick<Columns, 'evidenceAt' | 'evidenceHeading' | 'evidence'>

interface Evidence {
  heading: number
  /** Product of the two shares. */
  product: number
}

/** Here the terms of phrases are indices into the vocabulary, which has `termCount` terms. */
export function buildHeadingEvidence(
  records: readonly BuildRecord[],
  isSearched: Uint8Array,
  phrases: Phrases,
  termCount: number,
): EvidenceColumns {
  const counter = new HeadingCounter(records, isSearched, phrases)
  const uses = findTermUses(phrases, isSearched, termCount)
  const evidenceAt = new Uint32Array(termCount + 1)
  const headings = new GrowingArray()
  const evidence = new GrowingArray()
  for (let term = 0; term < termCount; term++) {
    for (let i = uses.at[term]; i < uses.at[term + 1]; i++) counter.add(uses.records[i], uses.isHead[i] === 1 ? 1 : NON_HEAD_WORD)
    for (const { heading, product } of counter.take()) {
      headings.push(heading)
      evidence.push(Math.round(Math.sqrt(product) * EVIDENCE_MAX))
    }
    evidenceAt[term + 1] = headings.length
  }
  return {
    evidenceAt,
    evidenceHeading: Uint16Array.from(headings.column()),
    evidence: Uint16Array.from(evidence.column()),
  }
}

interface TermUses {
  /** Where each term's records start; one more entry is the end of the last term's records. */
  at: Uint32Array
  records: Uint32Array
  /** 1 if the term is the head noun of one of the record's phrases. */
  isHead: Uint8Array
}

/** Two passes over all phrases: the first counts the records of each term, the second lists them. */
function findTermUses(phrases: Phrases, isSearched: Uint8Array, termCount: number): TermUses {
  const at = new Uint32Array(termCount + 1)
  forEachTermOfRecords(phrases, isSearched, termCount, term => {
    at[term + 1] = at[term + 1] + 1
  })
  for (let term = 0; term < termCount; term++) at[term + 1] = at[term + 1] + at[term]
  const next = at.slice()
  const records = new Uint32Array(at[termCount])
  const isHead = new Uint8Array(records.length)
  forEachTermOfRecords(phrases, isSearched, termCount, (term, record, isHeadOfOne) => {
    const place = next[term]
    records[place] = record
    isHead[place] = isHeadOfOne ? 1 : 0
    next[term] = place + 1
  })
  return { at, records, isHead }
}

const BESIDE = 1
const HEAD = 2

/** Calls `visit` once for each term of a record. `isHead`: the term is the head noun of one of the record's phrases. */
function forEachTermOfRecords(
  { recordAt, termsAt, terms, heads }: Phrases,
  isSearched: Uint8Array,
  termCount: number,
  visit: (term: number, record: number, isHead: boolean) => void,
): void {
  const roles = new Uint8Array(termCount)
  const own = new GrowingArray()
  for (let record = 0; record < isSearched.length; record++) {
    if (isSearched[record] !== 1) continue
    for (let phrase = recordAt[record]; phrase < recordAt[record + 1]; phrase++) {
      const first = termsAt[phrase]
      for (let i = first; i < termsAt[phrase + 1]; i++) {
        const term = terms[i]
        const role = i === first + heads[phrase] ? HEAD : BESIDE
        if (roles[term] === 0) own.push(term)
        if (role > roles[term]) roles[term] = role
      }
    }
    for (let i = 0; i < own.length; i++) {
      const term = own.values[i]
      visit(term, record, roles[term] === HEAD)
      roles[term] = 0
    }
    own.clear()
  }
}

/** Counts the records of one term at a time, by heading and by chapter. */
class HeadingCounter {
  /** By record; a chapter belongs to no heading. */
  readonly #chapters: Uint16Array
  readonly #headings: Uint16Array
  /** By heading: the number of the heading's records that have phrases … */
  readonly #sizes = new Uint32Array(HEADING_NUMBERS)
  /** … and the weighted number of the heading's records that have the term. */
  readonly #counts = new Float64Array(HEADING_NUMBERS)
  readonly #counted: number[] = []
  #total = 0

  constructor(records: readonly BuildRecord[], isSearched: Uint8Array, { recordAt }: Phrases) {
    this.#chapters = Uint16Array.from(records, ({ code }) => Number(chapterOf(code)) * 100)
    this.#headings = Uint16Array.from(records, ({ code }) => (code.length < 4 ? NO_HEADING : Number(headingOf(code))))
    for (let record = 0; record < records.length; record++) {
      if (isSearched[record] !== 1 || recordAt[record] === recordAt[record + 1]) continue
      for (const heading of [this.#chapters[record], this.#headings[record]])
        if (heading !== NO_HEADING) this.#sizes[heading] = this.#sizes[heading] + 1
    }
  }

  add(record: number, weight: number): void {
    this.#total += weight
    this.#addTo(this.#chapters[record], weight)
    this.#addTo(this.#headings[record], weight)
  }

  #addTo(heading: number, weight: number): void {
    if (heading === NO_HEADING) return
    if (this.#counts[heading] === 0) this.#counted.push(heading)
    this.#counts[heading] = this.#counts[heading] + weight
  }

  /** Returns the term's strongest evidence, strongest first, and resets the counts for the next term. */
  take(): Evidence[] {
    const found: Evidence[] = []
    for (const heading of this.#counted) {
      const count = this.#counts[heading]
      this.#counts[heading] = 0
      const product = Math.min(1, count / this.#sizes[heading]) * (count / this.#total)
      if (product >= EVIDENCE_PRODUCT_MIN) found.push({ heading, product })
    }
    this.#counted.length = 0
    this.#total = 0
    return found.sort((a, b) => b.product - a.product || a.heading - b.heading).slice(0, EVIDENCE_HEADINGS_MAX)
  }
}
