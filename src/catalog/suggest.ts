/**
 * Completes what is being typed with phrases that records are known by. The build has put them in order; here the run
 * that begins as typed is found and its best few are taken.
 */
import { LANGUAGES, SUGGEST_LIMIT_MAX } from '../limits.js'
import type { Columns } from '../snapshot/schema.js'
import { otherForms } from '../text/arabic.js'
import { words } from '../text/fold.js'
import { stem } from '../text/terms.js'
import { LINKING_WORDS } from './ranking.js'
import type { Vocabulary } from './vocabulary.js'
import type { Work } from './work.js'

/** A longer run is not gone through: the build has found its best. */
export const RANGE_SCANNED_MAX = 256
/** Where a word begins in a phrase is told by a byte. */
export const PHRASE_BYTES_MAX = 255
/** How many phrases are looked at where the words stand in no phrase side by side. */
const FILTERED_MAX = 1_024
/** A longer text is completed by its last words. */
const WORDS_MAX = 8
/** How many readings of a mistyped word are tried. */
const READINGS_MAX = 8
/** … and how many of them beside the other words in any order. */
const READINGS_ANYWHERE_MAX = 3
/** A mistyped word of so many letters is rather a whole one than the beginning of another. */
const WHOLE_CHARS_MIN = 6
/** How many words are looked for among mistyped ones. */
const CORRECTED_WORDS_MAX = 2
/** More than are shown: where a better one that reads alike takes a place, none is missing at the end. */
const BEST_MAX = SUGGEST_LIMIT_MAX + 12
const SPACE = 32
const ARTICLE = /^(?:[وبكف]?ال|لل)(?=..)/u
const ENCODER = new TextEncoder()

export type Language = (typeof LANGUAGES)[number]

/** A text as it is held against the phrases: folded words, one space between two. */
export function normalised(text: string): string {
  return foldedPhrase(words(text))
}

/** A CAS number is one word with hyphens, and three while it is typed. */
export function foldedPhrase(list: readonly string[]): string {
  return list.join(' ').replaceAll('-', ' ')
}

/** The best phrases of those offered, no two that read alike; of equals the one offered first. */
export class Best {
  readonly phrases = new Uint32Array(BEST_MAX)
  count = 0
  readonly #weight: Uint8Array
  readonly #alike: Uint32Array

  constructor(weight: Uint8Array, alike: Uint32Array) {
    this.#weight = weight
    this.#alike = alike
  }

  clear(): void {
    this.count = 0
  }

  hasAlike(phrase: number): boolean {
    return this.#placeAlike(phrase) >= 0
  }

  offer(phrase: number): void {
    const { phrases } = this
    const weight = this.#weight[phrase] as number
    const isFull = this.count === BEST_MAX
    if (isFull && weight <= (this.#weight[phrases[this.count - 1] as number] as number)) return
    const alike = this.#placeAlike(phrase)
    if (alike >= 0 && weight <= (this.#weight[phrases[alike] as number] as number)) return
    // the one that goes: what reads alike, the last where there is no room, or none
    let at = alike >= 0 ? alike : isFull ? this.count - 1 : this.count++
    for (; at > 0 && (this.#weight[phrases[at - 1] as number] as number) < weight; at--)
      phrases[at] = phrases[at - 1] as number
    phrases[at] = phrase
  }

  #placeAlike(phrase: number): number {
    const alike = this.#alike[phrase]
    for (let i = 0; i < this.count; i++) if (this.#alike[this.phrases[i] as number] === alike) return i
    return -1
  }
}

/** Phrases by their numbers, best first. */
export interface Suggested {
  /** The first `count` of these. */
  readonly phrases: Uint32Array
  count: number
  language: Language
}

const ARABIC = /[\u0600-\u06ff]/u

export class Suggest {
  /** What the last question found. */
  readonly #found: Suggested = { phrases: new Uint32Array(SUGGEST_LIMIT_MAX), count: 0, language: 'en' }
  readonly #folded: Uint8Array
  readonly #foldedAt: Uint32Array
  readonly #shown: Uint8Array
  readonly #shownAt: Uint32Array
  readonly #record: Uint32Array
  readonly #inner: Uint32Array
  readonly #innerStart: Uint8Array
  readonly #parts: Uint32Array
  readonly #ranges: Uint32Array
  readonly #best: Uint32Array
  readonly #vocabulary: Vocabulary
  readonly #work: Work
  /** Phrases that begin as typed, and those of which a later word does: they come after. */
  readonly #beginning: Best
  readonly #within: Best
  readonly #typed = new Uint8Array(PHRASE_BYTES_MAX)
  #typedBytes = 0
  #language = 0
  /** The run of positions that was found last. */
  #low = 0
  #high = 0

  constructor(columns: Columns, vocabulary: Vocabulary, work: Work) {
    this.#folded = columns.suggestFolded
    this.#foldedAt = columns.suggestFoldedAt
    this.#shown = columns.suggestShown
    this.#shownAt = columns.suggestShownAt
    this.#record = columns.suggestRecord
    this.#inner = columns.suggestInner
    this.#innerStart = columns.suggestInnerStart
    this.#parts = columns.suggestParts
    this.#ranges = columns.suggestRanges
    this.#best = columns.suggestBest
    this.#beginning = new Best(columns.suggestWeight, columns.suggestAlike)
    this.#within = new Best(columns.suggestWeight, columns.suggestAlike)
    this.#vocabulary = vocabulary
    this.#work = work
  }

  /** What the last question cost. */
  get steps(): number {
    return this.#work.steps
  }

  /** Where a phrase leads. */
  record(phrase: number): number {
    return this.#record[phrase] as number
  }

  /** Whether a phrase is shown otherwise than it is typed. */
  #differs(phrase: number): boolean {
    return this.#shownAt[phrase] !== this.#shownAt[phrase + 1]
  }

  /** The text of a phrase, as JSON has it between quotes, is `arena` from `start` to `end`. */
  arena(phrase: number): Uint8Array {
    return this.#differs(phrase) ? this.#shown : this.#folded
  }

  start(phrase: number): number {
    return (this.#differs(phrase) ? this.#shownAt[phrase] : this.#foldedAt[phrase]) as number
  }

  end(phrase: number): number {
    return (this.#differs(phrase) ? this.#shownAt[phrase + 1] : this.#foldedAt[phrase + 1]) as number
  }

  /** Off the hot path: the text of a phrase. */
  text(phrase: number): string {
    const bytes = this.arena(phrase).slice(this.start(phrase), this.end(phrase))
    return JSON.parse(`"${new TextDecoder().decode(bytes)}"`)
  }

  /**
   * At most `limit` phrases in the language asked for, or else in that of the letters typed. Fewer asked for are the first
   * of more. The answer is good until the next question.
   */
  find(text: string, limit: number, language?: Language): Suggested {
    this.#work.steps = 0
    this.#beginning.clear()
    this.#within.clear()
    const typed = normalised(text)
    this.#found.language = language ?? (ARABIC.test(typed) ? 'ar' : 'en')
    this.#language = LANGUAGES.indexOf(this.#found.language)
    if (typed !== '') this.#look(typed)
    this.#take(limit)
    return this.#found
  }

  #look(typed: string): void {
    this.#complete(typed)
    // hardly a phrase begins with an article: it is that of the word
    if (this.#beginning.count === 0 && ARTICLE.test(typed)) this.#complete(typed.replace(ARTICLE, ''))
    if (this.#isFound) return
    const list = typed.split(' ').slice(-WORDS_MAX)
    if (!this.#inAnyOrder(list) && !this.#inOtherForms(list)) this.#corrected(list)
  }

  get #isFound(): boolean {
    return this.#beginning.count + this.#within.count > 0
  }

  #take(limit: number): void {
    const found = this.#found
    found.count = Math.min(limit, this.#beginning.count)
    for (let i = 0; i < found.count; i++) found.phrases[i] = this.#beginning.phrases[i] as number
    for (let i = 0; i < this.#within.count && found.count < limit; i++) {
      const phrase = this.#within.phrases[i] as number
      if (!this.#beginning.hasAlike(phrase)) found.phrases[found.count++] = phrase
    }
  }

  /** Gathers the phrases that begin as typed, or of which a word does. */
  #complete(typed: string): void {
    if (!this.#encode(typed)) return
    this.#findRun(this.#language)
    this.#gather(this.#beginning)
    if (this.#beginning.count < SUGGEST_LIMIT_MAX) {
      this.#findRun(LANGUAGES.length + this.#language)
      this.#gather(this.#within)
    }
  }

  #encode(typed: string): boolean {
    const { read, written } = ENCODER.encodeInto(typed, this.#typed)
    this.#typedBytes = written
    return read === typed.length
  }

  /** The positions of a part that begin as typed. */
  #findRun(part: number): void {
    const end = this.#parts[part + 1] as number
    this.#low = this.#firstFrom(this.#parts[part] as number, end, false)
    this.#high = this.#firstFrom(this.#low, end, true)
  }

  /** The first position that is not before what is typed, or the first after all that begin so. */
  #firstFrom(from: number, end: number, isAfter: boolean): number {
    let low = from
    let high = end
    while (low < high) {
      const middle = (low + high) >>> 1
      const order = this.#compare(middle)
      if (order < 0 || (isAfter && order === 0)) low = middle + 1
      else high = middle
    }
    return low
  }

  #phraseAt(position: number): number {
    const phrases = this.#record.length
    return position < phrases ? position : (this.#inner[position - phrases] as number)
  }

  /** Below 0 where the text at a position comes before what is typed, 0 where it begins so, above 0 where it comes after. */
  #compare(position: number): number {
    const phrases = this.#record.length
    const phrase = this.#phraseAt(position)
    const before = position < phrases ? 0 : (this.#innerStart[position - phrases] as number)
    const start = (this.#foldedAt[phrase] as number) + before
    const bytes = Math.min(this.#typedBytes, (this.#foldedAt[phrase + 1] as number) - start)
    let same = 0
    while (same < bytes && this.#folded[start + same] === this.#typed[same]) same++
    this.#work.steps += same + 1
    if (same < bytes) return (this.#folded[start + same] as number) - (this.#typed[same] as number)
    return bytes < this.#typedBytes ? -1 : 0
  }

  #gather(best: Best): void {
    const count = this.#high - this.#low
    if (count <= RANGE_SCANNED_MAX) {
      for (let position = this.#low; position < this.#high; position++) best.offer(this.#phraseAt(position))
      this.#work.steps += count
      return
    }
    const row = this.#rowOfRun()
    const end = this.#ranges[row + 5] as number
    for (let i = this.#ranges[row + 2] as number; i < end; i++) best.offer(this.#best[i] as number)
    this.#work.steps += BEST_MAX
  }

  /** The row of `ranges` for the run at hand. */
  #rowOfRun(): number {
    let low = 0
    let high = this.#ranges.length / 3 - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      const first = this.#ranges[middle * 3] as number
      const isBefore =
        first < this.#low || (first === this.#low && (this.#ranges[middle * 3 + 1] as number) < this.#high)
      if (isBefore) low = middle + 1
      else high = middle
    }
    return low * 3
  }

  /** How many phrases have a word that begins so. */
  #used(word: string): number {
    if (!this.#encode(word)) return 0
    this.#findRun(this.#language)
    const beginning = this.#high - this.#low
    this.#findRun(LANGUAGES.length + this.#language)
    return beginning + this.#high - this.#low
  }

  /**
   * Gathers the phrases that have all the words, wherever they stand. The rarest word leads; whether a phrase has the
   * others is looked up in its text.
   */
  #inAnyOrder(list: readonly string[]): boolean {
    const asked = list
      .map((word, i) => (i < list.length - 1 ? beginningOf(word) : word))
      .filter((word, i) => i === list.length - 1 || !LINKING_WORDS.has(word))
    if (asked.length < 2) return false
    const used = asked.map(word => this.#used(word))
    const least = Math.min(...used)
    if (least === 0) return false
    const lead = asked[used.indexOf(least)] as string
    const others = asked.filter(word => word !== lead).map(word => ENCODER.encode(word))
    this.#encode(lead)
    let left = FILTERED_MAX
    for (const part of [this.#language, LANGUAGES.length + this.#language]) {
      this.#findRun(part)
      const end = Math.min(this.#high, this.#low + left)
      left -= end - this.#low
      for (let position = this.#low; position < end; position++) {
        const phrase = this.#phraseAt(position)
        if (others.every(word => this.#hasWord(phrase, word))) this.#within.offer(phrase)
      }
    }
    this.#work.steps += (FILTERED_MAX - left) * others.length
    return this.#within.count > 0
  }

  /** Whether a word of the phrase begins so. */
  #hasWord(phrase: number, word: Uint8Array): boolean {
    const end = (this.#foldedAt[phrase + 1] as number) - word.length
    const start = this.#foldedAt[phrase] as number
    for (let at = start; at <= end; at++) {
      if (at > start && this.#folded[at - 1] !== SPACE) continue
      let same = 0
      while (same < word.length && this.#folded[at + same] === word[same]) same++
      if (same === word.length) return true
    }
    return false
  }

  /** Gathers the phrases that have a word as a broken plural, or the singular of one: هاتف is in هواتف ذكية, too. */
  #inOtherForms(list: readonly string[]): boolean {
    for (const [i, word] of list.entries()) {
      for (const form of otherForms(word))
        this.#completeWords([...list.slice(0, i), form, ...list.slice(i + 1)])
      if (this.#isFound) return true
    }
    return false
  }

  #completeWords(list: readonly string[]): void {
    this.#complete(list.join(' '))
    if (!this.#isFound) this.#inAnyOrder(list)
  }

  /** Gathers what the words may have been meant to be; where that is nothing, the words before the last that are known count. */
  #corrected(list: readonly string[]): void {
    let correctionsLeft = CORRECTED_WORDS_MAX
    const readingsOf = (word: string): string[] => {
      if (this.#used(word) > 0) return [word]
      return correctionsLeft-- > 0 ? this.#readings(word) : []
    }
    const last = readingsOf(list[list.length - 1] as string)
    const before = list.slice(0, -1)
    const known = before.filter(word => this.#used(word) > 0)
    const meant = before.flatMap(word => readingsOf(word).slice(0, 1))
    for (const reading of last) this.#complete([...meant, reading].join(' '))
    for (const words of [meant, known]) {
      if (this.#isFound) return
      for (const reading of last.slice(0, READINGS_ANYWHERE_MAX))
        this.#completeWords([...words, ...reading.split(' ')])
    }
  }

  /** Beginnings of known words that an unknown one may stand for: without its article, mistyped, or two run together. */
  #readings(word: string): string[] {
    const known = (readings: readonly string[]) =>
      [...new Set(readings)].filter(reading => this.#used(reading) > 0).slice(0, READINGS_MAX)
    const main = stem(word)
    const bare = known([word.replace(ARTICLE, ''), main])
    if (bare.length > 0) return bare
    const vocabulary = this.#vocabulary
    const forgiven = vocabulary.forgiven(main)
    const mistyped = (mistakes: number) =>
      vocabulary.mistyped(main, mistakes).map(place => vocabulary.term(place))
    const whole = known(mistyped(Math.min(1, forgiven)))
    if (whole.length > 0 && word.length >= WHOLE_CHARS_MIN) return whole
    const near = known([...whole, ...vocabulary.nearBeginnings(word)])
    if (near.length > 0) return near
    const parts = vocabulary.split(main)?.map(place => vocabulary.term(place))
    if (parts !== undefined) return [parts.join(' ')]
    return forgiven > 1 ? known(mistyped(forgiven)) : []
  }
}

/** What the forms of a whole word have in common, where that is how it begins. */
function beginningOf(word: string): string {
  const main = stem(word)
  return word.startsWith(main) ? main : word
}
