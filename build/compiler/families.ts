/**
 * Where a word is at home: nearly every code of 0902 says tea, one of 2921 does. For every term and heading, and every
 * chapter, how much of the family speaks of it (cover), and how much of all that is said of it is said there (share).
 */

import { EVIDENCE_MAX } from '../../src/catalog/search/heading-evidence.js'
import { chapterOf, headingOf } from '../../src/codes/levels.js'
import { Growing } from './growing.js'
import type { BuildRecord } from './hierarchy.js'
import type { Phrases } from './phrase-table.js'

/** A term's homes, the best of them. */
const HOMES_MAX = 12
/** Less than this is chance. */
const WORTH_MIN = 0.0004
/** Families go by the first four digits; those of a chapter are followed by zeros. */
const FAMILIES = 10_000
const NO_FAMILY = 0xffff
/** What a word counts that does not name the good itself. */
const BESIDE_WEIGHT = 0.5

export interface Families {
  /** Per term, where its homes begin; one more entry ends the last. */
  familyAt: Uint32Array
  /** The first four digits of a home, and how far it is about the term: the root of cover and share. */
  familyHeading: Uint16Array
  familyWorth: Uint16Array
}

interface Home {
  number: number
  cover: number
  share: number
}

/** The terms of phrases are places of the vocabulary here, which has `termCount` of them. */
export function buildFamilies(
  records: readonly BuildRecord[],
  isSearched: Uint8Array,
  phrases: Phrases,
  termCount: number,
): Families {
  const counts = new FamilyCounts(records, isSearched, phrases)
  const speakers = findSpeakers(phrases, isSearched, termCount)
  const familyAt = new Uint32Array(termCount + 1)
  const headings = new Growing()
  const worths = new Growing()
  for (let term = 0; term < termCount; term++) {
    for (let i = speakers.at[term]; i < speakers.at[term + 1]; i++)
      counts.add(speakers.records[i], speakers.names[i] === 1 ? 1 : BESIDE_WEIGHT)
    for (const { number, cover, share } of counts.takeHomes()) {
      headings.push(number)
      worths.push(Math.round(Math.sqrt(cover * share) * EVIDENCE_MAX))
    }
    familyAt[term + 1] = headings.length
  }
  return {
    familyAt,
    familyHeading: Uint16Array.from(headings.column()),
    familyWorth: Uint16Array.from(worths.column()),
  }
}

interface Speakers {
  /** Per term, where the records begin whose phrases have it; one more entry ends the last. */
  at: Uint32Array
  records: Uint32Array
  /** Beside each record, 1 where the term names the good in one of its phrases. */
  names: Uint8Array
}

/** Two passes over all phrases: the first counts the records of each term, the second lists them. */
function findSpeakers(phrases: Phrases, isSearched: Uint8Array, termCount: number): Speakers {
  const at = new Uint32Array(termCount + 1)
  forEachTermOfRecords(phrases, isSearched, termCount, term => {
    at[term + 1] = at[term + 1] + 1
  })
  for (let term = 0; term < termCount; term++) at[term + 1] = at[term + 1] + at[term]
  const next = at.slice()
  const records = new Uint32Array(at[termCount])
  const names = new Uint8Array(records.length)
  forEachTermOfRecords(phrases, isSearched, termCount, (term, record, isName) => {
    const place = next[term]
    records[place] = record
    names[place] = isName ? 1 : 0
    next[term] = place + 1
  })
  return { at, records, names }
}

const BESIDE = 1
const NAMES = 2

/** Each term of a record once, and whether it names the good in any of the record's phrases. */
function forEachTermOfRecords(
  { recordAt, termsAt, terms, heads }: Phrases,
  isSearched: Uint8Array,
  termCount: number,
  visit: (term: number, record: number, isName: boolean) => void,
): void {
  const roles = new Uint8Array(termCount)
  const own = new Growing()
  for (let record = 0; record < isSearched.length; record++) {
    if (isSearched[record] !== 1) continue
    for (let phrase = recordAt[record]; phrase < recordAt[record + 1]; phrase++) {
      const first = termsAt[phrase]
      for (let i = first; i < termsAt[phrase + 1]; i++) {
        const term = terms[i]
        const role = i === first + heads[phrase] ? NAMES : BESIDE
        if (roles[term] === 0) own.push(term)
        if (role > roles[term]) roles[term] = role
      }
    }
    for (let i = 0; i < own.length; i++) {
      const term = own.values[i]
      visit(term, record, roles[term] === NAMES)
      roles[term] = 0
    }
    own.clear()
  }
}

/** How much each family speaks of the term at hand. */
class FamilyCounts {
  /** Per record, the families that it belongs to; a chapter belongs to no heading. */
  readonly #chapters: Uint16Array
  readonly #headings: Uint16Array
  /** Per family, its records that say anything … */
  readonly #sizes = new Uint32Array(FAMILIES)
  /** … and how much they say of the term at hand. */
  readonly #said = new Float64Array(FAMILIES)
  readonly #numbers: number[] = []
  #total = 0

  constructor(records: readonly BuildRecord[], isSearched: Uint8Array, { recordAt }: Phrases) {
    this.#chapters = Uint16Array.from(records, ({ code }) => Number(chapterOf(code)) * 100)
    this.#headings = Uint16Array.from(records, ({ code }) => (code.length < 4 ? NO_FAMILY : Number(headingOf(code))))
    for (let record = 0; record < records.length; record++) {
      if (isSearched[record] !== 1 || recordAt[record] === recordAt[record + 1]) continue
      for (const number of [this.#chapters[record], this.#headings[record]])
        if (number !== NO_FAMILY) this.#sizes[number] = this.#sizes[number] + 1
    }
  }

  add(record: number, weight: number): void {
    this.#total += weight
    this.#addTo(this.#chapters[record], weight)
    this.#addTo(this.#headings[record], weight)
  }

  #addTo(number: number, weight: number): void {
    if (number === NO_FAMILY) return
    if (this.#said[number] === 0) this.#numbers.push(number)
    this.#said[number] = this.#said[number] + weight
  }

  /** The best homes of the term, the best first; the next term begins with none. */
  takeHomes(): Home[] {
    const homes: Home[] = []
    for (const number of this.#numbers) {
      const said = this.#said[number]
      this.#said[number] = 0
      const cover = Math.min(1, said / this.#sizes[number])
      const share = said / this.#total
      if (cover * share >= WORTH_MIN) homes.push({ number, cover, share })
    }
    this.#numbers.length = 0
    this.#total = 0
    homes.sort((a, b) => b.cover * b.share - a.cover * a.share || a.number - b.number)
    return homes.length > HOMES_MAX ? homes.slice(0, HOMES_MAX) : homes
  }
}
