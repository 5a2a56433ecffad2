/** A text as the numbers of its words, and where the part that names the good ends. */
import { fold, isArabic } from '../src/text/fold.js'
import { cutWords, type Lexicon } from './lexicon.js'

export interface Reading {
  words: readonly number[]
  /** How many words stand before the first that tells more of the good; `ALL_WORDS` where none does. */
  wordsToHead: number
}

export const ALL_WORDS = 0xffff_ffff

/** What comes before any of these, in English, ends with the good: "jugs of porcelain", "parts, of iron" */
const HEAD_ENDS =
  /[,;:(]| (?:of|for|with|without|in|from|by|to|on|under|over|not|other|than|used|having|containing|whether|and|or|as|at|made) /

export class TextReader {
  readonly lexicon: Lexicon

  constructor(lexicon: Lexicon) {
    this.lexicon = lexicon
  }

  read(text: string): Reading {
    const folded = fold(text)
    const words = this.lexicon.words(folded)
    return { words, wordsToHead: this.#wordsToHead(text, folded, words) }
  }

  #wordsToHead(text: string, folded: string, words: readonly number[]): number {
    // one word names the good itself, unless hyphens take it apart
    if (words.length === 0 || (words.length === 1 && !text.includes('-'))) return ALL_WORDS
    if (this.#isArabic(words)) return ALL_WORDS
    const end = HEAD_ENDS.exec(`${folded} `)
    return end === null ? ALL_WORDS : cutWords(fold(text.slice(0, end.index))).length
  }

  /** Which of a text's words names the good: in English the last before more is told of it, in Arabic the first. */
  headOf(words: readonly number[], wordsToHead: number): number {
    if (words.length === 0 || this.#isArabic(words)) return 0
    return Math.max(0, Math.min(words.length, wordsToHead) - 1)
  }

  #isArabic(words: readonly number[]): boolean {
    return isArabic(this.lexicon.wordTexts[words[0] as number] as string)
  }
}

/** Readings of many texts, end to end in columns. */
export interface Readings {
  /** Per record, the number of its first text; one more entry ends the last. */
  recordAt: Uint32Array
  /** Per text, where its words begin; one more entry ends the last. */
  wordsAt: Uint32Array
  words: Uint32Array
  wordsToHead: Uint32Array
}
