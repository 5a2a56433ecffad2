/** Stage 4: rescores the best candidates, each by its phrase that is most similar to the query. */
import type { Columns } from '../../snapshot/schema.js'
import type { QueryWord } from './find-terms.js'
import type { Ranking, Tier } from './ranking.js'
import type { Steps } from './steps.js'
import { HEAD_MISSING, JUDGED_BY_SCORE, JUDGED_MAX, LEVEL_WEIGHT, ORDER_PART, PHRASE_GAIN } from './weights.js'

type PhraseColumns = Pick<
  Columns,
  'phrasesAt' | 'phraseTermsAt' | 'phraseLength' | 'phraseHead' | 'phraseTerm' | 'level' | 'source' | 'parent'
>

interface BestPhrase {
  /** Number of the phrase; -1 if no phrase of the record has any of the words. */
  phrase: number
  /** From 0 to 1. */
  similarity: number
}

export class PhraseJudge {
  readonly #columns: PhraseColumns
  readonly #steps: Steps
  /**
   * By term: the position of its word in the query, counted from 1; 0 if the query does not have it. All are 0 between calls.
   */
  readonly #wordOfTerm: Uint8Array

  constructor(columns: PhraseColumns, terms: number, steps: Steps) {
    this.#columns = columns
    this.#steps = steps
    this.#wordOfTerm = new Uint8Array(terms)
  }

  /** Moves the best records of a tier to its front and multiplies their scores by phrase similarity and level weight. */
  judge({ findings, score }: Ranking, tier: Tier): void {
    const { source, level } = this.#columns
    const { words, ownScore } = findings
    tier.chooseFirst(JUDGED_MAX, JUDGED_BY_SCORE, ownScore)
    try {
      this.#mark(words, i => i + 1)
      for (const record of tier.first) {
        const { similarity } = this.#bestPhrase(source[record], words)
        score[record] = score[record] * (1 + PHRASE_GAIN * similarity) * LEVEL_WEIGHT[level[record]]
      }
    } finally {
      this.#mark(words, () => 0)
    }
  }

  /**
   * For each record, the phrase most similar to the query. If none of its phrases has any of the words, the phrase is from the
   * nearest code above with such a phrase; -1 if there is none.
   */
  bestPhrases(records: readonly number[], words: readonly QueryWord[]): number[] {
    const { source, parent } = this.#columns
    try {
      this.#mark(words, i => i + 1)
      return records.map(record => {
        let phrase = -1
        for (let at = record; phrase < 0 && at >= 0; at = parent[at]) phrase = this.#bestPhrase(source[at], words).phrase
        return phrase
      })
    } finally {
      this.#mark(words, () => 0)
    }
  }

  #mark(words: readonly QueryWord[], mark: (i: number) => number): void {
    words.forEach(({ termIds }, i) => {
      for (const termId of termIds) this.#wordOfTerm[termId] = mark(i)
    })
  }

  #bestPhrase(record: number, words: readonly QueryWord[]): BestPhrase {
    const { phrasesAt, phraseTermsAt, phraseLength } = this.#columns
    const end = phrasesAt[record + 1]
    let start = phraseTermsAt[record]
    const best: BestPhrase = { phrase: -1, similarity: 0 }
    if (!this.#steps.take(phraseTermsAt[record + 1] - start)) return best
    for (let phrase = phrasesAt[record]; phrase < end; phrase++) {
      const length = phraseLength[phrase]
      // phrases are sorted by length, and similarity is at most the square root of words / length
      if (words.length <= best.similarity * best.similarity * length) break
      const similarity = this.#phraseSimilarity(phrase, start, length, words)
      if (similarity > best.similarity) {
        best.similarity = similarity
        best.phrase = phrase
      }
      start += length
    }
    return best
  }

  /**
   * Product of query coverage (squared, to lower the score more for a missing word), phrase coverage, word order and head noun.
   */
  #phraseSimilarity(phrase: number, start: number, length: number, words: readonly QueryWord[]): number {
    const { phraseTerm, phraseHead } = this.#columns
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
    const head = phraseTerm[start + phraseHead[phrase]]
    const hasHead = wordOfTerm[head] > 0
    const order = words.length > 1 ? 1 - ORDER_PART * (1 - Math.min(1, inOrder / (words.length - 1))) : 1
    const ofPhrase = Math.sqrt(metCount / length)
    return coverageOf(words, met) ** 2 * ofPhrase * order * (hasHead ? 1 : HEAD_MISSING)
  }
}

/** The share of the words, not counting amounts, that are in the set `met`. */
function coverageOf(words: readonly QueryWord[], met: number): number {
  let needed = 0
  let found = 0
  for (let i = 0; i < words.length; i++) {
    if (words[i].isAmount) continue
    needed++
    if ((met & (1 << i)) !== 0) found++
  }
  return needed === 0 ? 1 : found / needed
}
