/** The searchable terms in code-unit order: a term's index in this list is its number in the snapshot. */
import { SLOTS } from '../../src/catalog/search/slots.js'
import type { Lexicon } from './lexicon.js'

export const NO_PLACE = -1

export class IndexTerms {
  readonly texts: readonly string[]
  /** By lexicon number. */
  readonly #places: Int32Array

  /** `termSlots`: lexicon number times SLOTS plus slot, for each term. */
  constructor(lexicon: Lexicon, termSlots: Uint32Array) {
    const places = new Int32Array(lexicon.termTexts.length).fill(NO_PLACE)
    const texts: string[] = []
    for (let i = 0; i < termSlots.length; i++) {
      const term = Math.floor(termSlots[i] / SLOTS)
      if (places[term] !== NO_PLACE) continue
      places[term] = 0
      texts.push(lexicon.termTexts[term])
    }
    texts.sort()
    texts.forEach((text, place) => {
      places[lexicon.term(text)] = place
    })
    this.texts = texts
    this.#places = places
  }

  /** `NO_PLACE` if no record has the term. */
  place(term: number): number {
    return term < this.#places.length ? this.#places[term] : NO_PLACE
  }
}
