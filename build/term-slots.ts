/** Which terms a record is found by, each with the best slot that it stands in. */
import { SLOTS, slotOfContext, slotOfSynonym } from '../src/catalog/ranking.js'
import { Growing } from './growing.js'
import type { BuildRecord } from './hierarchy.js'
import type { Phrases } from './phrase-table.js'
import type { Synonym, SynonymFinder } from './synonym-finder.js'

const HEADING_DIGITS = 4
const SUBHEADING_DIGITS = 6
/** A record's first phrases are its descriptions, one a language. */
const DESCRIPTIONS = 2

export interface TermSlots {
  /** Per record, where its terms begin; one more entry ends the last. */
  termsAt: Uint32Array
  /** Each term of a record, as its lexicon number times SLOTS plus slot, in no order. */
  termSlots: Uint32Array
}

export function findTermSlots(
  records: readonly BuildRecord[],
  isSearched: Uint8Array,
  phrases: Phrases,
  synonyms: SynonymFinder,
  termCount: number,
): TermSlots {
  const filer = new TermFiler(phrases, synonyms, termCount)
  const termsAt = new Uint32Array(records.length + 1)
  records.forEach((record, i) => {
    if (isSearched[i] === 1) {
      filer.fileOwn(i)
      fileContext(records, record, filer)
      filer.endRecord()
    }
    termsAt[i + 1] = filer.count
  })
  return { termsAt, termSlots: filer.finish() }
}

/**
 * What a record is known by besides its own words: its ancestors' descriptions; for a subheading its heading's keywords
 * too; for a heading all that its subheadings say. Lines inherit no keywords: every one would match.
 */
function fileContext(records: readonly BuildRecord[], record: BuildRecord, filer: TermFiler): void {
  const digits = record.code.length
  for (let up = record.parent; up >= 0; up = (records[up] as BuildRecord).parent) {
    const shares = digits <= SUBHEADING_DIGITS && (records[up] as BuildRecord).code.length === HEADING_DIGITS
    filer.fileContext(up, shares ? Number.POSITIVE_INFINITY : DESCRIPTIONS)
  }
  if (digits !== HEADING_DIGITS) return
  for (let n = 0; n < record.childCount; n++)
    filer.fileContext(record.firstChild + n, Number.POSITIVE_INFINITY)
}

const NO_SLOT = 255

/** Collects the terms of one record after another. */
class TermFiler {
  readonly #phrases: Phrases
  readonly #synonyms: SynonymFinder
  /** Per term, whether some phrase has it. */
  readonly #isInPhrase: Uint8Array
  /** Per term, its best slot in the record at hand. */
  readonly #best: Uint8Array
  /** The terms of the record at hand, the first `#termCount` of these. */
  readonly #terms: Uint32Array
  #termCount = 0
  readonly #all = new Growing()

  constructor(phrases: Phrases, synonyms: SynonymFinder, termCount: number) {
    this.#phrases = phrases
    this.#synonyms = synonyms
    this.#isInPhrase = new Uint8Array(termCount)
    for (const term of phrases.terms) this.#isInPhrase[term] = 1
    this.#best = new Uint8Array(termCount).fill(NO_SLOT)
    this.#terms = new Uint32Array(termCount)
  }

  get count(): number {
    return this.#all.length
  }

  fileOwn(record: number): void {
    const { recordAt, slots, asidesAt, asides } = this.#phrases
    const end = recordAt[record + 1] as number
    for (let phrase = recordAt[record] as number; phrase < end; phrase++) {
      const slot = slots[phrase] as number
      this.#fileTerms(phrase, slot)
      for (let i = asidesAt[phrase] as number; i < (asidesAt[phrase + 1] as number); i++) {
        const aside = asides[i] as number
        const term = aside >>> 1
        if ((aside & 1) === 0 || this.#isInPhrase[term] === 1) this.#file(term, slot)
      }
      this.#fileSynonyms(phrase)
    }
  }

  #fileSynonyms(phrase: number): void {
    const { termsAt, terms } = this.#phrases
    this.#synonyms.othersWithin(
      terms,
      termsAt[phrase] as number,
      termsAt[phrase + 1] as number,
      this.#fileSynonym,
    )
  }

  readonly #fileSynonym = ({ terms }: Synonym): void => {
    for (const term of terms) this.#file(term, slotOfSynonym())
  }

  /** The first so many phrases of another record. */
  fileContext(record: number, most: number): void {
    const { recordAt } = this.#phrases
    const first = recordAt[record] as number
    const end = Math.min(first + most, recordAt[record + 1] as number)
    for (let phrase = first; phrase < end; phrase++) this.#fileTerms(phrase, slotOfContext())
  }

  #fileTerms(phrase: number, slot: number): void {
    const { termsAt, terms } = this.#phrases
    const end = termsAt[phrase + 1] as number
    for (let i = termsAt[phrase] as number; i < end; i++) this.#file(terms[i] as number, slot)
  }

  #file(term: number, slot: number): void {
    const known = this.#best[term] as number
    if (slot >= known) return
    if (known === NO_SLOT) this.#terms[this.#termCount++] = term
    this.#best[term] = slot
  }

  endRecord(): void {
    for (let i = 0; i < this.#termCount; i++) {
      const term = this.#terms[i] as number
      this.#all.push(term * SLOTS + (this.#best[term] as number))
      this.#best[term] = NO_SLOT
    }
    this.#termCount = 0
  }

  finish(): Uint32Array {
    return this.#all.column()
  }
}
