/** Stage 4. The best candidates, judged by how well the words stand together in one phrase of the record. */
import type { Columns } from '../../snapshot/schema.js'
import type { QueryWord } from './find-terms.js'
import type { Steps } from './steps.js'
import { BESIDE_GOOD, LEVEL_WEIGHT, ORDER_SHARE, PHRASE_GAIN } from './weights.js'

type PhraseColumns = Pick<
  Columns,
  'phrasesAt' | 'phraseTermsAt' | 'phraseLength' | 'phraseHead' | 'phraseTerm' | 'level' | 'source'
>

export class PhraseJudge {
  readonly #phrasesAt: Uint32Array
  readonly #phraseTermsAt: Uint32Array
  readonly #phraseLength: Uint16Array
  readonly #phraseHead: Uint16Array
  readonly #phraseTerm: Uint32Array
  readonly #level: Uint8Array
  readonly #source: Uint32Array
  readonly #steps: Steps
  /** By term: the query word it stands for, counted from 1; all 0 between two calls. */
  readonly #wordOfTerm: Uint8Array

  constructor(columns: PhraseColumns, terms: number, steps: Steps) {
    this.#phrasesAt = columns.phrasesAt
    this.#phraseTermsAt = columns.phraseTermsAt
    this.#phraseLength = columns.phraseLength
    this.#phraseHead = columns.phraseHead
    this.#phraseTerm = columns.phraseTerm
    this.#level = columns.level
    this.#source = columns.source
    this.#steps = steps
    this.#wordOfTerm = new Uint8Array(terms)
  }

  /** Multiplies the scores of records, each by what its phrases and its level are worth. */
  judge(records: readonly number[], words: readonly QueryWord[], score: Float64Array): void {
    try {
      this.#mark(words, i => i + 1)
      for (const record of records) {
        const likeness = this.#likeness(this.#source[record], words)
        const level = LEVEL_WEIGHT[this.#level[record]]
        score[record] = score[record] * (1 + PHRASE_GAIN * likeness) * level
      }
    } finally {
      this.#mark(words, () => 0)
    }
  }

  #mark(words: readonly QueryWord[], mark: (i: number) => number): void {
    words.forEach(({ termIds }, i) => {
      for (const termId of termIds) this.#wordOfTerm[termId] = mark(i)
    })
  }

  /** From 0 to 1: how like the query the phrase of a record is that is most like it. */
  #likeness(record: number, words: readonly QueryWord[]): number {
    const end = this.#phrasesAt[record + 1]
    let start = this.#phraseTermsAt[record]
    if (!this.#steps.take(this.#phraseTermsAt[record + 1] - start)) return 0
    let best = 0
    for (let phrase = this.#phrasesAt[record]; phrase < end; phrase++) {
      const length = this.#phraseLength[phrase]
      // the shortest come first: no phrase of this length or more can be better
      if (words.length <= best * best * length) break
      best = Math.max(best, this.#likenessOf(phrase, start, length, words))
      start += length
    }
    return best
  }

  /**
   * A phrase is like the query by how much of the query it has (squared: a missing word weighs more; amounts may be
   * missing), how much of the phrase is in the query, whether the words are in the same order, and whether the good itself
   * is named.
   */
  #likenessOf(phrase: number, start: number, length: number, words: readonly QueryWord[]): number {
    const phraseTerm = this.#phraseTerm
    const wordOfTerm = this.#wordOfTerm
    let met = 0
    let metCount = 0
    let inOrder = 0
    let before = 0
    for (let i = start; i < start + length; i++) {
      const word = wordOfTerm[phraseTerm[i]]
      if (word > 0 && (met & (1 << (word - 1))) === 0) {
        met |= 1 << (word - 1)
        metCount++
      }
      if (word > 1 && word === before + 1) inOrder++
      before = word
    }
    if (metCount === 0) return 0
    const head = phraseTerm[start + this.#phraseHead[phrase]]
    const namesGood = wordOfTerm[head] > 0
    const order = words.length > 1 ? 1 - ORDER_SHARE * (1 - Math.min(1, inOrder / (words.length - 1))) : 1
    const ofPhrase = Math.sqrt(metCount / length)
    return shareMet(words, met) ** 2 * ofPhrase * order * (namesGood ? 1 : BESIDE_GOOD)
  }
}

/** The share of the words that are needed, those in the set `met`. */
function shareMet(words: readonly QueryWord[], met: number): number {
  let needed = 0
  let said = 0
  for (let i = 0; i < words.length; i++) {
    if (words[i].isAmount) continue
    needed++
    if ((met & (1 << i)) !== 0) said++
  }
  return needed === 0 ? 1 : said / needed
}
