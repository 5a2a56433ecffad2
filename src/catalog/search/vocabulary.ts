/** The index terms in order: finds a word, what it may be the beginning of, what it may be a mistake for, and its two parts. */

import { lowerBound } from '../../lower-bound.js'
import { isArabic } from '../../text/fold.js'
import type { Stemmer } from '../../text/terms.js'
import { isMistyped } from './spelling.js'
import { Steps } from './steps.js'

/** How many terms one unfinished word may stand for, and how many are looked at to choose them. */
const PREFIX_TERMS_MAX = 48
const PREFIX_TERMS_SEEN_MAX = 2_000
/** How many terms one mistyped word may stand for. */
const TYPO_TERMS_MAX = 8
const TYPO_ONE_FROM_CHARS = 5
/** Arabic writes no short vowels: its words are as telling with a letter less. */
const TYPO_ONE_FROM_CHARS_ARABIC = 4
const TYPO_TWO_FROM_CHARS = 9
/** An unfinished word of so many letters is forgiven one mistake, at most so many letters before it shows. */
const BEGINNING_CHARS_MIN = 4
const MISTAKE_BEFORE_MAX = 2
const COMPOUND_PART_CHARS_MIN = 3
/** Sorts after any letter. */
const LAST_CHAR = '\uffff'

/** How common a term is: its number of postings. */
export type UseOf = (termId: number) => number

export class Vocabulary {
  readonly #terms: readonly string[]
  /** Term ids by first letter and length: a mistyped word is compared with these only. */
  readonly #byShape = new Map<string, number[]>()
  /** By term id: the set of its letters. */
  readonly #letters: Uint32Array
  readonly #charsMax: number
  readonly #stemmer: Stemmer
  readonly #steps: Steps

  constructor(joined: string, stemmer: Stemmer, steps = new Steps()) {
    this.#stemmer = stemmer
    this.#steps = steps
    this.#terms = joined === '' ? [] : joined.split('\n')
    this.#letters = Uint32Array.from(this.#terms, letterSet)
    let charsMax = 0
    this.#terms.forEach((term, id) => {
      const shape = shapeOf(term[0], term.length)
      const alike = this.#byShape.get(shape)
      if (alike === undefined) this.#byShape.set(shape, [id])
      else alike.push(id)
      charsMax = Math.max(charsMax, term.length)
    })
    this.#charsMax = charsMax
  }

  get size(): number {
    return this.#terms.length
  }

  term(id: number): string {
    return this.#terms[id]
  }

  /** The id of a term; -1 for an unknown one. */
  find(term: string): number {
    const id = lowerBound(this.#terms, term)
    return this.#terms[id] === term ? id : -1
  }

  /** The most used of the terms that begin with an unfinished word, ascending. */
  withPrefix(prefix: string, useOf: UseOf): number[] {
    const ids = new Set(isArabic(prefix) ? this.#pluralsWith(prefix) : [])
    const first = lowerBound(this.#terms, prefix)
    const end = Math.min(lowerBound(this.#terms, prefix + LAST_CHAR), first + PREFIX_TERMS_SEEN_MAX)
    for (let id = first; id < end; id++) ids.add(id)
    if (!this.#steps.take(ids.size)) return []
    if (ids.size <= PREFIX_TERMS_MAX) return [...ids].sort((a, b) => a - b)
    return [...ids]
      .sort((a, b) => useOf(b) - useOf(a) || a - b)
      .slice(0, PREFIX_TERMS_MAX)
      .sort((a, b) => a - b)
  }

  /** The index has a broken plural under its singular, which may begin otherwise. */
  #pluralsWith(prefix: string): number[] {
    const ids: number[] = []
    const plurals = this.#stemmer.brokenPlurals
    for (let i = lowerBound(plurals, prefix); plurals[i]?.startsWith(prefix); i++) {
      const id = this.find(this.#stemmer.stem(plurals[i]))
      if (id >= 0) ids.push(id)
    }
    return ids
  }

  /** How many typing mistakes a word of this length is forgiven; none in numbers. */
  forgiven(word: string): number {
    if (/^[0-9]/.test(word)) return 0
    if (word.length < (isArabic(word) ? TYPO_ONE_FROM_CHARS_ARABIC : TYPO_ONE_FROM_CHARS)) return 0
    return word.length < TYPO_TWO_FROM_CHARS ? 1 : 2
  }

  /** The terms that a word with at most so many typing mistakes may stand for: those with the fewest. */
  mistyped(word: string, mistakesMax: number): number[] {
    const letters = letterSet(word)
    for (let mistakes = 1; mistakes <= mistakesMax; mistakes++) {
      const found: number[] = []
      // the first letter is rarely wrong; where it was swapped with the second, that one leads
      for (const first of new Set(word.slice(0, 2)))
        for (let length = word.length - mistakes; length <= word.length + mistakes; length++) {
          const alike = this.#byShape.get(shapeOf(first, length)) ?? []
          if (!this.#steps.take(alike.length)) return []
          for (const id of alike) {
            // a mistake adds one letter, or takes one away, or both: with more than that the words need not be compared
            if (countBits(letters ^ this.#letters[id]) > 2 * mistakes) continue
            if (isMistyped(word, this.#terms[id], mistakes)) found.push(id)
          }
        }
      if (found.length > 0) return found.sort((a, b) => a - b).slice(0, TYPO_TERMS_MAX)
    }
    return []
  }

  /**
   * Two terms written as one word: "dartboard" is dart and board. The longest first part that `areTogether` accepts wins.
   * Arabic does not join words this way: there any part would be a chance hit.
   */
  split(word: string, areTogether: (first: number, second: number) => boolean): [number, number] | undefined {
    if (isArabic(word)) return undefined
    const longest = Math.min(word.length - COMPOUND_PART_CHARS_MIN, this.#charsMax)
    const shortest = Math.max(COMPOUND_PART_CHARS_MIN, word.length - this.#charsMax)
    if (!this.#steps.take(Math.max(0, longest - shortest + 1))) return undefined
    for (let at = longest; at >= shortest; at--) {
      const first = this.find(word.slice(0, at))
      const second = first < 0 ? -1 : this.find(word.slice(at))
      if (second >= 0 && areTogether(first, second)) return [first, second]
    }
    return undefined
  }

  /**
   * How an unfinished word may have been meant to begin: with one letter replaced, added, left out or swapped with the
   * next, near the letter from which on no term begins so.
   */
  nearBeginnings(word: string): string[] {
    const chars = word.length
    if (chars < BEGINNING_CHARS_MIN || chars > this.#charsMax + 1 || /^[0-9]/.test(word)) return []
    let same = chars
    while (same > 0 && !this.#begins(word.slice(0, same))) same--
    const found = new Set<string>()
    const take = (beginning: string) => {
      if (found.size < TYPO_TERMS_MAX && this.#begins(beginning)) found.add(beginning)
    }
    for (let at = same; at >= Math.max(1, same - MISTAKE_BEFORE_MAX); at--) {
      const before = word.slice(0, at)
      if (at + 1 < chars) take(before + word[at + 1] + word[at] + word.slice(at + 2))
      for (const letter of this.#nextLetters(before)) {
        if (letter === word[at]) continue
        take(before + letter + word.slice(at + 1))
        take(before + letter + word.slice(at))
      }
      take(before + word.slice(at + 1))
    }
    return [...found]
  }

  #begins(prefix: string): boolean {
    return this.#steps.take(prefix.length) && this.#isBeginning(prefix)
  }

  #isBeginning(prefix: string): boolean {
    return this.#terms[lowerBound(this.#terms, prefix)]?.startsWith(prefix) ?? false
  }

  /** The letters that follow a beginning in some term. */
  #nextLetters(before: string): string[] {
    const letters: string[] = []
    let id = lowerBound(this.#terms, before)
    for (;;) {
      const term = this.#terms[id]
      if (term === undefined || !term.startsWith(before)) return letters
      if (!this.#steps.take(1)) return letters
      const letter = term[before.length]
      if (letter === undefined) id++
      else {
        letters.push(letter)
        id = lowerBound(this.#terms, before + String.fromCharCode(letter.charCodeAt(0) + 1))
      }
    }
  }
}

/** The letters of a word as a set of 32 bits; a few letters share one, which never makes two equal words differ. */
function letterSet(word: string): number {
  let set = 0
  for (let i = 0; i < word.length; i++) set |= 1 << (word.charCodeAt(i) & 31)
  return set >>> 0
}

function countBits(set: number): number {
  let count = 0
  for (let left = set; left !== 0; left &= left - 1) count++
  return count
}

function shapeOf(first: string, length: number): string {
  return first + length
}
