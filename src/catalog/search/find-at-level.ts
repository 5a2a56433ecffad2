/**
 * Stage 5, with `level`: finds the codes of that length for the candidates, and scores each code together with the codes above
 * and below it. Lines are also found through the codes above them, because they rarely repeat the everyday name of the goods.
 */

import { SUBHEADING_DIGITS } from '../../codes/levels.js'
import type { Columns } from '../../snapshot/schema.js'
import { neededWords } from './find-terms.js'
import { Ranking } from './ranking.js'
import type { Steps } from './steps.js'
import { INHERITED_PART, JUDGED_MAX, OWN_SCORE_PART } from './weights.js'

/** Score of a code together with the codes above and below it, and whether any of them has every word of the query. */
interface Value {
  score: number
  isFull: boolean
}

const NOTHING: Value = { score: 0, isFull: false }

type LevelColumns = Pick<Columns, 'level' | 'source' | 'parent' | 'firstChild' | 'childCount' | 'active'>

export class LevelFinder {
  readonly #columns: LevelColumns
  readonly #steps: Steps
  /** Scores of the ranking that `rank` returns. */
  readonly #score: Float64Array
  /** By record: 1 if already found. */
  readonly #isFound: Uint8Array
  /** By record: 1 if the score of an accepted code depends on the record. */
  readonly #isNeeded: Uint8Array

  constructor(columns: LevelColumns, steps: Steps) {
    this.#columns = columns
    this.#steps = steps
    this.#score = new Float64Array(columns.level.length)
    this.#isFound = new Uint8Array(columns.level.length)
    this.#isNeeded = new Uint8Array(columns.level.length)
  }

  /**
   * Candidates with `level` digits. If these are lines, also the lines below each candidate that itself contains a word of the
   * query. `suggested`: one more candidate, or -1.
   */
  find({ findings, full, partial }: Ranking, suggested: number, level: number): number[] {
    const { level: digits } = this.#columns
    const found: number[] = []
    const isFound = this.#isFound.fill(0)
    const visit = (record: number) => {
      if (isFound[record] === 1) return
      isFound[record] = 1
      found.push(record)
    }
    for (const candidates of [full.records, partial.records, suggested < 0 ? [] : [suggested]])
      for (const candidate of candidates) {
        if (digits[candidate] === level) visit(candidate)
        else if (digits[candidate] < level && level > SUBHEADING_DIGITS && findings.wordsIn[candidate] !== 0)
          this.#visitLines(candidate, level, visit)
      }
    return found
  }

  #visitLines(above: number, level: number, visit: (record: number) => void): void {
    const { level: digits, firstChild, childCount, active } = this.#columns
    const first = firstChild[above]
    const end = first + childCount[above]
    if (!this.#steps.take(end - first)) return
    for (let record = first; record < end; record++) {
      if (digits[record] < level) this.#visitLines(record, level, visit)
      else if (digits[record] === level && active[record] === 1) visit(record)
    }
  }

  /**
   * Returns a predicate that accepts the candidates that affect the score of any of these codes. All codes have `level` digits.
   * The predicate is valid until the next call.
   */
  dependsOn(codes: readonly number[], level: number): (candidate: number) => boolean {
    const { source, parent } = this.#columns
    const isNeeded = this.#isNeeded.fill(0)
    for (const code of codes) for (let at = source[code]; at >= 0 && isNeeded[at] === 0; at = parent[at]) isNeeded[at] = 1
    const isBelow = (candidate: number) => level < SUBHEADING_DIGITS && isNeeded[this.#aboveAt(candidate, level)] === 1
    return candidate => isNeeded[candidate] === 1 || isBelow(candidate)
  }

  /** The record with `level` digits above a record; -1 if the record itself has that many digits or fewer. */
  #aboveAt(record: number, level: number): number {
    const { level: digits, parent } = this.#columns
    let up = record
    while (up >= 0 && digits[up] > level) up = parent[up]
    return up === record ? -1 : up
  }

  /** Scores codes by the judged candidates above and below them. */
  rank(codes: readonly number[], candidates: Ranking, level: number): Ranking {
    const { findings } = candidates
    const needed = neededWords(findings.words)
    const below = level < SUBHEADING_DIGITS ? this.#below(candidates, needed, level) : undefined
    const full: number[] = []
    const partial: number[] = []
    for (const code of codes) {
      const { score, isFull } = this.#value(code, candidates, needed, below?.get(code) ?? NOTHING)
      this.#score[code] = score
      ;(isFull ? full : partial).push(code)
    }
    const ranking = new Ranking(findings, this.#score, full, partial)
    for (const tier of ranking.tiers) tier.chooseFirst(JUDGED_MAX)
    return ranking
  }

  /** By chapter or heading: the best score of the candidates below. */
  #below({ tiers, findings, score }: Ranking, needed: number, level: number): Map<number, Value> {
    const best = new Map<number, Value>()
    for (const { records } of tiers)
      for (const record of records) {
        const above = this.#aboveAt(record, level)
        if (above < 0) continue
        const soFar = best.get(above) ?? NOTHING
        best.set(above, {
          score: Math.max(soFar.score, score[record]),
          isFull: soFar.isFull || hasAll(findings.wordsIn[record], needed),
        })
      }
    return best
  }

  /**
   * A line has the best score of its subheading and itself, so that only its own words distinguish it from the lines beside it.
   */
  #value(code: number, { findings, score }: Ranking, needed: number, below: Value): Value {
    const { source, parent, level } = this.#columns
    const { wordsIn } = findings
    const start = source[code]
    let { score: best, isFull } = below
    let above = 0
    for (let at = start; at >= 0; at = parent[at]) {
      if (wordsIn[at] === 0) continue
      isFull ||= hasAll(wordsIn[at], needed)
      if (at === start || level[at] >= SUBHEADING_DIGITS) best = Math.max(best, score[at])
      else above = Math.max(above, score[at])
    }
    const ownScore = wordsIn[start] === 0 ? 0 : score[start]
    return { score: best + INHERITED_PART * above + OWN_SCORE_PART * ownScore, isFull }
  }
}

const hasAll = (words: number, needed: number): boolean => (words & needed) === needed
