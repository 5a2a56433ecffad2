/** Finds the synonyms in a phrase, by the numbers of their terms. */
import { isArabic } from '../../src/text/fold.js'
import type { SynonymGroup } from '../dataset/synonyms.js'
import type { Lexicon } from './lexicon.js'

/** A member of a group: "stainless steel" as its terms in order. */
export interface Synonym {
  terms: readonly number[]
  /** The same text as word numbers. */
  words: readonly number[]
  /** The index of the term that names the goods. */
  head: number
}

interface Entry {
  member: Synonym
  group: readonly Synonym[]
}

export class SynonymFinder {
  readonly #byFirstTerm = new Map<number, Entry[]>()
  /** For each term, whether a group member starts with it: few do. */
  readonly #isFirst: boolean[] = []

  constructor(groups: readonly SynonymGroup[], lexicon: Lexicon) {
    for (const texts of groups) {
      const group = texts.map(terms => synonymOf(terms, lexicon))
      for (const member of group) {
        const first = member.terms[0]
        if (first === undefined) continue
        const known = this.#byFirstTerm.get(first)
        if (known === undefined) this.#byFirstTerm.set(first, [{ member, group }])
        else known.push({ member, group })
      }
    }
    this.#isFirst = lexicon.termTexts.map((_, term) => this.#byFirstTerm.has(term))
  }

  #entries(first: number): readonly Entry[] {
    // skip terms that were added to the lexicon later
    return this.#isFirst[first] === true ? (this.#byFirstTerm.get(first) as Entry[]) : NONE
  }

  /** The other members of the group, if the whole phrase (`terms` from `start` to `end`) is a member. */
  othersForWhole(terms: Uint32Array, start: number, end: number): readonly Synonym[] {
    const isWhole = (member: Synonym) => member.terms.length === end - start && matchesAt(member.terms, terms, start)
    for (const { member, group } of this.#entries(terms[start]))
      if (isWhole(member)) return group.filter(other => !isWhole(other))
    return NONE
  }

  /** The synonyms of every group member in the phrase. */
  othersWithin(terms: Uint32Array, start: number, end: number, found: (other: Synonym) => void): void {
    for (let at = start; at < end; at++) {
      for (const { member, group } of this.#entries(terms[at])) {
        if (at + member.terms.length > end || !matchesAt(member.terms, terms, at)) continue
        for (const other of group) if (other !== member) found(other)
      }
    }
  }
}

const NONE: readonly never[] = []

function synonymOf(texts: readonly string[], lexicon: Lexicon): Synonym {
  return {
    terms: texts.map(text => lexicon.term(text)),
    words: texts.map(text => lexicon.word(text)),
    head: isArabic(texts[0] ?? '') ? 0 : texts.length - 1,
  }
}

function matchesAt(member: readonly number[], terms: Uint32Array, at: number): boolean {
  for (let i = 0; i < member.length; i++) if (terms[at + i] !== member[i]) return false
  return true
}
