/**
 * Where a word is at home: nearly every code of 0902 says tea, one of 2921 does. For every term and heading, and every
 * chapter, how much of the family speaks of it (cover), and how much of all that is said of it is said there (share).
 */
import { SLOTS } from '../src/catalog/ranking.js'
import { Growing } from './growing.js'
import type { BuildRecord } from './hierarchy.js'
import type { Phrases } from './phrase-table.js'
import type { Lists } from './postings.js'
import { NAMES } from './term-roles.js'

/** A term's homes, the best of them. */
const HOMES_MAX = 12
/** Less than this is chance. */
const WORTH_MIN = 0.0004
const STEPS = 255
/** Families go by the first four digits; those of a chapter are followed by zeros. */
const FAMILIES = 10_000
const NO_FAMILY = 0xffff
/** What a word counts that does not name the good itself. */
const BESIDE_WEIGHT = 0.5

export interface Families {
  /** Per term, where its homes begin; one more entry ends the last. */
  familyAt: Uint32Array
  /** The first four digits of a home, then cover and share in 255ths, a byte each. */
  families: Uint32Array
}

interface Home {
  number: number
  cover: number
  share: number
}

/** `roles` tells of each posting how the record's phrases have the term. */
export function buildFamilies(
  records: readonly BuildRecord[],
  isSearched: Uint8Array,
  phrases: Phrases,
  { postingsAt, postings }: Lists,
  roles: Uint8Array,
): Families {
  const counts = new FamilyCounts(records, isSearched, phrases)
  const terms = (postingsAt.length - 1) / SLOTS
  const familyAt = new Uint32Array(terms + 1)
  const families = new Growing()
  for (let term = 0; term < terms; term++) {
    const end = postingsAt[(term + 1) * SLOTS] as number
    for (let i = postingsAt[term * SLOTS] as number; i < end; i++) {
      const role = roles[i] as number
      if (role > 0) counts.add(postings[i] as number, role === NAMES ? 1 : BESIDE_WEIGHT)
    }
    for (const { number, cover, share } of counts.takeHomes())
      families.push(number * 65536 + Math.round(cover * STEPS) * 256 + Math.round(share * STEPS))
    familyAt[term + 1] = families.length
  }
  return { familyAt, families: families.column() }
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
    this.#chapters = Uint16Array.from(records, ({ code }) => Number(code.slice(0, 2)) * 100)
    this.#headings = Uint16Array.from(records, ({ code }) =>
      code.length < 4 ? NO_FAMILY : Number(code.slice(0, 4)),
    )
    for (let record = 0; record < records.length; record++) {
      if (isSearched[record] !== 1 || recordAt[record] === recordAt[record + 1]) continue
      for (const number of [this.#chapters[record] as number, this.#headings[record] as number])
        if (number !== NO_FAMILY) this.#sizes[number] = (this.#sizes[number] as number) + 1
    }
  }

  add(record: number, weight: number): void {
    this.#total += weight
    this.#addTo(this.#chapters[record] as number, weight)
    this.#addTo(this.#headings[record] as number, weight)
  }

  #addTo(number: number, weight: number): void {
    if (number === NO_FAMILY) return
    if (this.#said[number] === 0) this.#numbers.push(number)
    this.#said[number] = (this.#said[number] as number) + weight
  }

  /** The best homes of the term, the best first; the next term begins with none. */
  takeHomes(): Home[] {
    const homes: Home[] = []
    for (const number of this.#numbers) {
      const said = this.#said[number] as number
      this.#said[number] = 0
      const cover = Math.min(1, said / (this.#sizes[number] as number))
      const share = said / this.#total
      if (cover * share >= WORTH_MIN) homes.push({ number, cover, share })
    }
    this.#numbers.length = 0
    this.#total = 0
    homes.sort((a, b) => b.cover * b.share - a.cover * a.share || a.number - b.number)
    return homes.length > HOMES_MAX ? homes.slice(0, HOMES_MAX) : homes
  }
}
