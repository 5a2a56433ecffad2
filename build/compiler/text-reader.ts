/**
 * Reads a text into word numbers and finds where the part that names the goods ends. Only one in eight of the 800,000 pieces
 * between spaces is new, and only new pieces are folded and cut.
 */
import { fold } from '../../src/text/fold.js'
import { cutWords } from './cut-words.js'
import { GrowingArray } from './growing-array.js'
import type { Lexicon } from './lexicon.js'
import { SequenceTable } from './sequence-table.js'

export const ALL_WORDS = 0xffff_ffff
const SPACE = 32

const MARK = /[,;:(]/
const HEAD_ENDING_WORDS =
  'of|for|with|without|in|from|by|to|on|under|over|not|other|than|used|having|containing|whether|and|or|as|at|made'
/** In English, the word before any of these names the goods: "jugs of porcelain", "parts, of iron" */
// regexp-ignore: linear, plain words and one class, nothing repeats
const HEAD_END_PATTERN = new RegExp(`${MARK.source}| (?:${HEAD_ENDING_WORDS}) `)
const HEAD_ENDING_WORD_SET: ReadonlySet<string> = new Set(HEAD_ENDING_WORDS.split('|'))

/**
 * Where the part that names the goods ends, relative to a piece of the text: after the piece, before it, or unclear until
 * the whole text is folded.
 */
const NO_END = 0
const BEFORE = 1
const UNCLEAR = 2
/** For an end inside the piece: `WITHIN` plus the number of the piece's words before the end. */
const WITHIN = 3

export class TextReader {
  readonly #lexicon: Lexicon
  readonly #pieces = new SequenceTable()
  /** Per piece, where its words begin; one more entry ends the last. */
  readonly #wordsAt = new GrowingArray()
  readonly #words = new GrowingArray()
  readonly #headEnds = new GrowingArray()
  readonly #codes = new GrowingArray()
  readonly #found = new GrowingArray()
  /** Number of words before the first that only describes the goods; `ALL_WORDS` if no word does. */
  wordsToHead = ALL_WORDS

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon
    this.#wordsAt.push(0)
  }

  /** The first `count` entries are the words of the text that was read last; valid until the next read. */
  get words(): Uint32Array {
    return this.#found.values
  }

  get count(): number {
    return this.#found.length
  }

  /** No word contains a space, so the words of a text are the words of its pieces. */
  read(text: string): void {
    const codes = this.#codesOf(text)
    this.#found.clear()
    let headEnd = NO_END
    for (let start = 0; start <= text.length; ) {
      let end = start
      while (end < text.length && codes[end] !== SPACE) end++
      const piece = this.#piece(codes, start, end, text)
      if (headEnd === NO_END) {
        headEnd = this.#headEnds.values[piece]
        if (headEnd === BEFORE && start === 0) headEnd = NO_END
        if (headEnd !== NO_END) this.wordsToHead = this.count + Math.max(0, headEnd - WITHIN)
      }
      const last = this.#wordsAt.values[piece + 1]
      for (let i = this.#wordsAt.values[piece]; i < last; i++) this.#found.push(this.#words.values[i])
      start = end + 1
    }
    if (headEnd === NO_END) this.wordsToHead = ALL_WORDS
    if (headEnd === UNCLEAR) this.wordsToHead = wordsToHeadIn(text)
  }

  #codesOf(text: string): Uint32Array {
    this.#codes.clear()
    for (let i = 0; i < text.length; i++) this.#codes.push(text.charCodeAt(i))
    return this.#codes.values
  }

  #piece(codes: Uint32Array, start: number, end: number, text: string): number {
    const known = this.#pieces.size
    const number = this.#pieces.add(codes, start, end)
    if (number === known) this.#takePiece(text.slice(start, end))
    return number
  }

  #takePiece(text: string): void {
    const folded = fold(text)
    for (const word of cutWords(folded)) this.#words.push(this.#lexicon.word(word))
    this.#wordsAt.push(this.#words.length)
    this.#headEnds.push(headEndIn(text, folded))
  }

  /** The word that names the goods: in English the last one before the description starts, in Arabic the first. */
  headOf(words: Uint32Array, from: number, to: number, wordsToHead: number): number {
    if (from === to || this.#lexicon.isArabic(words[from])) return 0
    return Math.max(0, Math.min(to - from, wordsToHead) - 1)
  }
}

function headEndIn(text: string, folded: string): number {
  // folding may change positions
  if (folded.length !== text.length || folded.includes(' ')) return UNCLEAR
  if (HEAD_ENDING_WORD_SET.has(folded)) return BEFORE
  const mark = folded.search(MARK)
  return mark < 0 ? NO_END : WITHIN + cutWords(fold(text.slice(0, mark))).length
}

function wordsToHeadIn(text: string): number {
  const end = HEAD_END_PATTERN.exec(`${fold(text)} `)
  return end === null ? ALL_WORDS : cutWords(fold(text.slice(0, end.index))).length
}

/** Many texts that were read, in columns. */
export interface Readings {
  /** Per record, the number of its first text; one more entry ends the last. */
  recordAt: Uint32Array
  /** Per text, where its words begin; one more entry ends the last. */
  wordsAt: Uint32Array
  words: Uint32Array
  wordsToHead: Uint32Array
}
