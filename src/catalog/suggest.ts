/** Completes typed text with phrases that the build has sorted and ranked. */
import { LANGUAGES, SUGGEST_LIMIT_MAX } from '../limits.js'
import type { Snapshot } from '../snapshot/decode.js'
import type { Columns } from '../snapshot/schema.js'
import { words } from '../text/fold.js'
import type { Stemmer } from '../text/terms.js'
import type { Steps } from './search/steps.js'
import type { Vocabulary } from './search/vocabulary.js'
import { Best } from './suggest-best.js'
import { SuggestRuns } from './suggest-runs.js'
import { utf8Text } from './utf8.js'

/** Maximum number of phrases scanned for words in any order. */
const SCANNED_MAX = 1_024
/** Maximum number of words; of a longer text, only the last ones are completed. */
const WORDS_MAX = 8
/** Maximum number of corrections tried for a misspelt word. */
const READINGS_MAX = 8
/** Maximum number of these corrections that are combined with the other words in any order. */
const READINGS_ANYWHERE_MAX = 3
/** From this length on, a misspelt word is treated as complete, not as a prefix. */
const WHOLE_CHARS_MIN = 6
const CORRECTED_WORDS_MAX = 2
const ARTICLE = /^(?:[وبكف]?ال|لل)(?=..)/u
const ENCODER = new TextEncoder()

export type Language = (typeof LANGUAGES)[number]

/** Folded words separated by single spaces, as phrases are stored. A CAS number becomes three words. */
export function normalised(text: string): string {
  return words(text).join(' ').replaceAll('-', ' ')
}

/** Phrase numbers, best first. */
export interface Suggested {
  /** Only the first `count` are valid. */
  readonly phrases: Uint32Array
  count: number
  language: Language
}

export interface Completion {
  /** The record of the first suggestion. */
  record: number
  /** Folded words, best first; a word may occur twice. */
  words: readonly string[]
}

/** Maximum number of bytes that a plural ending adds. */
const ENDING_BYTES_MAX = 4

/** Maximum number of suggestions considered when a search query is completed. */
const COMPLETIONS_MAX = 10

const ARABIC = /[\u0600-\u06ff]/u

export class Suggest {
  /** The result, reused by every call. */
  readonly #found: Suggested = { phrases: new Uint32Array(SUGGEST_LIMIT_MAX), count: 0, language: 'en' }
  readonly #columns: Columns
  readonly #runs: SuggestRuns
  readonly #vocabulary: Vocabulary
  readonly #stemmer: Stemmer
  /** Words such as "of", which a phrase need not contain. */
  readonly #linking: ReadonlySet<string>
  readonly #steps: Steps
  /**
   * Phrases that start with the text (`#prefixed`) come before phrases in which a later word starts with the text (`#inner`).
   */
  readonly #prefixed: Best
  readonly #inner: Best

  constructor({ columns, meta }: Snapshot, vocabulary: Vocabulary, stemmer: Stemmer, steps: Steps) {
    this.#stemmer = stemmer
    this.#linking = new Set(meta.words.linking)
    this.#columns = columns
    this.#runs = new SuggestRuns(columns, steps)
    this.#prefixed = new Best(columns.suggestWeight, columns.suggestAlike)
    this.#inner = new Best(columns.suggestWeight, columns.suggestAlike)
    this.#vocabulary = vocabulary
    this.#steps = steps
  }

  get steps(): number {
    return this.#steps.used
  }

  record(phrase: number): number {
    return this.#columns.suggestRecord[phrase]
  }

  /** Phrase numbers of a language, end exclusive. */
  phrasesOf(language: Language): [first: number, end: number] {
    const part = LANGUAGES.indexOf(language)
    return [this.#columns.suggestParts[part], this.#columns.suggestParts[part + 1]]
  }

  #foldedText(phrase: number): string {
    const { suggestFolded, suggestFoldedAt } = this.#columns
    return utf8Text(suggestFolded.subarray(suggestFoldedAt[phrase], suggestFoldedAt[phrase + 1]))
  }

  /**
   * The phrase as displayed. The snapshot stores this text, as JSON without quotes, only if it differs from the folded text.
   */
  text(phrase: number): string {
    const { suggestShown, suggestShownAt } = this.#columns
    const shown = utf8Text(suggestShown.subarray(suggestShownAt[phrase], suggestShownAt[phrase + 1]))
    return shown === '' ? this.#foldedText(phrase) : JSON.parse(`"${shown}"`)
  }

  /** `language` defaults to the language of the typed letters. The result is valid until the next call. */
  find(text: string, limit: number, language?: Language): Suggested {
    this.#steps.reset()
    const typed = normalised(text)
    this.#reset(typed, language)
    if (typed !== '') this.#search(typed)
    this.#collect(limit, typed)
    return this.#found
  }

  /**
   * Completes the last word; undefined if nothing completes it, or if at least half the suggestions have it as a whole word.
   */
  complete(text: string): Completion | undefined {
    const typed = normalised(text)
    const beginning = typed.slice(typed.lastIndexOf(' ') + 1)
    this.#reset(typed)
    this.#complete(typed)
    if (!this.#isFound) this.#inAnyOrder(typed.split(' ').slice(-WORDS_MAX))
    this.#collect(COMPLETIONS_MAX, typed)
    const { phrases, count } = this.#found
    if (count === 0 || this.#isWhole(phrases[0], typed)) return undefined
    const completed = Array.from(phrases.subarray(0, count), phrase =>
      this.#foldedText(phrase)
        .split(' ')
        .find(word => word.startsWith(beginning)),
    ).filter(word => word !== undefined)
    const beginningStem = this.#stemmer.stem(beginning)
    const whole = completed.filter(word => this.#stemmer.stem(word) === beginningStem)
    if (completed.length === 0 || whole.length * 2 >= completed.length) return undefined
    return { record: this.record(phrases[0]), words: completed }
  }

  #reset(typed: string, language?: Language): void {
    this.#prefixed.clear()
    this.#inner.clear()
    this.#found.language = language ?? (ARABIC.test(typed) ? 'ar' : 'en')
    this.#runs.language = LANGUAGES.indexOf(this.#found.language)
  }

  #search(typed: string): void {
    this.#complete(typed)
    // phrases are stored without the Arabic article
    if (this.#prefixed.count === 0 && ARTICLE.test(typed)) this.#complete(typed.replace(ARTICLE, ''))
    if (this.#isFound) return
    const list = typed.split(' ').slice(-WORDS_MAX)
    if (!this.#inAnyOrder(list) && !this.#inOtherForms(list)) this.#corrected(list)
  }

  get #isFound(): boolean {
    return this.#prefixed.count + this.#inner.count > 0
  }

  #collect(limit: number, typed: string): void {
    const found = this.#found
    this.#putWholeFirst(typed)
    found.count = Math.min(limit, this.#prefixed.count)
    for (let i = 0; i < found.count; i++) found.phrases[i] = this.#prefixed.phrases[i]
    for (let i = 0; i < this.#inner.count && found.count < limit; i++) {
      const phrase = this.#inner.phrases[i]
      if (!this.#prefixed.hasDuplicate(phrase)) found.phrases[found.count++] = phrase
    }
  }

  /** Moves a phrase that equals the text, apart from endings, to the front: "bra" suggests bras before brass. */
  #putWholeFirst(typed: string): void {
    const { phrases, count } = this.#prefixed
    const at = phrases.subarray(0, count).findIndex(phrase => this.#isWhole(phrase, typed))
    if (at <= 0) return
    const whole = phrases[at]
    phrases.copyWithin(1, 0, at)
    phrases[0] = whole
  }

  #isWhole(phrase: number, typed: string): boolean {
    const { suggestFoldedAt } = this.#columns
    const more = suggestFoldedAt[phrase + 1] - suggestFoldedAt[phrase] - typed.length
    // avoids decoding; a typed letter takes at most two bytes
    if (more > typed.length + ENDING_BYTES_MAX) return false
    return this.#haveSameStems(this.#foldedText(phrase), typed)
  }

  #complete(typed: string): void {
    if (!this.#runs.encode(typed)) return
    this.#runs.findPrefix()
    this.#runs.gather(this.#prefixed)
    if (this.#prefixed.count < SUGGEST_LIMIT_MAX) {
      this.#runs.findAtLaterWords()
      this.#runs.gather(this.#inner)
    }
  }

  /** Finds phrases with all the words in any order: scans the run of the rarest word and checks each phrase for the others. */
  #inAnyOrder(list: readonly string[]): boolean {
    const required = list
      .map((word, i) => (i < list.length - 1 ? this.#stemPrefix(word) : word))
      .filter((word, i) => i === list.length - 1 || !this.#linking.has(word))
    if (required.length < 2) return false
    const used = required.map(word => this.#runs.countPhrases(word))
    const least = Math.min(...used)
    if (least === 0) return false
    const lead = required[used.indexOf(least)]
    const others = required.filter(word => word !== lead).map(word => ENCODER.encode(word))
    this.#runs.encode(lead)
    const runs = this.#runs
    let left = SCANNED_MAX
    for (const isInner of [false, true]) {
      if (isInner) runs.findAtLaterWords()
      else runs.findPrefix()
      const end = Math.min(runs.high, runs.low + left)
      left -= end - runs.low
      if (!this.#steps.take((end - runs.low) * others.length)) break
      for (let position = runs.low; position < end; position++) {
        const phrase = runs.phraseAt(position)
        if (others.every(word => runs.hasWord(phrase, word))) this.#inner.offer(phrase)
      }
    }
    return this.#inner.count > 0
  }

  /** Tries the singular or broken plural of each word: هاتف also finds هواتف ذكية. */
  #inOtherForms(list: readonly string[]): boolean {
    for (const [i, word] of list.entries()) {
      for (const form of this.#stemmer.otherForms(word)) this.#completeWords([...list.slice(0, i), form, ...list.slice(i + 1)])
      if (this.#isFound) return true
    }
    return false
  }

  #completeWords(list: readonly string[]): void {
    this.#complete(list.join(' '))
    if (!this.#isFound) this.#inAnyOrder(list)
  }

  /** Tries spelling corrections; if none match, drops unknown words except the last word. */
  #corrected(list: readonly string[]): void {
    let correctionsLeft = CORRECTED_WORDS_MAX
    const readingsOf = (word: string): string[] => {
      if (this.#runs.countPhrases(word) > 0) return [word]
      return correctionsLeft-- > 0 ? this.#readings(word) : []
    }
    const last = readingsOf(list[list.length - 1])
    const before = list.slice(0, -1)
    const existing = before.filter(word => this.#runs.countPhrases(word) > 0)
    const corrected = before.flatMap(word => readingsOf(word).slice(0, 1))
    for (const reading of last) this.#complete([...corrected, reading].join(' '))
    for (const words of [corrected, existing]) {
      if (this.#isFound) return
      for (const reading of last.slice(0, READINGS_ANYWHERE_MAX)) this.#completeWords([...words, ...reading.split(' ')])
    }
  }

  /** Known prefixes that an unknown word may mean: without its article, misspelt, or two words run together. */
  #readings(word: string): string[] {
    const existing = (readings: readonly string[]) =>
      [...new Set(readings)].filter(reading => this.#runs.countPhrases(reading) > 0).slice(0, READINGS_MAX)
    const stem = this.#stemmer.stem(word)
    const bare = existing([word.replace(ARTICLE, ''), stem])
    if (bare.length > 0) return bare
    const vocabulary = this.#vocabulary
    const typosMax = vocabulary.typosAllowed(stem)
    const mistyped = (typos: number) => vocabulary.mistyped(stem, typos).map(place => vocabulary.term(place))
    const whole = existing(mistyped(Math.min(1, typosMax)))
    if (whole.length > 0 && word.length >= WHOLE_CHARS_MIN) return whole
    const near = existing([...whole, ...vocabulary.nearPrefixes(word)])
    if (near.length > 0) return near
    const parts = vocabulary.split(stem, () => true)?.map(place => vocabulary.term(place))
    if (parts !== undefined) return [parts.join(' ')]
    return typosMax > 1 ? existing(mistyped(typosMax)) : []
  }

  #haveSameStems(a: string, b: string): boolean {
    const first = a.split(' ')
    const second = b.split(' ')
    const stemmer = this.#stemmer
    return first.length === second.length && first.every((word, i) => stemmer.stem(word) === stemmer.stem(second[i]))
  }

  /** The stem if the word starts with its stem, so that other forms of the word match too; otherwise the word. */
  #stemPrefix(word: string): string {
    const stem = this.#stemmer.stem(word)
    return word.startsWith(stem) ? stem : word
  }
}
