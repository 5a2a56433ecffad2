/** The words of the index in order: exact, unfinished, run together and mistyped ones are found here. */
import { arabicStem } from '../text/arabic.js'
import { BROKEN_PLURALS } from '../text/arabic-plurals.js'
import { isArabic } from '../text/fold.js'
import { TermTable } from './term-table.js'
import { Work } from './work.js'

/** How many words of the index one unfinished word may stand for. */
const PREFIX_TERMS_MAX = 48
/** … and how many are looked at to choose them. */
const PREFIX_TERMS_SEEN_MAX = 2_000
/** How many words of the index one mistyped word may stand for. */
const TYPO_TERMS_MAX = 8
const TYPO_ONE_FROM_CHARS = 5
/** Arabic writes no short vowels: its words are as telling with a letter less. */
const TYPO_ONE_FROM_CHARS_ARABIC = 4
const TYPO_TWO_FROM_CHARS = 9
/** An unfinished word of so many letters is forgiven one mistake … */
const BEGINNING_CHARS_MIN = 4
/** … which is seen at once or at most so many letters later. */
const MISTAKE_BEFORE_MAX = 2
const COMPOUND_PART_CHARS_MIN = 3

/** Comes after any letter. */
const LAST_CHAR = '\uffff'
const PLURALS = [...BROKEN_PLURALS.keys()].sort()

/** The place of the first of texts in order that is not before another. */
function firstFrom(texts: readonly string[], text: string): number {
  let low = 0
  let high = texts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((texts[middle] as string) < text) low = middle + 1
    else high = middle
  }
  return low
}

export class Vocabulary {
  readonly #terms: string[]
  readonly #places: TermTable
  /** Places of the terms by first letter and length: a mistyped word is held against these only. */
  readonly #byShape = new Map<number, number[]>()
  /** Per term, which letters it has. */
  readonly #letters: Int32Array
  readonly #charsMax: number
  readonly #work: Work

  constructor(joined: string, work = new Work()) {
    this.#work = work
    this.#terms = joined === '' ? [] : joined.split('\n')
    this.#places = new TermTable(this.#terms)
    this.#letters = new Int32Array(this.#terms.length)
    let charsMax = 0
    for (let i = 0; i < this.#terms.length; i++) {
      const term = this.#terms[i] as string
      const shape = shapeOf(term, term.length)
      const list = this.#byShape.get(shape)
      if (list === undefined) this.#byShape.set(shape, [i])
      else list.push(i)
      this.#letters[i] = lettersOf(term)
      charsMax = Math.max(charsMax, term.length)
    }
    this.#charsMax = charsMax
  }

  get size(): number {
    return this.#terms.length
  }

  /** The place of a term, or of the one that two words make together; -1 without. */
  find(first: string, second?: string): number {
    return this.#places.find(first, second)
  }

  term(place: number): string {
    return this.#terms[place] as string
  }

  /** Places of the terms that begin with an unfinished word, the most used of them, in order. */
  withPrefix(prefix: string, used: (place: number) => number): number[] {
    const all = isArabic(prefix) ? this.#pluralsWith(prefix) : []
    const arePlurals = all.length > 0
    const low = firstFrom(this.#terms, prefix)
    const high = firstFrom(this.#terms, prefix + LAST_CHAR)
    const end = Math.min(high, low + PREFIX_TERMS_SEEN_MAX - all.length)
    for (let place = low; place < end; place++) all.push(place)
    this.#work.steps += all.length
    const places = arePlurals ? [...new Set(all)] : all
    const most = all.length <= PREFIX_TERMS_MAX ? places : this.#mostUsed(places, used)
    return arePlurals || most !== all ? most.sort((a, b) => a - b) : most
  }

  /** Numbers that are in the order of use, and among equals in that of the vocabulary from its end, sort without a callback. */
  #mostUsed(places: readonly number[], used: (place: number) => number): number[] {
    const terms = this.#terms.length
    const keys = new Float64Array(places.length)
    for (let i = 0; i < places.length; i++) {
      const place = places[i] as number
      keys[i] = used(place) * terms + (terms - 1 - place)
    }
    keys.sort()
    const most: number[] = []
    for (let i = Math.max(0, keys.length - PREFIX_TERMS_MAX); i < keys.length; i++)
      most.push(terms - 1 - ((keys[i] as number) % terms))
    return most
  }

  #begins(prefix: string): boolean {
    this.#work.steps += prefix.length
    return this.#terms[firstFrom(this.#terms, prefix)]?.startsWith(prefix) ?? false
  }

  /**
   * How an unfinished word may have been meant to begin: with one letter replaced, put in, left out or swapped with the
   * next, near the letter from which on no term begins so; mistakes are mostly seen at once.
   */
  nearBeginnings(word: string): string[] {
    const chars = word.length
    if (chars < BEGINNING_CHARS_MIN || chars > this.#charsMax + 1 || isDigit(word)) return []
    let same = chars
    while (same > 0 && !this.#begins(word.slice(0, same))) same--
    const found: string[] = []
    const take = (beginning: string) => {
      if (found.length < TYPO_TERMS_MAX && this.#begins(beginning)) found.push(beginning)
    }
    for (let at = same; at >= Math.max(1, same - MISTAKE_BEFORE_MAX); at--) {
      const before = word.slice(0, at)
      const rest = word.slice(at + 1)
      if (at + 1 < chars) take(before + word[at + 1] + word[at] + word.slice(at + 2))
      for (const letter of this.#nextLetters(before)) {
        if (letter === word[at]) continue
        take(before + letter + rest)
        take(before + letter + word.slice(at))
      }
      take(before + rest)
    }
    return [...new Set(found)]
  }

  /** The letters that follow a beginning in some term. */
  #nextLetters(before: string): string[] {
    const letters: string[] = []
    let place = firstFrom(this.#terms, before)
    for (;;) {
      const term = this.#terms[place]
      if (term === undefined || !term.startsWith(before)) return letters
      const letter = term[before.length]
      if (letter === undefined) place++
      else {
        letters.push(letter)
        place = firstFrom(this.#terms, before + String.fromCharCode(letter.charCodeAt(0) + 1))
      }
    }
  }

  /** The index knows a broken plural by its singular, which may begin otherwise. */
  #pluralsWith(prefix: string): number[] {
    const found: number[] = []
    for (let i = firstFrom(PLURALS, prefix); PLURALS[i]?.startsWith(prefix); i++) {
      const place = this.find(arabicStem(PLURALS[i] as string))
      if (place >= 0) found.push(place)
    }
    this.#work.steps += found.length
    return found
  }

  /**
   * Two words of the index written as one: "dartboard" → dart, board. The longest first part wins. Arabic does not
   * join words this way: there any part would be a chance hit.
   */
  split(word: string): [number, number] | undefined {
    if (isArabic(word)) return undefined
    // no part is longer than the longest term: a word of a thousand letters is not tried at every one
    const longest = Math.min(word.length - COMPOUND_PART_CHARS_MIN, this.#charsMax)
    const shortest = Math.max(COMPOUND_PART_CHARS_MIN, word.length - this.#charsMax)
    this.#work.steps += Math.max(0, longest - shortest + 1) * word.length
    for (let at = longest; at >= shortest; at--) {
      const first = this.find(word.slice(0, at))
      if (first < 0) continue
      const second = this.find(word.slice(at))
      if (second >= 0) return [first, second]
    }
    return undefined
  }

  /** How many typing mistakes a word of this length is forgiven; none in numbers. */
  forgiven(word: string): number {
    if (isDigit(word)) return 0
    if (word.length < (isArabic(word) ? TYPO_ONE_FROM_CHARS_ARABIC : TYPO_ONE_FROM_CHARS)) return 0
    return word.length < TYPO_TWO_FROM_CHARS ? 1 : 2
  }

  /** Places of the terms at most so many typing mistakes away; only the nearest. */
  mistyped(word: string, allowed: number): number[] {
    if (allowed === 0) return []
    const chars = word.length
    const letters = lettersOf(word)
    const best: number[][] = [[], [], []]
    // the first letter is rarely wrong; where it was swapped with the second, that one leads
    for (const first of new Set([word[0] as string, word[1] as string])) {
      for (let length = chars - allowed; length <= chars + allowed; length++) {
        const alike = this.#byShape.get(shapeOf(first, length))
        if (alike === undefined) continue
        this.#work.steps += alike.length
        for (const place of alike) {
          if (!maySpell(letters, this.#letters[place] as number, allowed)) continue
          this.#work.steps += chars
          const distance = distanceWithin(word, this.#terms[place] as string, allowed)
          if (distance <= allowed) (best[distance] as number[]).push(place)
        }
      }
    }
    const nearest = best.find(list => list.length > 0) ?? []
    return nearest.sort((a, b) => a - b).slice(0, TYPO_TERMS_MAX)
  }
}

function isDigit(word: string): boolean {
  return word.charCodeAt(0) >= 48 && word.charCodeAt(0) <= 57
}

/** `text` is the first letter, or begins with it. */
function shapeOf(text: string, length: number): number {
  return length * 65_536 + text.charCodeAt(0)
}

/** Which letters a word has, one bit each; some share one. */
function lettersOf(word: string): number {
  let bits = 0
  for (let i = 0; i < word.length; i++) bits |= 1 << (word.charCodeAt(i) & 31)
  return bits
}

/** Every mistake takes away one letter at most and brings in one: words with more letters of their own are further apart. */
function maySpell(a: number, b: number, mistakes: number): boolean {
  let onlyA = a & ~b
  let onlyB = b & ~a
  for (let i = 0; i < mistakes; i++) {
    onlyA &= onlyA - 1
    onlyB &= onlyB - 1
  }
  return (onlyA | onlyB) === 0
}

const ROW_CHARS_MAX = 64
let rowBeforeLast = new Uint8Array(ROW_CHARS_MAX + 2)
let rowBefore = new Uint8Array(ROW_CHARS_MAX + 2)
let row = new Uint8Array(ROW_CHARS_MAX + 2)

/**
 * Letters inserted, left out, replaced or swapped with their neighbour; gives up beyond `limit`. Letters further apart
 * than the limit are never held against each other.
 */
export function distanceWithin(a: string, b: string, limit: number): number {
  const beyond = limit + 1
  if (Math.abs(a.length - b.length) > limit || a.length > ROW_CHARS_MAX || b.length > ROW_CHARS_MAX)
    return beyond
  for (let j = 0; j <= limit; j++) rowBefore[j] = j
  rowBefore[beyond] = beyond
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - limit)
    const to = Math.min(b.length, i + limit)
    row[from - 1] = from === 1 ? Math.min(i, beyond) : beyond
    let least = row[from - 1] as number
    for (let j = from; j <= to; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1)
      let value = Math.min(
        (rowBefore[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (rowBefore[j - 1] as number) + (same ? 0 : 1),
      )
      const swapped =
        i > 1 &&
        j > 1 &&
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1)
      if (swapped) value = Math.min(value, (rowBeforeLast[j - 2] as number) + 1)
      row[j] = value
      if (value < least) least = value
    }
    if (least > limit) return beyond
    row[to + 1] = beyond
    const spare = rowBeforeLast
    rowBeforeLast = rowBefore
    rowBefore = row
    row = spare
  }
  return Math.min(beyond, rowBefore[b.length] as number)
}
