/**
 * Finds records by words or by digits. The stages, a file each: read the query, find its terms, gather candidates, judge the
 * best of them by their phrases, order them, cut the page.
 */
import { CODE_DIGITS_MAX } from '../../limits.js'
import type { Snapshot } from '../../snapshot/decode.js'
import { type QueryWord, TermFinder } from './find-terms.js'
import { CandidateGatherer } from './gather-candidates.js'
import { HeadingEvidence } from './heading-evidence.js'
import { PhraseJudge } from './judge-phrases.js'
import { selectFirst, sortPart } from './order.js'
import { Postings } from './postings.js'
import { codeIn, readQuery } from './read-query.js'
import type { Steps } from './steps.js'
import type { Vocabulary } from './vocabulary.js'
import { JUDGED_BY_SCORE, JUDGED_MAX, REPEAT_WEIGHT, REPEATS_MAX } from './weights.js'

export interface Found {
  /** Record numbers, best first. */
  records: readonly number[]
  /** Of all matches, not only these. */
  total: number
}

export class Search {
  readonly #terms: TermFinder
  readonly #evidence: HeadingEvidence
  readonly #candidates: CandidateGatherer
  readonly #judge: PhraseJudge
  readonly #level: Uint8Array
  readonly #source: Uint32Array
  readonly #firstChild: Uint32Array
  readonly #childCount: Uint32Array
  readonly #codeOrder: Uint32Array
  readonly #sortKey: Float64Array
  readonly #steps: Steps

  constructor({ columns, meta }: Snapshot, vocabulary: Vocabulary, steps: Steps) {
    const postings = new Postings(columns)
    this.#terms = new TermFinder(vocabulary, postings, meta.records)
    this.#evidence = new HeadingEvidence(columns)
    this.#candidates = new CandidateGatherer(columns, postings, this.#evidence, steps)
    this.#judge = new PhraseJudge(columns, vocabulary.size, steps)
    this.#level = columns.level
    this.#source = columns.source
    this.#firstChild = columns.firstChild
    this.#childCount = columns.childCount
    this.#codeOrder = columns.codeOrder
    this.#sortKey = columns.sortKey
    this.#steps = steps
  }

  /** What the last query cost. */
  get steps(): number {
    return this.#steps.used
  }

  find(text: string, level: number, offset: number, limit: number, within = ''): Found {
    this.#steps.reset()
    const code = codeIn(text)
    const byCode = code === undefined ? [] : this.#byDigits(code)
    if (byCode.length > 0) {
      const records = byCode.filter(
        record => (level === 0 || this.#level[record] === level) && this.#isWithin(record, within),
      )
      return { records: records.slice(offset, offset + limit), total: records.length }
    }
    const words = this.#terms.find(readQuery(text))
    if (words.length === 0) return { records: [], total: 0 }
    const { full, partial } = this.#candidates.gather(words)
    const tiers = [full, partial].map(tier => {
      const shown = level === 0 ? tier : this.#atLevel(tier, level)
      return within === '' ? shown : shown.filter(record => this.#isWithin(record, within))
    })
    return this.#page(tiers, words, offset, limit)
  }

  #page(tiers: number[][], words: readonly QueryWord[], offset: number, limit: number): Found {
    const records: number[] = []
    let before = 0
    for (const tier of tiers) {
      const from = Math.max(0, offset - before)
      const to = Math.min(tier.length, offset + limit - before)
      if (from < to) {
        this.#order(tier, words, from, to)
        for (let i = from; i < to; i++) records.push(tier[i] as number)
      }
      before += tier.length
    }
    return { records, total: before }
  }

  #order(tier: number[], words: readonly QueryWord[], from: number, to: number): void {
    const { score, worth } = this.#candidates
    const best = Math.min(JUDGED_BY_SCORE, tier.length)
    const judged = Math.min(JUDGED_MAX, tier.length)
    selectFirst(tier, score, best)
    selectFirst(tier, worth, judged, best)
    if (from < judged) {
      this.#judge.judge(tier.slice(0, judged), words, score)
      sortPart(tier, score, 0, judged)
      this.#spread(tier, judged)
      sortPart(tier, score, 0, judged)
    }
    const first = Math.max(from, judged)
    if (first >= to) return
    selectFirst(tier, score, first, judged)
    selectFirst(tier, score, to, first)
    sortPart(tier, score, first, to)
  }

  /** Each further code of a heading counts less. */
  #spread(tier: readonly number[], count: number): void {
    const shown = new Map<number, number>()
    const { score } = this.#candidates
    for (let i = 0; i < count; i++) {
      const record = tier[i] as number
      const heading = this.#evidence.headingOf(record)
      const before = shown.get(heading) ?? 0
      shown.set(heading, before + 1)
      score[record] = (score[record] as number) * REPEAT_WEIGHT ** Math.min(before, REPEATS_MAX)
    }
  }

  #byDigits(prefix: string): number[] {
    if (prefix.length > CODE_DIGITS_MAX) return []
    const low = Number(prefix.padEnd(CODE_DIGITS_MAX, '0'))
    const high = Number(prefix.padEnd(CODE_DIGITS_MAX, '9'))
    const order = this.#codeOrder
    let from = 0
    let to = order.length
    while (from < to) {
      const middle = (from + to) >>> 1
      if ((this.#sortKey[order[middle] as number] as number) < low) from = middle + 1
      else to = middle
    }
    const found: number[] = []
    for (let i = from; i < order.length; i++) {
      const record = order[i] as number
      if ((this.#sortKey[record] as number) > high) break
      if ((this.#level[record] as number) >= prefix.length) found.push(record)
    }
    return found
  }

  #isWithin(record: number, within: string): boolean {
    if (within === '') return true
    const key = this.#sortKey[record] as number
    return (
      key >= Number(within.padEnd(CODE_DIGITS_MAX, '0')) &&
      key <= Number(within.padEnd(CODE_DIGITS_MAX, '9')) &&
      (this.#level[record] as number) >= within.length
    )
  }

  /** The records of a number of digits, and such lines that padding added under the others. */
  #atLevel(tier: readonly number[], level: number): number[] {
    const shown: number[] = []
    const { score, worth } = this.#candidates
    for (const record of tier) {
      const line = this.#lineAt(record, level)
      if (line < 0) continue
      score[line] = score[record] as number
      worth[line] = worth[record] as number
      shown.push(line)
    }
    return shown
  }

  #lineAt(record: number, level: number): number {
    let at = record
    while ((this.#level[at] as number) < level && this.#childCount[at] === 1) {
      const child = this.#firstChild[at] as number
      if (this.#source[child] !== record) return -1
      at = child
    }
    return this.#level[at] === level ? at : -1
  }
}
