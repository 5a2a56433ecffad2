/**
 * Stage 5, with `level`: turns candidates into codes of that length, scored with the codes around them. Lines are also found
 * through the codes above, because they rarely repeat the everyday name of the goods.
 */

import { SUBHEADING_DIGITS } from '../../codes/levels.js'
import type { Columns } from '../../snapshot/schema.js'
import type { CandidateGatherer, Gathered } from './gather-candidates.js'
import type { Steps } from './steps.js'
import { INHERITED, OWN_WORDS } from './weights.js'

/** Score of a code with the codes around it, and whether one of them has every word of the query. */
interface Value {
  score: number
  isFull: boolean
}

const NOTHING: Value = { score: 0, isFull: false }

type LevelColumns = Pick<Columns, 'level' | 'source' | 'parent' | 'firstChild' | 'childCount' | 'active'>

export class LevelFinder {
  readonly #columns: LevelColumns
  readonly #candidates: CandidateGatherer
  readonly #steps: Steps
  readonly score: Float64Array
  /** By record: 1 if already found. */
  readonly #isFound: Uint8Array

  constructor(columns: LevelColumns, candidates: CandidateGatherer, steps: Steps) {
    this.#columns = columns
    this.#candidates = candidates
    this.#steps = steps
    this.score = new Float64Array(columns.level.length)
    this.#isFound = new Uint8Array(columns.level.length)
  }

  find({ full, partial }: Gathered, needed: number, level: number): Gathered {
    this.#isFound.fill(0)
    const found: Gathered = { full: [], partial: [] }
    const candidates = [...full, ...partial]
    const below = level < SUBHEADING_DIGITS ? this.#bestBelow(candidates, needed, level) : undefined
    for (const candidate of candidates)
      this.#visitAt(candidate, level, record => {
        if (this.#isFound[record] === 1) return
        this.#isFound[record] = 1
        const { score, isFull } = this.#value(record, needed, below?.get(record) ?? NOTHING)
        this.score[record] = score
        ;(isFull ? found.full : found.partial).push(record)
      })
    return found
  }

  /** Visits the candidate if it has the level, else its lines of that level if it matches by its own words. */
  #visitAt(candidate: number, level: number, visit: (record: number) => void): void {
    const digits = this.#columns.level[candidate]
    if (digits === level) visit(candidate)
    else if (digits < level && level > SUBHEADING_DIGITS && this.#candidates.words[candidate] !== 0)
      this.#visitLines(candidate, level, visit)
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

  /** For chapters and headings: the best candidate below each. */
  #bestBelow(candidates: readonly number[], needed: number, level: number): Map<number, Value> {
    const { level: digits, parent } = this.#columns
    const best = new Map<number, Value>()
    for (const record of candidates) {
      let up = record
      while (up >= 0 && digits[up] > level) up = parent[up]
      if (up < 0 || up === record) continue
      const known = best.get(up) ?? NOTHING
      best.set(up, {
        score: Math.max(known.score, this.#candidates.score[record]),
        isFull: known.isFull || this.#hasAll(record, needed),
      })
    }
    return best
  }

  /** A line takes the best score within its subheading, so that only its own words separate it from its neighbours. */
  #value(record: number, needed: number, below: Value): Value {
    const { source, parent, level } = this.#columns
    const { score, words } = this.#candidates
    const own = source[record]
    let { score: best, isFull } = below
    let above = 0
    for (let at = own; at >= 0; at = parent[at]) {
      if (words[at] === 0) continue
      isFull ||= this.#hasAll(at, needed)
      if (at === own || level[at] >= SUBHEADING_DIGITS) best = Math.max(best, score[at])
      else above = Math.max(above, score[at])
    }
    const ownScore = words[own] === 0 ? 0 : score[own]
    return { score: best + INHERITED * above + OWN_WORDS * ownScore, isFull }
  }

  #hasAll(record: number, needed: number): boolean {
    return (this.#candidates.words[record] & needed) === needed
  }
}
