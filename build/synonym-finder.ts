/** Finds the synonyms that a phrase speaks of, by the numbers of their terms. */
import { isArabic } from '../src/text/fold.js'
import type { Lexicon } from './lexicon.js'
import type { SynonymGroup } from './synonyms.js'

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
  }

  /** The other members of the group that a phrase, all of it, is a member of. */
  othersForWhole(phrase: ArrayLike<number>): Synonym[] {
    const isWhole = ({ terms }: Synonym) => terms.length === phrase.length && standsAt(terms, phrase, 0)
    const entry = this.#byFirstTerm.get(phrase[0] as number)?.find(({ member }) => isWhole(member))
    return entry === undefined ? [] : entry.group.filter(other => !isWhole(other))
  }

  /** The other ways to say what stands anywhere in a phrase, which is `terms` from `start` to `end`. */
  othersWithin(terms: Uint32Array, start: number, end: number, found: (other: Synonym) => void): void {
    for (let at = start; at < end; at++) {
      const entries = this.#byFirstTerm.get(terms[at] as number)
      if (entries === undefined) continue
      for (const { member, group } of entries) {
        if (at + member.terms.length > end || !standsAt(member.terms, terms, at)) continue
        for (const other of group) if (other !== member) found(other)
      }
    }
  }
}

function synonymOf(texts: readonly string[], lexicon: Lexicon): Synonym {
  return {
    terms: texts.map(text => lexicon.term(text)),
    words: texts.map(text => lexicon.word(text)),
    head: isArabic(texts[0] ?? '') ? 0 : texts.length - 1,
  }
}

function standsAt(member: readonly number[], terms: ArrayLike<number>, at: number): boolean {
  for (let i = 0; i < member.length; i++) if (terms[at + i] !== member[i]) return false
  return true
}
