/** The sorted index terms: finds exact words, prefixes, misspellings and compounds. */

import { lowerBound } from '../../lower-bound.js'
import { isArabic } from '../../text/fold.js'
import { isMistyped } from '../../text/spelling.js'
import type { Stemmer } from '../../text/terms.js'
import { Steps } from './steps.js'

/** Maximum number of terms that a prefix matches, and of terms compared to choose them. */
const PREFIX_TERMS_MAX = 48
const PREFIX_TERMS_SEEN_MAX = 2_000
/** Maximum number of terms that a misspelt word matches. */
const TYPO_TERMS_MAX = 8
const TYPO_ONE_FROM_CHARS = 5
/** Arabic does not write short vowels, so its words are shorter. */
const TYPO_ONE_FROM_CHARS_ARABIC = 4
const TYPO_TWO_FROM_CHARS = 9
/** A prefix of at least this length may have one typo, at most TYPO_LOOKBACK_MAX letters before the first mismatch. */
const PREFIX_CHARS_MIN = 4
const TYPO_LOOKBACK_MAX = 2
const COMPOUND_PART_CHARS_MIN = 3
/** Sorts after any letter. */
const LAST_CHAR = '\uffff'

export class Vocabulary {
  readonly #terms: readonly string[]
  /** Term ids by first letter and length, to limit comparisons with a misspelt word. */
  readonly #byShape = new Map<number, number[]>()
  /** By term id: its letters as a bit set. */
  readonly #letters: Uint32Array
  readonly #charsMax: number
  readonly #stemmer: Stemmer
  readonly #steps: Steps

  constructor(joined: string, stemmer: Stemmer, steps = new Steps()) {
    this.#stemmer = stemmer
    this.#steps = steps
    this.#terms = joined === '' ? [] : joined.split('\n')
    this.#letters = new Uint32Array(this.#terms.length)
    let charsMax = 0
    // a plain loop, which is fast: during a reload, no request is answered while this constructor runs
    for (let id = 0; id < this.#terms.length; id++) {
      const term = this.#terms[id]
      this.#letters[id] = letterSet(term)
      const shape = shapeOf(term.charCodeAt(0), term.length)
      const sameShape = this.#byShape.get(shape)
      if (sameShape === undefined) this.#byShape.set(shape, [id])
      else sameShape.push(id)
      charsMax = Math.max(charsMax, term.length)
    }
    this.#charsMax = charsMax
  }

  get size(): number {
    return this.#terms.length
  }

  term(id: number): string {
    return this.#terms[id]
  }

  /** The id of a term; -1 if it is unknown. */
  find(term: string): number {
    const id = lowerBound(this.#terms, term)
    return this.#terms[id] === term ? id : -1
  }

  /** The most common terms with a prefix, in ascending order of id. */
  withPrefix(prefix: string, countOf: (termId: number) => number): number[] {
    const ids = new Set(isArabic(prefix) ? this.#pluralsWith(prefix) : [])
    const first = lowerBound(this.#terms, prefix)
    const end = Math.min(lowerBound(this.#terms, prefix + LAST_CHAR), first + PREFIX_TERMS_SEEN_MAX)
    for (let id = first; id < end; id++) ids.add(id)
    if (!this.#steps.take(ids.size)) return []
    if (ids.size <= PREFIX_TERMS_MAX) return [...ids].sort((a, b) => a - b)
    return [...ids]
      .sort((a, b) => countOf(b) - countOf(a) || a - b)
      .slice(0, PREFIX_TERMS_MAX)
      .sort((a, b) => a - b)
  }

  /** The index stores a broken plural under its singular, which may start with letters other than the prefix. */
  #pluralsWith(prefix: string): number[] {
    const ids: number[] = []
    const plurals = this.#stemmer.brokenPlurals
    for (let i = lowerBound(plurals, prefix); plurals[i]?.startsWith(prefix); i++) {
      const id = this.find(this.#stemmer.stem(plurals[i]))
      if (id >= 0) ids.push(id)
    }
    return ids
  }

  /** Number of typos allowed in a word, by its length; none in numbers. */
  typosAllowed(word: string): number {
    if (/^[0-9]/.test(word)) return 0
    if (word.length < (isArabic(word) ? TYPO_ONE_FROM_CHARS_ARABIC : TYPO_ONE_FROM_CHARS)) return 0
    return word.length < TYPO_TWO_FROM_CHARS ? 1 : 2
  }

  /** The terms within `typosMax` typos of a word; only those with the fewest typos. */
  mistyped(word: string, typosMax: number): number[] {
    const letters = letterSet(word)
    for (let typos = 1; typos <= typosMax; typos++) {
      const found: number[] = []
      // the first letter is rarely wrong, but may be superfluous or swapped with the second
      for (const first of new Set([word.charCodeAt(0), word.charCodeAt(1)]))
        for (let length = word.length - typos; length <= word.length + typos; length++) {
          const sameShape = this.#byShape.get(shapeOf(first, length)) ?? []
          if (!this.#steps.take(sameShape.length)) return []
          for (const id of sameShape) {
            // each typo changes at most two bits, so this skips most comparisons
            if (countBits(letters ^ this.#letters[id]) > 2 * typos) continue
            if (isMistyped(word, this.#terms[id], typos)) found.push(id)
          }
        }
      if (found.length > 0) return found.sort((a, b) => a - b).slice(0, TYPO_TERMS_MAX)
    }
    return []
  }

  /** Splits "dartboard" into dart and board; the longest first part wins. Arabic does not form such compounds. */
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

  /** Known prefixes within one typo of an unfinished word. The typo is near the first letter that fits no term. */
  nearPrefixes(word: string): string[] {
    const chars = word.length
    if (chars < PREFIX_CHARS_MIN || chars > this.#charsMax + 1 || /^[0-9]/.test(word)) return []
    let same = chars
    while (same > 0 && !this.#isPrefix(word.slice(0, same))) same--
    const found = new Set<string>()
    const take = (prefix: string) => {
      if (found.size < TYPO_TERMS_MAX && this.#isPrefix(prefix)) found.add(prefix)
    }
    for (let at = same; at >= Math.max(1, same - TYPO_LOOKBACK_MAX); at--) {
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

  #isPrefix(text: string): boolean {
    return this.#steps.take(text.length) && (this.#terms[lowerBound(this.#terms, text)]?.startsWith(text) ?? false)
  }

  /** The letters that follow a prefix in some term. */
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

const shapeOf = (firstChar: number, length: number): number => firstChar * 0x10000 + length

/** A 32-bit set; a few letters share a bit, which only causes more comparisons. */
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
