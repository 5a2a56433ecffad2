/**
 * The suggestions of the search box: the phrases of `suggestion-phrases.ts` sorted by bytes, and a second list sorted by the
 * text that starts at each later word. `src/catalog/suggest.ts` reads the columns.
 */
import { LANGUAGES } from '../../src/limits.js'
import type { Columns } from '../../src/snapshot/schema.js'
import type { SynonymGroup } from '../dataset/synonyms.js'
import { ByteColumn } from './byte-column.js'
import { EvidenceFinder } from './evidence-finder.js'
import { GrowingArray } from './growing-array.js'
import type { BuildRecord } from './hierarchy.js'
import type { Lexicon } from './lexicon.js'
import type { SearchIndex } from './search-index.js'
import { SequenceTable } from './sequence-table.js'
import { type PhraseSuffixes, sortSuffixes } from './suffix-order.js'
import { gatherPhrases, type SuggestionPhrases } from './suggestion-phrases.js'
import { findLargeRanges } from './suggestion-ranges.js'
import { type WeighedPhrases, weighPhrases } from './suggestion-weights.js'
import { WordBytes } from './word-bytes.js'

const SPACE = 32

export type Suggestions = Pick<
  Columns,
  | 'suggestFolded'
  | 'suggestFoldedAt'
  | 'suggestShown'
  | 'suggestShownAt'
  | 'suggestRecord'
  | 'suggestWeight'
  | 'suggestAlike'
  | 'suggestInner'
  | 'suggestInnerStart'
  | 'suggestParts'
  | 'suggestRanges'
  | 'suggestBest'
  | 'phraseName'
>

type LanguagePhrases = SuggestionPhrases & WeighedPhrases

export function buildSuggestions(
  records: readonly BuildRecord[],
  synonyms: readonly SynonymGroup[],
  { terms, lexicon, reader, keywords, phraseKeywords, columns }: SearchIndex,
  linkingWords: readonly string[],
): Suggestions {
  const linking = new Set(linkingWords)
  const evidence = new EvidenceFinder(terms, columns)
  const alikes = new SequenceTable()
  const languages = LANGUAGES.map((language): LanguagePhrases => {
    const phrases = gatherPhrases(language, { records, lexicon, reader, keywords, evidence, linking })
    return { ...phrases, ...weighPhrases(phrases, { records, lexicon, synonyms, alikes }) }
  })
  const layout = new PhraseLayout(lexicon)
  const names = new Map<number, number>()
  for (const phrases of languages) {
    const numbers = layout.add(phrases)
    for (const [keyword, phrase] of phrases.phraseOfKeyword) names.set(keyword, numbers[phrase] + 1)
  }
  return { ...layout.finish(), phraseName: phraseKeywords.map(keyword => names.get(keyword) ?? 0) }
}

/** Phrases as columns, one language after another. */
class PhraseLayout {
  readonly #words: WordBytes
  readonly #foldedAt = new GrowingArray()
  readonly #folded = new ByteColumn()
  readonly #shownAt = new GrowingArray()
  readonly #shown = new ByteColumn()
  readonly #records = new GrowingArray()
  readonly #weights = new GrowingArray()
  readonly #alike = new GrowingArray()
  /** Renumbers the groups of phrases that read alike, in the order of the phrases here. */
  readonly #alikeNumbers = new Map<number, number>()
  readonly #inner = new GrowingArray()
  readonly #innerStart = new GrowingArray()
  readonly #phraseEnds: number[] = []
  readonly #innerEnds: number[] = []

  constructor(lexicon: Lexicon) {
    this.#words = new WordBytes(lexicon.wordTexts)
  }

  /** Returns each phrase's number in the columns. */
  add(phrases: LanguagePhrases): Uint32Array {
    const { wordsAt, words } = phrases
    const rests = { numbers: words.map(word => this.#words.rank(word)), ends: endsOf(wordsAt) }
    const order = sortSuffixes(wordsAt.subarray(0, -1), rests)
    const first = this.#records.length
    const phraseOf = new Uint32Array(words.length)
    for (let phrase = 0; phrase + 1 < wordsAt.length; phrase++) phraseOf[wordsAt[phrase]] = phrase
    const numbers = new Uint32Array(wordsAt.length - 1)
    for (const start of order) {
      numbers[phraseOf[start]] = this.#records.length
      this.#addPhrase(phrases, phraseOf[start])
    }
    this.#addInner(words, order, rests, first)
    this.#phraseEnds.push(this.#records.length)
    this.#innerEnds.push(this.#inner.length)
    return numbers
  }

  #addPhrase({ texts, wordsAt, words, records, weights, alike }: LanguagePhrases, phrase: number): void {
    this.#foldedAt.push(this.#folded.length)
    const start = wordsAt[phrase]
    const end = wordsAt[phrase + 1]
    for (let i = start; i < end; i++) {
      if (i > start) this.#folded.pushByte(SPACE)
      this.#words.pushTo(this.#folded, words[i])
    }
    this.#shownAt.push(this.#shown.length)
    const text = texts[phrase]
    if (!this.#words.isWritten(text, words, start, end)) this.#shown.pushText(JSON.stringify(text).slice(1, -1))
    this.#records.push(records[phrase])
    this.#weights.push(weights[phrase])
    const number = alike[phrase]
    const known = this.#alikeNumbers.get(number) ?? this.#alikeNumbers.size
    this.#alikeNumbers.set(number, known)
    this.#alike.push(known)
  }

  /** The starts of later words, sorted by the rest of the phrase; equal rests are in the order of the phrases. */
  #addInner(words: Uint32Array, order: Uint32Array, rests: PhraseSuffixes, first: number): void {
    const positions = new GrowingArray()
    const phraseAt = new Uint32Array(words.length)
    const startAt = new Uint8Array(words.length)
    order.forEach((wordsStart, n) => {
      let start = 0
      for (let at = wordsStart; at < rests.ends[wordsStart]; at++) {
        phraseAt[at] = first + n
        startAt[at] = start
        if (at > wordsStart) positions.push(at)
        start += this.#words.length(words[at]) + 1
      }
    })
    for (const at of sortSuffixes(positions.column(), rests)) {
      this.#inner.push(phraseAt[at])
      this.#innerStart.push(startAt[at])
    }
  }

  finish(): Omit<Suggestions, 'phraseName'> {
    this.#foldedAt.push(this.#folded.length)
    this.#shownAt.push(this.#shown.length)
    const phrases = this.#records.length
    const columns = {
      suggestFolded: this.#folded.column(),
      suggestFoldedAt: this.#foldedAt.column(),
      suggestShown: this.#shown.column(),
      suggestShownAt: this.#shownAt.column(),
      suggestRecord: this.#records.column(),
      suggestWeight: Uint8Array.from(this.#weights.column()),
      suggestAlike: this.#alike.column(),
      suggestInner: this.#inner.column(),
      suggestInnerStart: Uint8Array.from(this.#innerStart.column()),
      suggestParts: Uint32Array.of(0, ...this.#phraseEnds, ...this.#innerEnds.map(end => phrases + end)),
    }
    return { ...columns, ...findLargeRanges(columns) }
  }
}

/** For each word of adjacent phrases, where its phrase ends. */
function endsOf(wordsAt: Uint32Array): Uint32Array {
  const ends = new Uint32Array(wordsAt.at(-1) as number)
  for (let phrase = 0; phrase + 1 < wordsAt.length; phrase++) ends.fill(wordsAt[phrase + 1], wordsAt[phrase], wordsAt[phrase + 1])
  return ends
}
