/** Finds the synonyms that a phrase speaks of, by the numbers of their terms. */
import { isArabic } from '../../src/text/fold.js'
import type { SynonymGroup } from '../dataset/synonyms.js'
import type { Lexicon } from './lexicon.js'

/** A member of a group: "stainless steel" as its terms in order. */
export interface Synonym {
  terms: readonly number[]
  /** The terms taken as words. */
  words: readonly number[]
  /** Which of them names the good. */
  head: number
}

interface Entry {
  member: Synonym
  group: readonly Synonym[]
}

export class SynonymFinder {
  readonly #byFirstTerm = new Map<number, Entry[]>()
  /** Per term, whether a member begins with it: most terms begin none. */
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
    // skip terms that came into the lexicon later
    return this.#isFirst[first] === true ? (this.#byFirstTerm.get(first) as Entry[]) : NONE
  }

  /** The other members of the group that a phrase, all of it, is a member of. It is `terms` from `start` to `end`. */
  othersForWhole(terms: Uint32Array, start: number, end: number): readonly Synonym[] {
    const isWhole = (member: Synonym) => member.terms.length === end - start && standsAt(member.terms, terms, start)
    for (const { member, group } of this.#entries(terms[start]))
      if (isWhole(member)) return group.filter(other => !isWhole(other))
    return NONE
  }

  /** The other ways to say what stands anywhere in a phrase. */
  othersWithin(terms: Uint32Array, start: number, end: number, found: (other: Synonym) => void): void {
    for (let at = start; at < end; at++) {
      for (const { member, group } of this.#entries(terms[at])) {
        if (at + member.terms.length > end || !standsAt(member.terms, terms, at)) continue
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

function standsAt(member: readonly number[], terms: Uint32Array, at: number): boolean {
  for (let i = 0; i < member.length; i++) if (terms[at + i] !== member[i]) return false
  return true
}
