/** The phrases in order: finds the run of those that begin as typed, or of which a word does, and goes through it. */

import { LANGUAGES } from '../limits.js'
import { partitionPoint } from '../lower-bound.js'
import type { Columns } from '../snapshot/schema.js'
import type { Steps } from './search/steps.js'
import { BEST_MAX, type Best, RANGE_SCANNED_MAX } from './suggest-best.js'

/** Where a word begins in a phrase is told by a byte. */
export const PHRASE_BYTES_MAX = 255
const SPACE = 32
/** What a comparison counts as: it ends at the first letter that differs, and most texts differ soon. */
const LETTERS_COMPARED = 4
const ENCODER = new TextEncoder()

export class SuggestRuns {
  readonly #folded: Uint8Array
  readonly #foldedAt: Uint32Array
  readonly #phrases: number
  readonly #inner: Uint32Array
  readonly #innerStart: Uint8Array
  readonly #parts: Uint32Array
  readonly #ranges: Uint32Array
  readonly #best: Uint32Array
  readonly #steps: Steps
  readonly #typed = new Uint8Array(PHRASE_BYTES_MAX)
  #typedBytes = 0
  /** By its place among the languages. */
  language = 0
  /** The run of positions that was found last. */
  low = 0
  high = 0

  constructor(columns: Columns, steps: Steps) {
    this.#folded = columns.suggestFolded
    this.#foldedAt = columns.suggestFoldedAt
    this.#phrases = columns.suggestRecord.length
    this.#inner = columns.suggestInner
    this.#innerStart = columns.suggestInnerStart
    this.#parts = columns.suggestParts
    this.#ranges = columns.suggestRanges
    this.#best = columns.suggestBest
    this.#steps = steps
  }

  /** Takes what is typed, where it is short enough to begin a phrase. */
  encode(typed: string): boolean {
    const { read, written } = ENCODER.encodeInto(typed, this.#typed)
    this.#typedBytes = written
    return read === typed.length
  }

  /** The phrases that begin as typed. */
  findBeginning(): void {
    this.#findRun(this.language)
  }

  /** Those of which a later word does. */
  findWithin(): void {
    this.#findRun(LANGUAGES.length + this.language)
  }

  /** The positions of a part that begin as typed; none where no steps are left for two binary searches. */
  #findRun(part: number): void {
    const start = this.#parts[part]
    const end = this.#parts[part + 1]
    const comparisons = 2 * Math.ceil(Math.log2(end - start + 1))
    if (!this.#steps.take(comparisons * LETTERS_COMPARED)) {
      this.low = this.high = start
      return
    }
    this.low = this.#firstFrom(start, end, false)
    this.high = this.#firstFrom(this.low, end, true)
  }

  /** The first position that is not before what is typed, or the first after all that begin so. */
  #firstFrom(from: number, end: number, isAfter: boolean): number {
    return partitionPoint(from, end, position => {
      const order = this.#compare(position)
      return order < 0 || (isAfter && order === 0)
    })
  }

  phraseAt(position: number): number {
    return position < this.#phrases ? position : this.#inner[position - this.#phrases]
  }

  /** Below 0 where the text at a position comes before what is typed, 0 where it begins so, above 0 where it comes after. */
  #compare(position: number): number {
    const phrases = this.#phrases
    const phrase = this.phraseAt(position)
    const before = position < phrases ? 0 : this.#innerStart[position - phrases]
    const start = this.#foldedAt[phrase] + before
    const bytes = Math.min(this.#typedBytes, this.#foldedAt[phrase + 1] - start)
    let same = 0
    while (same < bytes && this.#folded[start + same] === this.#typed[same]) same++
    if (same < bytes) return this.#folded[start + same] - this.#typed[same]
    return bytes < this.#typedBytes ? -1 : 0
  }

  gather(best: Best): void {
    const count = this.high - this.low
    if (count <= RANGE_SCANNED_MAX) {
      if (!this.#steps.take(count)) return
      for (let position = this.low; position < this.high; position++) best.offer(this.phraseAt(position))
      return
    }
    if (!this.#steps.take(BEST_MAX)) return
    const row = this.#rowOfRun()
    const end = this.#ranges[row + 5]
    for (let i = this.#ranges[row + 2]; i < end; i++) best.offer(this.#best[i])
  }

  /** The row of `ranges` for the run at hand. */
  #rowOfRun(): number {
    const row = partitionPoint(0, this.#ranges.length / 3 - 1, row => {
      const first = this.#ranges[row * 3]
      return first < this.low || (first === this.low && this.#ranges[row * 3 + 1] < this.high)
    })
    return row * 3
  }

  /** How many phrases have a word that begins so. */
  used(word: string): number {
    if (!this.encode(word)) return 0
    this.findBeginning()
    const beginning = this.high - this.low
    this.findWithin()
    return beginning + this.high - this.low
  }

  /** Whether a word of the phrase begins so. */
  hasWord(phrase: number, word: Uint8Array): boolean {
    const end = this.#foldedAt[phrase + 1] - word.length
    const start = this.#foldedAt[phrase]
    for (let at = start; at <= end; at++) {
      if (at > start && this.#folded[at - 1] !== SPACE) continue
      let same = 0
      while (same < word.length && this.#folded[at + same] === word[same]) same++
      if (same === word.length) return true
    }
    return false
  }
}
