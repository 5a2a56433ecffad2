/** Stage 3: query words to candidate records, with scores. */

import { SUBHEADING_DIGITS } from '../../codes/levels.js'
import type { Columns } from '../../snapshot/schema.js'
import { neededWords, type QueryWord } from './find-terms.js'
import type { HeadingEvidence } from './heading-evidence.js'
import type { Postings } from './postings.js'
import type { Steps } from './steps.js'
import { CONTEXT_SHARE, CONTEXT_WEIGHT, KEPT_SHARE, MATERIAL_SHARE, SLOT_WEIGHT } from './weights.js'

/** Tolerance: the order of summation changes the last digit. */
const ROUNDING = 1e-9

/** Unordered record numbers: with every word of the query, and with some. */
export interface Gathered {
  full: number[]
  partial: number[]
}

type GatherColumns = Pick<Columns, 'level' | 'parent' | 'materialTerm' | 'materialRecord'>

export class CandidateGatherer {
  /** By record, valid for candidates only. */
  readonly score: Float64Array
  /** By record: the score without heading evidence. */
  readonly worth: Float64Array
  /** By record: bit set of the query words it contains; 0 if not a candidate. */
  readonly words: Uint32Array
  /** By record: sum of the rarities it covers. */
  readonly #share: Float64Array
  /** By heading: bit set of the words in its subheadings. */
  readonly #wordsBelow: Uint32Array
  /** Records to reset before the next query. */
  readonly #opened: number[] = []
  /** Highest share so far. */
  #most = 0
  readonly #postings: Postings
  readonly #evidence: HeadingEvidence
  readonly #steps: Steps
  readonly #level: Uint8Array
  readonly #parent: Int32Array
  /** Material term to the catch-all heading of that material. */
  readonly #headingOfMaterial: ReadonlyMap<number, number>

  constructor(columns: GatherColumns, postings: Postings, evidence: HeadingEvidence, steps: Steps) {
    const records = columns.level.length
    this.score = new Float64Array(records)
    this.worth = new Float64Array(records)
    this.words = new Uint32Array(records)
    this.#wordsBelow = new Uint32Array(records)
    this.#share = new Float64Array(records)
    this.#level = columns.level
    this.#parent = columns.parent
    this.#postings = postings
    this.#evidence = evidence
    this.#steps = steps
    this.#headingOfMaterial = new Map(Array.from(columns.materialTerm, (termId, i) => [termId, columns.materialRecord[i]]))
  }

  gather(words: readonly QueryWord[]): Gathered {
    this.#clear()
    this.#evidence.weigh(words)
    // rarest first, so that running out of steps drops the common words
    const order = words.map((_, i) => i).sort((a, b) => words[b].rarity - words[a].rarity)
    let left = totalRarity(words)
    for (const i of order) {
      // a new record could not reach the minimum share any more
      this.#add(words[i], i, left >= this.#most * KEPT_SHARE)
      left -= words[i].rarity
    }
    this.#addContext(words)
    const gathered = this.#keep(words)
    if (words.length > 1) this.#addMaterials(words, gathered)
    return gathered
  }

  /** At the start of a query, in case the last one threw. */
  #clear(): void {
    for (const record of this.#opened) {
      this.words[record] = 0
      this.#wordsBelow[record] = 0
    }
    this.#opened.length = 0
    this.#most = 0
  }

  #add({ termIds, rarity, postings }: QueryWord, i: number, mayOpen: boolean): void {
    // too long a list of the first word is cut after its best slots
    const isFirst = this.#opened.length === 0
    const visits = isFirst ? this.#steps.takeUpTo(postings) : this.#steps.take(postings) ? postings : 0
    const bit = 1 << i
    const { words, worth } = this
    const share = this.#share
    this.#postings.walk(termIds, visits, (record, slot) => {
      const known = words[record]
      if ((known & bit) !== 0 || (known === 0 && !mayOpen)) return
      words[record] = known | bit
      if (known === 0) this.#open(record)
      const held = share[record] + rarity
      share[record] = held
      if (held > this.#most) this.#most = held
      worth[record] = worth[record] + rarity * SLOT_WEIGHT[slot]
    })
  }

  /** Words missing in a candidate count a little if codes above it have them, or subheadings of a heading do. */
  #addContext(words: readonly QueryWord[]): void {
    this.#openHeadings()
    const all = 2 ** words.length - 1
    const whole = totalRarity(words)
    const least = this.#most * KEPT_SHARE - ROUNDING
    // by set of words: many records are given the same few
    const rarityOf = new Map<number, number>()
    for (const record of this.#opened) {
      const own = this.words[record]
      if (own === all) continue
      const share = this.#share[record]
      // could not reach the minimum even with all missing words
      if (share + (whole - share) * CONTEXT_SHARE < least) continue
      let around = this.#wordsBelow[record]
      for (let up = this.#parent[record]; up >= 0; up = this.#parent[up]) around |= this.words[up]
      const added = around & ~own
      if (added === 0) continue
      const rarity = rarityOf.get(added) ?? totalRarity(words.filter((_, i) => (added & (1 << i)) !== 0))
      rarityOf.set(added, rarity)
      this.#share[record] = share + rarity * CONTEXT_SHARE
      this.worth[record] = this.worth[record] + rarity * CONTEXT_WEIGHT
    }
  }

  #openHeadings(): void {
    const count = this.#opened.length
    for (let i = 0; i < count; i++) {
      const record = this.#opened[i]
      const heading = this.#parent[record]
      if (this.#level[record] !== SUBHEADING_DIGITS || heading < 0) continue
      const said = this.#wordsBelow[heading]
      if (said === 0 && this.words[heading] === 0) this.#open(heading)
      this.#wordsBelow[heading] = said | this.words[record]
    }
  }

  #open(record: number): void {
    this.#opened.push(record)
    this.#share[record] = 0
    this.worth[record] = 0
  }

  /** Keeps the candidates above the minimum share and scores them. */
  #keep(words: readonly QueryWord[]): Gathered {
    const gathered: Gathered = { full: [], partial: [] }
    const needed = neededWords(words)
    const whole = totalRarity(words)
    let most = 0
    for (const record of this.#opened) most = Math.max(most, this.#share[record])
    for (const record of this.#opened) {
      const share = this.#share[record]
      // a record that is dropped keeps its words, but lends no score of an earlier query
      this.score[record] = 0
      if (share < most * KEPT_SHARE - ROUNDING) continue
      const own = this.worth[record] * (share / whole)
      this.worth[record] = own
      this.score[record] = own * this.#evidence.factor(record)
      const isFull = (this.words[record] & needed) === needed
      ;(isFull ? gathered.full : gathered.partial).push(record)
    }
    return gathered
  }

  /** Lists a material's catch-all heading: "mouse mats, plastic" is an article of plastics even if no record names mouse mats. */
  #addMaterials(words: readonly QueryWord[], { full, partial }: Gathered): void {
    const materials = new Set<number>()
    for (const { termIds } of words)
      for (const termId of termIds) {
        const heading = this.#headingOfMaterial.get(termId)
        if (heading !== undefined) materials.add(heading)
      }
    if (materials.size === 0) return
    const best = this.#highest(partial) || this.#highest(full)
    for (const heading of materials) {
      if (full.includes(heading)) continue
      const known = partial.includes(heading) ? this.score[heading] : 0
      if (known === 0) {
        partial.push(heading)
        this.worth[heading] = 0
      }
      this.score[heading] = Math.max(known, best * MATERIAL_SHARE)
    }
  }

  #highest(records: readonly number[]): number {
    let highest = 0
    for (const record of records) highest = Math.max(highest, this.score[record])
    return highest
  }
}

/** Total rarity of a query. */
function totalRarity(words: readonly QueryWord[]): number {
  return words.reduce((sum, { rarity }) => sum + rarity, 0)
}
