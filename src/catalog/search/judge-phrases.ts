/** Stage 4: rescores the best candidates by their phrase most similar to the query. */
import type { Columns } from '../../snapshot/schema.js'
import type { QueryWord } from './find-terms.js'
import type { Steps } from './steps.js'
import { HEAD_MISSING, LEVEL_WEIGHT, ORDER_SHARE, PHRASE_GAIN } from './weights.js'

type PhraseColumns = Pick<
  Columns,
  'phrasesAt' | 'phraseTermsAt' | 'phraseLength' | 'phraseHead' | 'phraseTerm' | 'level' | 'source' | 'parent'
>

export class PhraseJudge {
  readonly #columns: PhraseColumns
  readonly #steps: Steps
  /** By term: the number of its query word, from 1; all 0 between calls. */
  readonly #wordOfTerm: Uint8Array
  /** 0 to 1: of the last best phrase. */
  #similarity = 0

  constructor(columns: PhraseColumns, terms: number, steps: Steps) {
    this.#columns = columns
    this.#steps = steps
    this.#wordOfTerm = new Uint8Array(terms)
  }

  /** Multiplies scores by phrase similarity and level weight. */
  judge(records: readonly number[], words: readonly QueryWord[], score: Float64Array): void {
    const { source, level } = this.#columns
    try {
      this.#mark(words, i => i + 1)
      for (const record of records) {
        this.#bestPhrase(source[record], words)
        score[record] = score[record] * (1 + PHRASE_GAIN * this.#similarity) * LEVEL_WEIGHT[level[record]]
      }
    } finally {
      this.#mark(words, () => 0)
    }
  }

  /** By record: the phrase most similar to the query, its own or one of the codes above; -1 if none has any of the words. */
  bestPhrases(records: readonly number[], words: readonly QueryWord[]): number[] {
    const { source, parent } = this.#columns
    try {
      this.#mark(words, i => i + 1)
      return records.map(record => {
        let phrase = -1
        for (let at = record; phrase < 0 && at >= 0; at = parent[at]) phrase = this.#bestPhrase(source[at], words)
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

  /** The most similar phrase of a record, or -1; sets `#similarity`. */
  #bestPhrase(record: number, words: readonly QueryWord[]): number {
    const { phrasesAt, phraseTermsAt, phraseLength } = this.#columns
    const end = phrasesAt[record + 1]
    let start = phraseTermsAt[record]
    let found = -1
    let best = 0
    this.#similarity = 0
    if (!this.#steps.take(phraseTermsAt[record + 1] - start)) return -1
    for (let phrase = phrasesAt[record]; phrase < end; phrase++) {
      const length = phraseLength[phrase]
      // phrases are sorted by length, and similarity is at most the root of words / length
      if (words.length <= best * best * length) break
      const similarity = this.#phraseSimilarity(phrase, start, length, words)
      if (similarity > best) {
        best = similarity
        found = phrase
      }
      start += length
    }
    this.#similarity = best
    return found
  }

  /** Product of query coverage (squared, so that a missing word costs more), phrase coverage, word order and head noun. */
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
    const order = words.length > 1 ? 1 - ORDER_SHARE * (1 - Math.min(1, inOrder / (words.length - 1))) : 1
    const ofPhrase = Math.sqrt(metCount / length)
    return shareMet(words, met) ** 2 * ofPhrase * order * (hasHead ? 1 : HEAD_MISSING)
  }
}

/** Share of the needed words that are in the set `met`. */
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
