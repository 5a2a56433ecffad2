/**
 * Completes what is being typed with phrases that records are known by. The build has put them in order; here the run
 * that begins as typed is found and its best few are taken.
 */
import { LANGUAGES, SUGGEST_LIMIT_MAX } from '../limits.js'
import type { Snapshot } from '../snapshot/decode.js'
import { words } from '../text/fold.js'
import type { Stemmer } from '../text/terms.js'
import type { Steps } from './search/steps.js'
import type { Vocabulary } from './search/vocabulary.js'
import { Best } from './suggest-best.js'
import { SuggestRuns } from './suggest-runs.js'
import { utf8Text } from './utf8.js'

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
const ARTICLE = /^(?:[وبكف]?ال|لل)(?=..)/u
const ENCODER = new TextEncoder()

export type Language = (typeof LANGUAGES)[number]

/** A text as it is held against the phrases: folded words, one space between two. */
export function normalised(text: string): string {
  return foldedPhrase(words(text))
}

/** A CAS number is one word with hyphens, and three while it is typed. */
function foldedPhrase(list: readonly string[]): string {
  return list.join(' ').replaceAll('-', ' ')
}

/** Phrases by their numbers, best first. */
export interface Suggested {
  /** The first `count` of these. */
  readonly phrases: Uint32Array
  count: number
  language: Language
}

/** What an unfinished word may be completed to. */
export interface Completion {
  /** Where the first suggestion leads. */
  record: number
  /** Folded words, the best first; some may come twice. */
  words: readonly string[]
}

/** Bytes of the endings that plurals add. */
const ENDING_BYTES_MAX = 4

/** How many suggestions tell what an unfinished word may be. */
const COMPLETIONS_MAX = 10

const ARABIC = /[\u0600-\u06ff]/u

export class Suggest {
  /** What the last question found. */
  readonly #found: Suggested = { phrases: new Uint32Array(SUGGEST_LIMIT_MAX), count: 0, language: 'en' }
  readonly #folded: Uint8Array
  readonly #foldedAt: Uint32Array
  readonly #shown: Uint8Array
  readonly #shownAt: Uint32Array
  readonly #record: Uint32Array
  readonly #parts: Uint32Array
  readonly #runs: SuggestRuns
  readonly #vocabulary: Vocabulary
  readonly #stemmer: Stemmer
  /** Words that link others: a phrase need not have them. */
  readonly #linking: ReadonlySet<string>
  readonly #steps: Steps
  /** Phrases that begin as typed, and those of which a later word does: they come after. */
  readonly #beginning: Best
  readonly #within: Best

  constructor({ columns, meta }: Snapshot, vocabulary: Vocabulary, stemmer: Stemmer, steps: Steps) {
    this.#stemmer = stemmer
    this.#linking = new Set(meta.words.linking)
    this.#folded = columns.suggestFolded
    this.#foldedAt = columns.suggestFoldedAt
    this.#shown = columns.suggestShown
    this.#shownAt = columns.suggestShownAt
    this.#record = columns.suggestRecord
    this.#parts = columns.suggestParts
    this.#runs = new SuggestRuns(columns, steps)
    this.#beginning = new Best(columns.suggestWeight, columns.suggestAlike)
    this.#within = new Best(columns.suggestWeight, columns.suggestAlike)
    this.#vocabulary = vocabulary
    this.#steps = steps
  }

  /** What the last question cost. */
  get steps(): number {
    return this.#steps.used
  }

  /** Where a phrase leads. */
  record(phrase: number): number {
    return this.#record[phrase]
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

  /** Off the hot path: the numbers of all phrases of a language, from the first up to, not including, the second. */
  phrasesOf(language: Language): [first: number, end: number] {
    const part = LANGUAGES.indexOf(language)
    return [this.#parts[part], this.#parts[part + 1]]
  }

  /** A phrase as it is typed. */
  #foldedText(phrase: number): string {
    return utf8Text(this.#folded.subarray(this.#foldedAt[phrase], this.#foldedAt[phrase + 1]))
  }

  /** Off the hot path: the text of a phrase. */
  text(phrase: number): string {
    return JSON.parse(`"${utf8Text(this.arena(phrase).subarray(this.start(phrase), this.end(phrase)))}"`)
  }

  /**
   * At most `limit` phrases in the language asked for, or else in that of the letters typed. Fewer asked for are the first
   * of more. The answer is good until the next question.
   */
  find(text: string, limit: number, language?: Language): Suggested {
    this.#steps.reset()
    const typed = normalised(text)
    this.#begin(typed, language)
    if (typed !== '') this.#look(typed)
    this.#take(limit, typed)
    return this.#found
  }

  /**
   * What the last word of a text is the beginning of, by the suggestions for it; undefined where it begins none of them, and
   * where it is rather a whole word: the first suggestion or half of them have it so.
   */
  complete(text: string): Completion | undefined {
    const typed = normalised(text)
    const beginning = typed.slice(typed.lastIndexOf(' ') + 1)
    this.#begin(typed)
    this.#complete(typed)
    if (!this.#isFound) this.#inAnyOrder(typed.split(' ').slice(-WORDS_MAX))
    this.#take(COMPLETIONS_MAX, typed)
    const { phrases, count } = this.#found
    if (count === 0 || this.#isWhole(phrases[0], typed)) return undefined
    const completed = Array.from(phrases.subarray(0, count), phrase =>
      this.#foldedText(phrase)
        .split(' ')
        .find(word => word.startsWith(beginning)),
    ).filter(word => word !== undefined)
    const main = this.#stemmer.stem(beginning)
    const whole = completed.filter(word => this.#stemmer.stem(word) === main)
    if (completed.length === 0 || whole.length * 2 >= completed.length) return undefined
    return { record: this.record(phrases[0]), words: completed }
  }

  #begin(typed: string, language?: Language): void {
    this.#beginning.clear()
    this.#within.clear()
    this.#found.language = language ?? (ARABIC.test(typed) ? 'ar' : 'en')
    this.#runs.language = LANGUAGES.indexOf(this.#found.language)
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

  #take(limit: number, typed: string): void {
    const found = this.#found
    this.#putWholeFirst(typed)
    found.count = Math.min(limit, this.#beginning.count)
    for (let i = 0; i < found.count; i++) found.phrases[i] = this.#beginning.phrases[i]
    for (let i = 0; i < this.#within.count && found.count < limit; i++) {
      const phrase = this.#within.phrases[i]
      if (!this.#beginning.hasAlike(phrase)) found.phrases[found.count++] = phrase
    }
  }

  /** What was typed already comes before what it may become: "bra" suggests bras before brass. */
  #putWholeFirst(typed: string): void {
    const { phrases, count } = this.#beginning
    const at = phrases.subarray(0, count).findIndex(phrase => this.#isWhole(phrase, typed))
    if (at <= 0) return
    const whole = phrases[at]
    phrases.copyWithin(1, 0, at)
    phrases[0] = whole
  }

  /** Whether a phrase is what was typed, but for the endings of its words. */
  #isWhole(phrase: number, typed: string): boolean {
    const more = this.#foldedAt[phrase + 1] - this.#foldedAt[phrase] - typed.length
    // a letter takes two bytes at most in what is typed
    if (more > typed.length + ENDING_BYTES_MAX) return false
    return this.#areAlike(this.#foldedText(phrase), typed)
  }

  /** Gathers the phrases that begin as typed, or of which a word does. */
  #complete(typed: string): void {
    if (!this.#runs.encode(typed)) return
    this.#runs.findBeginning()
    this.#runs.gather(this.#beginning)
    if (this.#beginning.count < SUGGEST_LIMIT_MAX) {
      this.#runs.findWithin()
      this.#runs.gather(this.#within)
    }
  }

  /**
   * Gathers the phrases that have all the words, wherever they stand. The rarest word leads; whether a phrase has the
   * others is looked up in its text.
   */
  #inAnyOrder(list: readonly string[]): boolean {
    const asked = list
      .map((word, i) => (i < list.length - 1 ? this.#beginningOf(word) : word))
      .filter((word, i) => i === list.length - 1 || !this.#linking.has(word))
    if (asked.length < 2) return false
    const used = asked.map(word => this.#runs.used(word))
    const least = Math.min(...used)
    if (least === 0) return false
    const lead = asked[used.indexOf(least)]
    const others = asked.filter(word => word !== lead).map(word => ENCODER.encode(word))
    this.#runs.encode(lead)
    const runs = this.#runs
    let left = FILTERED_MAX
    for (const isWithin of [false, true]) {
      if (isWithin) runs.findWithin()
      else runs.findBeginning()
      const end = Math.min(runs.high, runs.low + left)
      left -= end - runs.low
      if (!this.#steps.take((end - runs.low) * others.length)) break
      for (let position = runs.low; position < end; position++) {
        const phrase = runs.phraseAt(position)
        if (others.every(word => runs.hasWord(phrase, word))) this.#within.offer(phrase)
      }
    }
    return this.#within.count > 0
  }

  /** Gathers the phrases that have a word as a broken plural, or the singular of one: هاتف is in هواتف ذكية, too. */
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

  /** Gathers what the words may have been meant to be; where that is nothing, the words before the last that are known count. */
  #corrected(list: readonly string[]): void {
    let correctionsLeft = CORRECTED_WORDS_MAX
    const readingsOf = (word: string): string[] => {
      if (this.#runs.used(word) > 0) return [word]
      return correctionsLeft-- > 0 ? this.#readings(word) : []
    }
    const last = readingsOf(list[list.length - 1])
    const before = list.slice(0, -1)
    const known = before.filter(word => this.#runs.used(word) > 0)
    const meant = before.flatMap(word => readingsOf(word).slice(0, 1))
    for (const reading of last) this.#complete([...meant, reading].join(' '))
    for (const words of [meant, known]) {
      if (this.#isFound) return
      for (const reading of last.slice(0, READINGS_ANYWHERE_MAX)) this.#completeWords([...words, ...reading.split(' ')])
    }
  }

  /** Beginnings of known words that an unknown one may stand for: without its article, mistyped, or two run together. */
  #readings(word: string): string[] {
    const known = (readings: readonly string[]) =>
      [...new Set(readings)].filter(reading => this.#runs.used(reading) > 0).slice(0, READINGS_MAX)
    const main = this.#stemmer.stem(word)
    const bare = known([word.replace(ARTICLE, ''), main])
    if (bare.length > 0) return bare
    const vocabulary = this.#vocabulary
    const forgiven = vocabulary.forgiven(main)
    const mistyped = (mistakes: number) => vocabulary.mistyped(main, mistakes).map(place => vocabulary.term(place))
    const whole = known(mistyped(Math.min(1, forgiven)))
    if (whole.length > 0 && word.length >= WHOLE_CHARS_MIN) return whole
    const near = known([...whole, ...vocabulary.nearBeginnings(word)])
    if (near.length > 0) return near
    const parts = vocabulary.split(main, () => true)?.map(place => vocabulary.term(place))
    if (parts !== undefined) return [parts.join(' ')]
    return forgiven > 1 ? known(mistyped(forgiven)) : []
  }

  #areAlike(a: string, b: string): boolean {
    const first = a.split(' ')
    const second = b.split(' ')
    const stemmer = this.#stemmer
    return first.length === second.length && first.every((word, i) => stemmer.stem(word) === stemmer.stem(second[i]))
  }

  /** What the forms of a whole word have in common, where that is how it begins. */
  #beginningOf(word: string): string {
    const main = this.#stemmer.stem(word)
    return word.startsWith(main) ? main : word
  }
}
