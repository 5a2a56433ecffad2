/** Stage 3: finds the records that have enough words of the query, and scores them. */

import { SUBHEADING_DIGITS } from '../../codes/levels.js'
import type { Columns } from '../../snapshot/schema.js'
import { neededWords, type QueryWord } from './find-terms.js'
import { HEADING_NUMBERS, type HeadingEvidence } from './heading-evidence.js'
import { highestScore } from './order.js'
import type { Postings } from './postings.js'
import { Ranking } from './ranking.js'
import type { Steps } from './steps.js'
import { CONTEXT_COVERAGE, CONTEXT_WEIGHT, COVERAGE_MIN, HEADING_GAIN, MATERIAL_SCORE, SLOT_WEIGHT } from './weights.js'

/** Tolerance for sums, because the order of summation affects their last digits. */
const ROUNDING = 1e-9

type GatherColumns = Pick<Columns, 'level' | 'parent' | 'materialTerm' | 'materialRecord'>

export class CandidateGatherer {
  /** The ranking reads these arrays; see ranking.ts. */
  readonly #score: Float64Array
  readonly #ownScore: Float64Array
  readonly #wordsIn: Uint32Array
  /** By record: sum of the rarities of the words that the record covers. */
  readonly #coverage: Float64Array
  /** By heading: bit set of the words in its subheadings. */
  readonly #wordsBelow: Uint32Array
  /** Records with entries in these arrays, which are cleared before the next query. */
  readonly #seen: number[] = []
  /** By heading: factor for the scores of its records. */
  readonly #headingFactor = new Float64Array(HEADING_NUMBERS)
  /** Highest coverage of any record so far. */
  #bestCoverage = 0
  readonly #postings: Postings
  readonly #evidence: HeadingEvidence
  readonly #steps: Steps
  readonly #level: Uint8Array
  readonly #parent: Int32Array
  /** By term that names a material: the catch-all heading of that material. */
  readonly #headingOfMaterial: ReadonlyMap<number, number>

  constructor(columns: GatherColumns, postings: Postings, evidence: HeadingEvidence, steps: Steps) {
    const records = columns.level.length
    this.#score = new Float64Array(records)
    this.#ownScore = new Float64Array(records)
    this.#wordsIn = new Uint32Array(records)
    this.#wordsBelow = new Uint32Array(records)
    this.#coverage = new Float64Array(records)
    this.#level = columns.level
    this.#parent = columns.parent
    this.#postings = postings
    this.#evidence = evidence
    this.#steps = steps
    this.#headingOfMaterial = new Map(Array.from(columns.materialTerm, (termId, i) => [termId, columns.materialRecord[i]]))
  }

  gather(words: readonly QueryWord[]): Ranking {
    this.#clear()
    this.#headingFactor.fill(1)
    for (const [heading, evidence] of this.#evidence.of(words)) this.#headingFactor[heading] = 1 + HEADING_GAIN * evidence
    // rarest first: if the steps run out, only common words are skipped
    const order = words.map((_, i) => i).sort((a, b) => words[b].rarity - words[a].rarity)
    let left = totalRarity(words)
    for (const i of order) {
      // if the remaining words are too common, no new record can reach the minimum coverage
      this.#add(words[i], i, left >= this.#bestCoverage * COVERAGE_MIN)
      left -= words[i].rarity
    }
    this.#addContext(words)
    const { full, partial } = this.#keep(words)
    if (words.length > 1) this.#addMaterials(words, full, partial)
    return new Ranking({ words, ownScore: this.#ownScore, wordsIn: this.#wordsIn }, this.#score, full, partial)
  }

  /** Runs before a query, not after it, because a query may throw an error. */
  #clear(): void {
    for (const record of this.#seen) {
      this.#wordsIn[record] = 0
      this.#wordsBelow[record] = 0
    }
    this.#seen.length = 0
    this.#bestCoverage = 0
  }

  #add({ termIds, rarity, postings }: QueryWord, i: number, mayAddRecords: boolean): void {
    // if the list of the rarest word is too long, only the postings in its best slots are read
    const isFirst = this.#seen.length === 0
    const visits = isFirst ? this.#steps.takeUpTo(postings) : this.#steps.take(postings) ? postings : 0
    const bit = 1 << i
    const wordsIn = this.#wordsIn
    const ownScore = this.#ownScore
    const coverage = this.#coverage
    this.#postings.walk(termIds, visits, (record, slot) => {
      const known = wordsIn[record]
      if ((known & bit) !== 0 || (known === 0 && !mayAddRecords)) return
      wordsIn[record] = known | bit
      if (known === 0) this.#addRecord(record)
      const covered = coverage[record] + rarity
      coverage[record] = covered
      if (covered > this.#bestCoverage) this.#bestCoverage = covered
      ownScore[record] = ownScore[record] + rarity * SLOT_WEIGHT[slot]
    })
  }

  /**
   * A word that a candidate lacks counts a little if a code above the candidate has the word, or if the candidate is a
   * heading and one of its subheadings has it.
   */
  #addContext(words: readonly QueryWord[]): void {
    this.#addHeadings()
    const all = 2 ** words.length - 1
    const whole = totalRarity(words)
    const least = this.#bestCoverage * COVERAGE_MIN - ROUNDING
    // cached by set of words, because many records share the same few sets
    const rarityOf = new Map<number, number>()
    for (const record of this.#seen) {
      const present = this.#wordsIn[record]
      if (present === all) continue
      const covered = this.#coverage[record]
      // the record cannot reach the minimum even with all its missing words
      if (covered + (whole - covered) * CONTEXT_COVERAGE < least) continue
      let around = this.#wordsBelow[record]
      for (let up = this.#parent[record]; up >= 0; up = this.#parent[up]) around |= this.#wordsIn[up]
      const added = around & ~present
      if (added === 0) continue
      const rarity = rarityOf.get(added) ?? totalRarity(words.filter((_, i) => (added & (1 << i)) !== 0))
      rarityOf.set(added, rarity)
      this.#coverage[record] = covered + rarity * CONTEXT_COVERAGE
      this.#ownScore[record] = this.#ownScore[record] + rarity * CONTEXT_WEIGHT
    }
  }

  /** Adds the headings of the subheadings that have a word. */
  #addHeadings(): void {
    const count = this.#seen.length
    for (let i = 0; i < count; i++) {
      const record = this.#seen[i]
      const heading = this.#parent[record]
      if (this.#level[record] !== SUBHEADING_DIGITS || heading < 0) continue
      const below = this.#wordsBelow[heading]
      if (below === 0 && this.#wordsIn[heading] === 0) this.#addRecord(heading)
      this.#wordsBelow[heading] = below | this.#wordsIn[record]
    }
  }

  #addRecord(record: number): void {
    this.#seen.push(record)
    this.#coverage[record] = 0
    this.#ownScore[record] = 0
  }

  /** Keeps the records above the minimum coverage and scores them. */
  #keep(words: readonly QueryWord[]): { full: number[]; partial: number[] } {
    const full: number[] = []
    const partial: number[] = []
    const { headingOf } = this.#evidence
    const needed = neededWords(words)
    const whole = totalRarity(words)
    let best = 0
    for (const record of this.#seen) best = Math.max(best, this.#coverage[record])
    for (const record of this.#seen) {
      const covered = this.#coverage[record]
      // a dropped record keeps its words, but must not keep the score of an earlier query
      this.#score[record] = 0
      if (covered < best * COVERAGE_MIN - ROUNDING) continue
      const ownScore = this.#ownScore[record] * (covered / whole)
      this.#ownScore[record] = ownScore
      this.#score[record] = ownScore * this.#headingFactor[headingOf[record]]
      const isFull = (this.#wordsIn[record] & needed) === needed
      ;(isFull ? full : partial).push(record)
    }
    return { full, partial }
  }

  /**
   * Adds a material's catch-all heading: "mouse mats, plastic" is an article of plastics even if no record names mouse mats.
   */
  #addMaterials(words: readonly QueryWord[], full: readonly number[], partial: number[]): void {
    const materials = new Set<number>()
    for (const { termIds } of words)
      for (const termId of termIds) {
        const heading = this.#headingOfMaterial.get(termId)
        if (heading !== undefined) materials.add(heading)
      }
    if (materials.size === 0) return
    const best = highestScore(partial, this.#score) || highestScore(full, this.#score)
    for (const heading of materials) {
      if (full.includes(heading)) continue
      const known = partial.includes(heading) ? this.#score[heading] : 0
      if (known === 0) {
        partial.push(heading)
        this.#ownScore[heading] = 0
      }
      this.#score[heading] = Math.max(known, best * MATERIAL_SCORE)
    }
  }
}

function totalRarity(words: readonly QueryWord[]): number {
  return words.reduce((sum, { rarity }) => sum + rarity, 0)
}
