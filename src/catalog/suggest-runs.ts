/** Finds, by binary search, the run of phrases that start with the typed text, or have it at the start of a later word. */
import { LANGUAGES } from '../limits.js'
import { partitionPoint } from '../lower-bound.js'
import type { Columns } from '../snapshot/schema.js'
import type { Steps } from './search/steps.js'
import { BEST_MAX, type Best, RANGE_SCANNED_MAX } from './suggest-best.js'

/** The offset of a word within a phrase is stored in one byte. */
export const PHRASE_BYTES_MAX = 255
const SPACE = 32
/** Steps counted for a comparison: most texts differ within the first few letters. */
const LETTERS_COMPARED = 4
const ENCODER = new TextEncoder()

export class SuggestRuns {
  readonly #typed = new Uint8Array(PHRASE_BYTES_MAX)
  #typedBytes = 0
  /** Index into LANGUAGES. */
  language = 0
  low = 0
  high = 0

  constructor(
    private readonly columns: Columns,
    private readonly steps: Steps,
  ) {}

  /** Stores the typed text; false if it is too long to start any phrase. */
  encode(typed: string): boolean {
    const { read, written } = ENCODER.encodeInto(typed, this.#typed)
    this.#typedBytes = written
    return read === typed.length
  }

  findPrefix(): void {
    this.#findRun(this.language)
  }

  /** Finds phrases in which a later word starts with the typed text. */
  findAtLaterWords(): void {
    this.#findRun(LANGUAGES.length + this.language)
  }

  /** Leaves an empty run if too few steps are left for two binary searches. */
  #findRun(part: number): void {
    const { suggestParts } = this.columns
    const start = suggestParts[part]
    const end = suggestParts[part + 1]
    const comparisons = 2 * Math.ceil(Math.log2(end - start + 1))
    if (!this.steps.take(comparisons * LETTERS_COMPARED)) {
      this.low = this.high = start
      return
    }
    this.low = this.#runEdge(start, end, false)
    this.high = this.#runEdge(this.low, end, true)
  }

  /** The start of the run or, with `isAfter`, its end. */
  #runEdge(from: number, end: number, isAfter: boolean): number {
    return partitionPoint(from, end, position => {
      const order = this.#compare(position)
      return order < 0 || (isAfter && order === 0)
    })
  }

  phraseAt(position: number): number {
    const { suggestRecord, suggestInner } = this.columns
    return position < suggestRecord.length ? position : suggestInner[position - suggestRecord.length]
  }

  /** Negative if the text at a position sorts before the typed text, 0 if it starts with the typed text. */
  #compare(position: number): number {
    const { suggestRecord, suggestInnerStart, suggestFolded, suggestFoldedAt } = this.columns
    const phrases = suggestRecord.length
    const phrase = this.phraseAt(position)
    const before = position < phrases ? 0 : suggestInnerStart[position - phrases]
    const start = suggestFoldedAt[phrase] + before
    const bytes = Math.min(this.#typedBytes, suggestFoldedAt[phrase + 1] - start)
    let same = 0
    while (same < bytes && suggestFolded[start + same] === this.#typed[same]) same++
    if (same < bytes) return suggestFolded[start + same] - this.#typed[same]
    return bytes < this.#typedBytes ? -1 : 0
  }

  gather(best: Best): void {
    const count = this.high - this.low
    if (count <= RANGE_SCANNED_MAX) {
      if (!this.steps.take(count)) return
      for (let position = this.low; position < this.high; position++) best.offer(this.phraseAt(position))
      return
    }
    if (!this.steps.take(BEST_MAX)) return
    const { suggestRanges, suggestBest } = this.columns
    const row = this.#rowOfRun()
    const end = suggestRanges[row + 5]
    for (let i = suggestRanges[row + 2]; i < end; i++) best.offer(suggestBest[i])
  }

  #rowOfRun(): number {
    const { suggestRanges } = this.columns
    const row = partitionPoint(0, suggestRanges.length / 3 - 1, row => {
      const first = suggestRanges[row * 3]
      return first < this.low || (first === this.low && suggestRanges[row * 3 + 1] < this.high)
    })
    return row * 3
  }

  countPhrases(word: string): number {
    if (!this.encode(word)) return 0
    this.findPrefix()
    const prefixed = this.high - this.low
    this.findAtLaterWords()
    return prefixed + this.high - this.low
  }

  hasWord(phrase: number, word: Uint8Array): boolean {
    const { suggestFolded, suggestFoldedAt } = this.columns
    const end = suggestFoldedAt[phrase + 1] - word.length
    const start = suggestFoldedAt[phrase]
    for (let at = start; at <= end; at++) {
      if (at > start && suggestFolded[at - 1] !== SPACE) continue
      let same = 0
      while (same < word.length && suggestFolded[at + same] === word[same]) same++
      if (same === word.length) return true
    }
    return false
  }
}
