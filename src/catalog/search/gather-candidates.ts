/** Stage 3. Query words → the records that have enough of them, with what that is worth. */
import type { Columns } from '../../snapshot/schema.js'
import { neededWords, type QueryWord } from './find-terms.js'
import type { HeadingEvidence } from './heading-evidence.js'
import type { Postings } from './postings.js'
import type { Steps } from './steps.js'
import { CONTEXT_SHARE, CONTEXT_WEIGHT, KEPT_SHARE, MATERIAL_SHARE, SLOT_WEIGHT } from './weights.js'

const SUBHEADING_DIGITS = 6
/** Sums of the same numbers in another order may differ in the last digit. */
const ROUNDING = 1e-9

/** Record numbers, those that say every word apart from those that say some, in no order. */
export interface Gathered {
  full: number[]
  partial: number[]
}

type GatherColumns = Pick<Columns, 'level' | 'parent' | 'materialTerm' | 'materialRecord'>

export class CandidateGatherer {
  /** By record, valid for those that were gathered: what the candidate is worth. */
  readonly score: Float64Array
  /** By record: the same without what its heading adds. */
  readonly worth: Float64Array
  /** By record: the set of words that it says itself, bit i for word i; 0 for no candidate. */
  readonly words: Uint32Array
  /** By record: how much of the query it holds, in rarities. */
  readonly #share: Float64Array
  /** By heading: the set of words that its subheadings say; 0 for all others. */
  readonly #wordsBelow: Uint32Array
  /** All records that `words` or `#wordsBelow` is not 0 for. */
  readonly #opened: number[] = []
  /** The most that any candidate holds so far. */
  #most = 0
  readonly #postings: Postings
  readonly #evidence: HeadingEvidence
  readonly #steps: Steps
  readonly #level: Uint8Array
  readonly #parent: Int32Array
  /** The heading that takes what is made of a material, by the term that names it. */
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
    // the most telling words first: where steps run out, the common ones are left out
    const order = words.map((_, i) => i).sort((a, b) => rarityAt(words, b) - rarityAt(words, a))
    let left = wholeOf(words)
    for (const i of order) {
      // a record without the words so far cannot hold more than is left
      this.#add(words[i], i, left >= this.#most * KEPT_SHARE)
      left -= rarityAt(words, i)
    }
    this.#addContext(words)
    const gathered = this.#keep(words)
    if (words.length > 1) this.#addMaterials(words, gathered)
    return gathered
  }

  /** At the start of a query, so that one that failed leaves nothing behind. */
  #clear(): void {
    for (const record of this.#opened) {
      this.words[record] = 0
      this.#wordsBelow[record] = 0
    }
    this.#opened.length = 0
    this.#most = 0
  }

  /** Adds to every record that has a word what it is worth in the best slot. */
  #add({ termIds, rarity, postings }: QueryWord, i: number, mayOpen: boolean): void {
    // the first word leads to the candidates: of too long a list the best slots are read
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

  /** What the codes above a candidate say, and the subheadings of a heading, counts for the words that it does not say itself. */
  #addContext(words: readonly QueryWord[]): void {
    this.#openHeadings()
    const all = 2 ** words.length - 1
    const whole = wholeOf(words)
    const least = this.#most * KEPT_SHARE - ROUNDING
    for (const record of this.#opened) {
      const own = this.words[record]
      if (own === all) continue
      const share = this.#share[record]
      // too little to be kept even if the codes around it say all the rest
      if (share + (whole - share) * CONTEXT_SHARE < least) continue
      let around = this.#wordsBelow[record]
      for (let up = this.#parent[record]; up >= 0; up = this.#parent[up]) around |= this.words[up]
      const added = around & ~own
      for (let i = 0; added !== 0 && i < words.length; i++) {
        if ((added & (1 << i)) === 0) continue
        const { rarity } = words[i]
        this.#share[record] = this.#share[record] + rarity * CONTEXT_SHARE
        this.worth[record] = this.worth[record] + rarity * CONTEXT_WEIGHT
      }
    }
  }

  /** Opens the headings of all subheadings that were found. */
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

  /** Keeps the candidates that hold enough of the query, and weighs them by that and by their headings. */
  #keep(words: readonly QueryWord[]): Gathered {
    const gathered: Gathered = { full: [], partial: [] }
    const needed = neededWords(words)
    const whole = wholeOf(words)
    let most = 0
    for (const record of this.#opened) most = Math.max(most, this.#share[record])
    for (const record of this.#opened) {
      const share = this.#share[record]
      if (share < most * KEPT_SHARE - ROUNDING) continue
      const own = this.worth[record] * (share / whole)
      this.worth[record] = own
      this.score[record] = own * this.#evidence.factor(record)
      const isFull = (this.words[record] & needed) === needed
      ;(isFull ? gathered.full : gathered.partial).push(record)
    }
    return gathered
  }

  /**
   * "Mouse mats, plastic" may stand in no phrase and is still an article of plastics: the heading that takes what is made
   * of a material and has none of its own is listed with the best of the partial matches.
   */
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
      if (known === 0) partial.push(heading)
      this.score[heading] = Math.max(known, best * MATERIAL_SHARE)
    }
  }

  #highest(records: readonly number[]): number {
    let highest = 0
    for (const record of records) highest = Math.max(highest, this.score[record])
    return highest
  }
}

/** All that a query asks for, in rarities. */
function wholeOf(words: readonly QueryWord[]): number {
  return words.reduce((sum, { rarity }) => sum + rarity, 0)
}

function rarityAt(words: readonly QueryWord[], i: number): number {
  return words[i].rarity
}
