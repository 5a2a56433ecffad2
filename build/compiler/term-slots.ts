/** The terms that find a record, each with its best slot. */
import { SLOTS, SYNONYM_SLOT } from '../../src/catalog/search/slots.js'
import { GrowingArray } from './growing-array.js'
import type { Phrases } from './phrase-table.js'
import type { Synonym, SynonymFinder } from './synonym-finder.js'

export interface TermSlots {
  /** Per record, where its terms begin; one more entry ends the last. */
  termsAt: Uint32Array
  /** Each term of a record, as its lexicon number times SLOTS plus slot, unordered. */
  termSlots: Uint32Array
}

export function findTermSlots(isSearched: Uint8Array, phrases: Phrases, synonyms: SynonymFinder, termCount: number): TermSlots {
  const collector = new TermSlotCollector(phrases, synonyms, termCount)
  const termsAt = new Uint32Array(isSearched.length + 1)
  for (let record = 0; record < isSearched.length; record++) {
    if (isSearched[record] === 1) collector.addRecord(record)
    termsAt[record + 1] = collector.count
  }
  return { termsAt, termSlots: collector.finish() }
}

const NO_SLOT = 255

/** Collects the terms of one record at a time. */
class TermSlotCollector {
  readonly #phrases: Phrases
  readonly #synonyms: SynonymFinder
  /** Per term, whether some phrase has it. */
  readonly #isInPhrase: Uint8Array
  /** Per term, its best slot in the current record. */
  readonly #best: Uint8Array
  /** The first `#termCount` entries are the terms of the current record. */
  readonly #terms: Uint32Array
  #termCount = 0
  readonly #all = new GrowingArray()

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

  addRecord(record: number): void {
    const { recordAt, slots, extraTermsAt, extraTerms } = this.#phrases
    const end = recordAt[record + 1]
    for (let phrase = recordAt[record]; phrase < end; phrase++) {
      const slot = slots[phrase]
      this.#addTerms(phrase, slot)
      for (let i = extraTermsAt[phrase]; i < extraTermsAt[phrase + 1]; i++) {
        const aside = extraTerms[i]
        const term = aside >>> 1
        if ((aside & 1) === 0 || this.#isInPhrase[term] === 1) this.#addTerm(term, slot)
      }
      this.#addSynonyms(phrase)
    }
    this.#endRecord()
  }

  #addSynonyms(phrase: number): void {
    const { termsAt, terms } = this.#phrases
    this.#synonyms.othersWithin(terms, termsAt[phrase], termsAt[phrase + 1], this.#addSynonym)
  }

  readonly #addSynonym = ({ terms }: Synonym): void => {
    for (const term of terms) this.#addTerm(term, SYNONYM_SLOT)
  }

  #addTerms(phrase: number, slot: number): void {
    const { termsAt, terms } = this.#phrases
    const end = termsAt[phrase + 1]
    for (let i = termsAt[phrase]; i < end; i++) this.#addTerm(terms[i], slot)
  }

  #addTerm(term: number, slot: number): void {
    const known = this.#best[term]
    if (slot >= known) return
    if (known === NO_SLOT) this.#terms[this.#termCount++] = term
    this.#best[term] = slot
  }

  #endRecord(): void {
    for (let i = 0; i < this.#termCount; i++) {
      const term = this.#terms[i]
      this.#all.push(term * SLOTS + this.#best[term])
      this.#best[term] = NO_SLOT
    }
    this.#termCount = 0
  }

  finish(): Uint32Array {
    return this.#all.column()
  }
}
