/** Stage 2. The words of a query → the index terms that may stand for each. */
import { QUERY_PARTS_MAX } from '../../limits.js'
import type { Stemmer } from '../../text/terms.js'
import type { Completion } from '../suggest.js'
import type { Postings } from './postings.js'
import type { AskedWord } from './read-query.js'
import type { Steps } from './steps.js'
import type { Vocabulary } from './vocabulary.js'
import { AMOUNTS_SHARE_MAX, PREFIX_WORD, TYPO_WORD, WHOLE_WORD } from './weights.js'

/** Looking for mistyped words is the most expensive step, so only so many are looked for. */
const TYPO_WORDS_MAX = 3
const PREFIX_CHARS_MIN = 2
/** A last word that so many records have is a whole word … */
const WHOLE_WORD_POSTINGS = 50
/** … and so is one of fewer letters that any record has. */
const UNFINISHED_CHARS_MIN = 3

/** Completes what is being typed; see suggest.ts. */
export interface Completer {
  complete(text: string): Completion | undefined
}

/** One word of the query, and the terms that may stand for it. */
export interface QueryWord {
  /** As it was typed, folded. */
  text: string
  termIds: readonly number[]
  weight: number
  /** It says how much, or which model: a code need not say it. */
  isAmount: boolean
  /** Postings of all its terms. */
  postings: number
  /** How much the word tells: its weight, and more the fewer postings it has. */
  rarity: number
}

/** The terms that an unfinished word may become, and the record that the first suggestion leads to. */
interface CompletedWord {
  record: number
  termIds: number[]
}

export interface FoundTerms {
  words: QueryWord[]
  /** The record that the first suggestion for an unfinished last word leads to; -1 where the last word is whole. */
  suggested: number
}

export class TermFinder {
  readonly #vocabulary: Vocabulary
  readonly #postings: Postings
  readonly #stemmer: Stemmer
  readonly #completer: Completer
  readonly #records: number
  readonly #steps: Steps

  constructor(vocabulary: Vocabulary, postings: Postings, stemmer: Stemmer, completer: Completer, records: number, steps: Steps) {
    this.#vocabulary = vocabulary
    this.#postings = postings
    this.#stemmer = stemmer
    this.#completer = completer
    this.#records = records
    this.#steps = steps
  }

  /**
   * Whole words before unfinished ones before mistyped ones and words run together: the first kind that the index knows
   * is taken. Words unknown in every way are left out, and so are words that come to the same terms as one before.
   */
  find(text: string, asked: readonly AskedWord[]): FoundTerms {
    const vocabulary = this.#vocabulary
    const words: QueryWord[] = []
    let suggested = -1
    let typosLeft = TYPO_WORDS_MAX
    let withBefore = -1
    for (const [i, word] of asked.entries()) {
      const next = asked[i + 1]
      // "note books" is also notebook, whichever of the two words is meant
      const withNext = next === undefined ? -1 : vocabulary.find(word.stem + next.stem)
      const whole = [...new Set([this.#own(word), withBefore, withNext])].filter(id => id >= 0)
      withBefore = withNext
      const completion = word.isUnfinished ? this.#complete(text, word, whole) : undefined
      if (completion !== undefined) {
        suggested = completion.record
        this.#take(words, word, [...new Set([...completion.termIds, ...whole])], PREFIX_WORD)
        continue
      }
      const known = whole.length > 0 ? whole : this.#beginningWith(word)
      if (known.length > 0) this.#take(words, word, known, whole.length > 0 ? WHOLE_WORD : PREFIX_WORD)
      else {
        const forgiven = typosLeft > 0 ? vocabulary.forgiven(word.stem) : 0
        if (forgiven > 0) typosLeft--
        this.#forgive(words, word, forgiven)
      }
    }
    limitAmounts(words)
    return { words, suggested }
  }

  /** What the suggestions complete the last word to, unless it is a whole word itself. */
  #complete(text: string, { word }: AskedWord, whole: readonly number[]): CompletedWord | undefined {
    const used = whole.length === 0 ? 0 : this.#useOf(whole[0])
    if (used >= WHOLE_WORD_POSTINGS || (used > 0 && word.length < UNFINISHED_CHARS_MIN)) return undefined
    const completion = this.#completer.complete(text)
    if (completion === undefined) return undefined
    const termIds = completion.words.map(word => this.#vocabulary.find(this.#stemmer.stem(word))).filter(id => id >= 0)
    const [first] = termIds
    if (first === undefined || this.#useOf(first) <= used) return undefined
    return { record: completion.record, termIds }
  }

  #beginningWith({ stem }: AskedWord): number[] {
    return stem.length < PREFIX_CHARS_MIN ? [] : this.#vocabulary.withPrefix(stem, this.#useOf)
  }

  readonly #useOf = (termId: number): number => this.#postings.count(termId)

  /** The term of a word, or of what stands under its Arabic particle; -1 for an unknown one. */
  #own({ word, stem }: AskedWord): number {
    const id = this.#vocabulary.find(stem)
    if (id >= 0) return id
    const under = this.#stemmer.stemUnderParticle(word)
    return under === '' ? -1 : this.#vocabulary.find(under)
  }

  /** One wrong letter is likelier than two words run together, and that likelier than two wrong letters. */
  #forgive(found: QueryWord[], asked: AskedWord, forgiven: number): void {
    const { stem } = asked
    const vocabulary = this.#vocabulary
    const near = vocabulary.mistyped(stem, Math.min(1, forgiven))
    const parts =
      near.length > 0
        ? undefined
        : vocabulary.split(stem, (first, second) => this.#postings.areTogether(first, second, this.#steps))
    if (parts !== undefined) {
      for (const id of parts) this.#take(found, asked, [id], WHOLE_WORD)
      return
    }
    const mistyped = near.length > 0 ? near : vocabulary.mistyped(stem, forgiven)
    if (mistyped.length > 0) this.#take(found, asked, mistyped, TYPO_WORD)
  }

  #take(found: QueryWord[], asked: AskedWord, termIds: number[], factor: number): void {
    if (found.length === QUERY_PARTS_MAX || found.some(other => areSame(other.termIds, termIds))) return
    let postings = 0
    for (const id of termIds) postings += this.#postings.count(id)
    const weight = asked.weight * factor
    const rarity = weight * Math.log(1 + this.#records / (postings + 1))
    found.push({ text: asked.word, termIds, weight, isAmount: asked.isAmount, postings, rarity })
  }
}

/** Amounts and models together never outweigh the words that name the good, however rare they are. */
function limitAmounts(words: readonly QueryWord[]): void {
  const amounts = words.filter(({ isAmount }) => isAmount)
  const sum = (some: readonly QueryWord[]) => some.reduce((total, { rarity }) => total + rarity, 0)
  const amountsMax = AMOUNTS_SHARE_MAX * (sum(words) - sum(amounts))
  const factor = Math.min(1, amountsMax / sum(amounts))
  if (amountsMax > 0) for (const word of amounts) word.rarity *= factor
}

function areSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((id, i) => id === b[i])
}

/** The set of words, bit i for word i, that a code must say to have all that is asked for: amounts it need not. */
export function neededWords(words: readonly QueryWord[]): number {
  const all = words.every(({ isAmount }) => isAmount)
  return words.reduce((set, { isAmount }, i) => (all || !isAmount ? set | (1 << i) : set), 0)
}
