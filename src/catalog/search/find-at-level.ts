/**
 * Stage 5. With `level`: the candidates as codes of that many digits, weighed together with the codes around them. Up to six digits
 * these are candidates themselves. Lines are found through the codes above them, too, since a line of a divided subheading
 * rarely repeats its everyday name.
 */
import type { Columns } from '../../snapshot/schema.js'
import type { CandidateGatherer, Gathered } from './gather-candidates.js'
import type { Steps } from './steps.js'
import { INHERITED, OWN_WORDS } from './weights.js'

const SUBHEADING_DIGITS = 6

/** What a code is worth with the codes around it, and whether one of them says every word of the query. */
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
  /** By record, for those that were found. */
  readonly score: Float64Array
  /** By record: 1 where it is listed; cleared at the start of a query. */
  readonly #isListed: Uint8Array

  constructor(columns: LevelColumns, candidates: CandidateGatherer, steps: Steps) {
    this.#columns = columns
    this.#candidates = candidates
    this.#steps = steps
    this.score = new Float64Array(columns.level.length)
    this.#isListed = new Uint8Array(columns.level.length)
  }

  find({ full, partial }: Gathered, needed: number, level: number): Gathered {
    this.#isListed.fill(0)
    const found: Gathered = { full: [], partial: [] }
    const candidates = [...full, ...partial]
    const below = level < SUBHEADING_DIGITS ? this.#bestBelow(candidates, needed, level) : undefined
    for (const candidate of candidates)
      this.#eachAt(candidate, level, record => {
        if (this.#isListed[record] === 1) return
        this.#isListed[record] = 1
        const { score, isFull } = this.#value(record, needed, below?.get(record) ?? NOTHING)
        this.score[record] = score
        ;(isFull ? found.full : found.partial).push(record)
      })
    return found
  }

  /** Visits a candidate of the level, or the lines of that level below one that has words of its own. */
  #eachAt(candidate: number, level: number, visit: (record: number) => void): void {
    const digits = this.#columns.level[candidate]
    if (digits === level) visit(candidate)
    const areLinesFound = digits < level && level > SUBHEADING_DIGITS
    if (areLinesFound && this.#candidates.words[candidate] !== 0) this.#eachLine(candidate, level, visit)
  }

  #eachLine(above: number, level: number, visit: (record: number) => void): void {
    const { level: digits, firstChild, childCount, active } = this.#columns
    const first = firstChild[above]
    const end = first + childCount[above]
    if (!this.#steps.take(end - first)) return
    for (let record = first; record < end; record++) {
      if (digits[record] < level) this.#eachLine(record, level, visit)
      else if (digits[record] === level && active[record] === 1) visit(record)
    }
  }

  /** For chapters and headings: the best of the candidates below each. */
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

  /**
   * A line is worth what the best of its subheading and the codes below that is, and part of what its heading is: lines of
   * one subheading are equals then, and their own words decide among them. A heading is worth the best below it.
   */
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
