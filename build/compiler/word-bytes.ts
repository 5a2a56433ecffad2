/** Words as typed, in UTF-8, and their order by bytes. */
import { ByteColumn } from './byte-column.js'
import { GrowingArray } from './growing-array.js'

export class WordBytes {
  readonly #texts: readonly string[]
  readonly #bytes: Uint8Array
  readonly #at: Uint32Array
  readonly #ranks: Uint32Array

  constructor(texts: readonly string[]) {
    const bytes = new ByteColumn()
    const at = new GrowingArray()
    for (const text of texts) {
      at.push(bytes.length)
      bytes.pushText(text)
    }
    at.push(bytes.length)
    this.#texts = texts
    this.#bytes = bytes.column()
    this.#at = at.column()
    this.#ranks = new Uint32Array(texts.length)
    // latin1 has one character per byte, so it sorts as the bytes do
    const all = Buffer.from(this.#bytes.buffer)
    const ordered = texts.map((_, word) => all.toString('latin1', this.#at[word], this.#at[word + 1]))
    const wordOf = new Map(ordered.map((text, word) => [text, word]))
    ordered.sort()
    ordered.forEach((text, rank) => {
      this.#ranks[wordOf.get(text) as number] = rank
    })
  }

  /** A word's rank in the byte order of all words. */
  rank(word: number): number {
    return this.#ranks[word]
  }

  length(word: number): number {
    return this.#at[word + 1] - this.#at[word]
  }

  pushTo(column: ByteColumn, word: number): void {
    column.push(this.#bytes, this.#at[word], this.#at[word + 1])
  }

  /** Whether the text equals the words from `start` to `end` as typed, with single spaces. */
  isWritten(text: string, words: Uint32Array, start: number, end: number): boolean {
    let at = 0
    for (let i = start; i < end; i++) {
      if (i > start && text[at++] !== ' ') return false
      const word = this.#texts[words[i]]
      if (!text.startsWith(word, at)) return false
      at += word.length
    }
    return at === text.length
  }
}
