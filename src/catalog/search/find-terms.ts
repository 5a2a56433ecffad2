/** Stage 2. The words of a query → the index terms that may stand for each. */
import { QUERY_PARTS_MAX } from '../../limits.js'
import { stemUnderParticle } from '../../text/terms.js'
import type { Postings } from './postings.js'
import type { AskedWord } from './read-query.js'
import type { Vocabulary } from './vocabulary.js'
import { PREFIX_WORD, TYPO_WORD } from './weights.js'

/** Looking for mistyped words is the most expensive step, so only so many are looked for. */
const TYPO_WORDS_MAX = 3
const PREFIX_CHARS_MIN = 2
/** A whole word of so many letters may be the beginning of a longer one that is so many times as common. */
const OPEN_CHARS_MIN = 3
const LONGER_USED = 3
const LONGER_MAX = 6

/** One word of the query, and the terms that may stand for it. */
export interface QueryWord {
  termIds: readonly number[]
  /** The first so many terms count in full, the others as words longer than the one typed. */
  wholeCount: number
  weight: number
  /** Postings of all its terms. */
  postings: number
  /** How much the word tells: its weight, and more the fewer postings it has. */
  rarity: number
}

export class TermFinder {
  readonly #vocabulary: Vocabulary
  readonly #postings: Postings
  readonly #records: number

  constructor(vocabulary: Vocabulary, postings: Postings, records: number) {
    this.#vocabulary = vocabulary
    this.#postings = postings
    this.#records = records
  }

  /**
   * Whole words before unfinished ones before mistyped ones and words run together: the first kind that the index knows
   * is taken. Words unknown in every way are left out, and so are words that come to the same terms as one before.
   */
  find(asked: readonly AskedWord[]): QueryWord[] {
    const vocabulary = this.#vocabulary
    const found: QueryWord[] = []
    let typosLeft = TYPO_WORDS_MAX
    let withBefore = -1
    for (const [i, word] of asked.entries()) {
      const next = asked[i + 1]
      // "note books" is also notebook, whichever of the two words is meant
      const withNext = next === undefined ? -1 : vocabulary.find(word.stem + next.stem)
      const whole = [...new Set([this.#own(word), withBefore, withNext])].filter(id => id >= 0)
      withBefore = withNext
      if (whole.length > 0) {
        const longer = word.isUnfinished ? this.#longerThan(word.stem, whole) : []
        this.#take(found, [...whole, ...longer], word.weight, whole.length)
        continue
      }
      const unfinished =
        word.stem.length >= PREFIX_CHARS_MIN ? vocabulary.withPrefix(word.stem, this.#useOf) : []
      if (unfinished.length > 0) {
        this.#take(found, unfinished, word.weight * PREFIX_WORD)
        continue
      }
      const forgiven = typosLeft > 0 ? vocabulary.forgiven(word.stem) : 0
      if (forgiven > 0) typosLeft--
      this.#forgive(found, word, forgiven)
    }
    return found
  }

  readonly #useOf = (termId: number): number => this.#postings.count(termId)

  /** The term of a word, or of what stands under its Arabic particle; -1 for an unknown one. */
  #own({ word, stem }: AskedWord): number {
    const id = this.#vocabulary.find(stem)
    if (id >= 0) return id
    const under = stemUnderParticle(word)
    return under === '' ? -1 : this.#vocabulary.find(under)
  }

  /** One wrong letter is likelier than two words run together, and that likelier than two wrong letters. */
  #forgive(found: QueryWord[], { stem, weight }: AskedWord, forgiven: number): void {
    const vocabulary = this.#vocabulary
    const near = vocabulary.mistyped(stem, Math.min(1, forgiven))
    const parts =
      near.length > 0
        ? undefined
        : vocabulary.split(stem, (first, second) => this.#postings.areTogether(first, second))
    if (parts !== undefined) {
      for (const id of parts) this.#take(found, [id], weight)
      return
    }
    const mistyped = near.length > 0 ? near : vocabulary.mistyped(stem, forgiven)
    if (mistyped.length > 0) this.#take(found, mistyped, weight * TYPO_WORD)
  }

  /** What a word may be the beginning of, where that is far more used than the word itself. */
  #longerThan(stem: string, whole: readonly number[]): number[] {
    if (stem.length < OPEN_CHARS_MIN) return []
    const own = this.#useOf(whole[0] as number)
    return this.#vocabulary
      .withPrefix(stem, this.#useOf)
      .filter(id => !whole.includes(id) && this.#useOf(id) > own * LONGER_USED)
      .slice(0, LONGER_MAX)
  }

  #take(found: QueryWord[], termIds: number[], weight: number, wholeCount = termIds.length): void {
    if (found.length === QUERY_PARTS_MAX || found.some(other => areSame(other.termIds, termIds))) return
    let postings = 0
    for (const id of termIds) postings += this.#postings.count(id)
    const rarity = weight * Math.log(1 + this.#records / (postings + 1))
    found.push({ termIds, wholeCount, weight, postings, rarity })
  }
}

function areSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((id, i) => id === b[i])
}
