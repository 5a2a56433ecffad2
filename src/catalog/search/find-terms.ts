/** Stage 2: finds the index terms for the words of a query. */
import { QUERY_PARTS_MAX } from '../../limits.js'
import type { Stemmer } from '../../text/terms.js'
import type { Completion } from '../suggest.js'
import type { Postings } from './postings.js'
import type { QueryToken } from './read-query.js'
import type { Steps } from './steps.js'
import type { Vocabulary } from './vocabulary.js'
import { AMOUNTS_MAX, PREFIX_WORD, TYPO_WORD, WHOLE_WORD } from './weights.js'

/** Maximum number of words whose typing mistakes are corrected, which is the most expensive step. */
const TYPO_WORDS_MAX = 3
const PREFIX_CHARS_MIN = 2
/** A last word with at least this many postings is treated as complete. */
const WHOLE_WORD_POSTINGS = 50
/** A last word in the index with fewer letters than this is also treated as complete. */
const UNFINISHED_CHARS_MIN = 3

/** Completes an unfinished query; implemented in suggest.ts. */
export interface Completer {
  complete(text: string): Completion | undefined
}

export interface QueryWord {
  /** The word as typed, after folding. */
  text: string
  termIds: readonly number[]
  weight: number
  /** Whether the word is a quantity or a model, which a match need not contain. */
  isAmount: boolean
  /** Number of postings of all its terms. */
  postings: number
  /** Inverse document frequency times weight. */
  rarity: number
}

interface CompletedWord {
  record: number
  termIds: number[]
}

export interface FoundTerms {
  words: QueryWord[]
  /** The record of the first suggestion for an unfinished last word; -1 if the last word is complete. */
  suggested: number
}

export class TermFinder {
  constructor(
    private readonly vocabulary: Vocabulary,
    private readonly postings: Postings,
    private readonly stemmer: Stemmer,
    private readonly completer: Completer,
    private readonly records: number,
    private readonly steps: Steps,
  ) {}

  /**
   * Tries each word first as a whole word, then as a prefix (unless `isWhole`), then as misspelt or compound. Drops unknown
   * words and duplicates.
   */
  find(text: string, tokens: readonly QueryToken[], isWhole = false): FoundTerms {
    const vocabulary = this.vocabulary
    const words: QueryWord[] = []
    let suggested = -1
    let typosLeft = TYPO_WORDS_MAX
    let withBefore = -1
    for (const [i, word] of tokens.entries()) {
      const next = tokens[i + 1]
      // "note books" also matches notebook, through either word
      const withNext = next === undefined ? -1 : vocabulary.find(word.stem + next.stem)
      const whole = [...new Set([this.#exact(word), withBefore, withNext])].filter(id => id >= 0)
      withBefore = withNext
      const completion = word.isUnfinished && !isWhole ? this.#complete(text, word, whole) : undefined
      if (completion !== undefined) {
        suggested = completion.record
        this.#take(words, word, [...new Set([...completion.termIds, ...whole])], PREFIX_WORD)
        continue
      }
      const termIds = whole.length > 0 || isWhole ? whole : this.#withPrefix(word)
      if (termIds.length > 0) this.#take(words, word, termIds, whole.length > 0 ? WHOLE_WORD : PREFIX_WORD)
      else {
        const typosMax = typosLeft > 0 ? vocabulary.typosAllowed(word.stem) : 0
        if (typosMax > 0) typosLeft--
        this.#takeMisspelt(words, word, typosMax)
      }
    }
    limitAmounts(words)
    return { words, suggested }
  }

  /** The terms of the best suggestion for an unfinished last word; undefined if the word is complete. */
  #complete(text: string, { word }: QueryToken, whole: readonly number[]): CompletedWord | undefined {
    const used = whole.length === 0 ? 0 : this.#countOf(whole[0])
    if (used >= WHOLE_WORD_POSTINGS || (used > 0 && word.length < UNFINISHED_CHARS_MIN)) return undefined
    const completion = this.completer.complete(text)
    if (completion === undefined) return undefined
    const termIds = completion.words.map(word => this.vocabulary.find(this.stemmer.stem(word))).filter(id => id >= 0)
    const [first] = termIds
    if (first === undefined || this.#countOf(first) <= used) return undefined
    return { record: completion.record, termIds }
  }

  #withPrefix({ stem }: QueryToken): number[] {
    return stem.length < PREFIX_CHARS_MIN ? [] : this.vocabulary.withPrefix(stem, this.#countOf)
  }

  readonly #countOf = (termId: number): number => this.postings.count(termId)

  /** The term of a word, with or without an Arabic particle; -1 if unknown. */
  #exact({ word, stem }: QueryToken): number {
    const id = this.vocabulary.find(stem)
    if (id >= 0) return id
    const stemWithoutParticle = this.stemmer.stemWithoutParticle(word)
    return stemWithoutParticle === '' ? -1 : this.vocabulary.find(stemWithoutParticle)
  }

  /** One typo is likelier than two words run together, and two words run together are likelier than two typos. */
  #takeMisspelt(found: QueryWord[], token: QueryToken, typosMax: number): void {
    const { stem } = token
    const vocabulary = this.vocabulary
    const near = vocabulary.mistyped(stem, Math.min(1, typosMax))
    const parts =
      near.length > 0
        ? undefined
        : vocabulary.split(stem, (first, second) => this.postings.areTogether(first, second, this.steps))
    if (parts !== undefined) {
      for (const id of parts) this.#take(found, token, [id], WHOLE_WORD)
      return
    }
    const mistyped = near.length > 0 ? near : vocabulary.mistyped(stem, typosMax)
    if (mistyped.length > 0) this.#take(found, token, mistyped, TYPO_WORD)
  }

  #take(found: QueryWord[], token: QueryToken, termIds: number[], factor: number): void {
    if (found.length === QUERY_PARTS_MAX || found.some(other => areSame(other.termIds, termIds))) return
    let postings = 0
    for (const id of termIds) postings += this.postings.count(id)
    const weight = token.weight * factor
    const rarity = weight * Math.log(1 + this.records / (postings + 1))
    found.push({ text: token.word, termIds, weight, isAmount: token.isAmount, postings, rarity })
  }
}

/** Limits the total rarity of amounts, relative to the total rarity of the words that name the goods. */
function limitAmounts(words: readonly QueryWord[]): void {
  const amounts = words.filter(({ isAmount }) => isAmount)
  const sum = (some: readonly QueryWord[]) => some.reduce((total, { rarity }) => total + rarity, 0)
  const amountsMax = AMOUNTS_MAX * (sum(words) - sum(amounts))
  const factor = Math.min(1, amountsMax / sum(amounts))
  if (amountsMax > 0) for (const word of amounts) word.rarity *= factor
}

function areSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((id, i) => id === b[i])
}

/** Bit set of the words that a full match must contain: all but amounts, or all words if every word is an amount. */
export function neededWords(words: readonly QueryWord[]): number {
  const areAllAmounts = words.every(({ isAmount }) => isAmount)
  return words.reduce((set, { isAmount }, i) => (areAllAmounts || !isAmount ? set | (1 << i) : set), 0)
}
