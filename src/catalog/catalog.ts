/** Everything known about the codes, in memory and read-only. No I/O, no HTTP. */

import type { Snapshot } from '../snapshot/decode.js'
import type { RateSource, Section, SnapshotMeta } from '../snapshot/format.js'
import { Stemmer } from '../text/terms.js'
import { Editions, SUBHEADING_DIGITS } from './editions.js'
import { Lines } from './lines.js'
import { Records } from './records.js'
import { Search } from './search/search.js'
import { Steps } from './search/steps.js'
import { Vocabulary } from './search/vocabulary.js'
import { Suggest } from './suggest.js'
import { parseRate, type Scaled } from './tariff.js'
import { Trie } from './trie.js'

/** Where a record's rate comes from. */
export interface RateOrigin {
  /** The code that the rate is written on: the record's own or one above it. */
  from: string
  /** Undefined where the dataset does not tell. */
  told: RateSource | undefined
}

export class Catalog {
  /** Tells one snapshot from another. */
  readonly id: string
  readonly meta: SnapshotMeta
  readonly trie: Trie
  readonly search: Search
  readonly suggest: Suggest
  /** Words as the dataset reads them. */
  readonly stemmer: Stemmer
  readonly records: Records
  readonly lines: Lines
  readonly editions: Editions
  readonly active: Uint8Array
  readonly level: Uint8Array
  /** The record above, or -1. */
  readonly parent: Int32Array
  readonly firstChild: Uint32Array
  readonly childCount: Uint32Array
  /** The distinct duty rates, as `meta.rates` spells them. */
  readonly rates: readonly Scaled[]
  readonly vatRate: Scaled
  /** Position in `rates` of the lowest and the highest rate of the lines at or below a record. */
  readonly rateLow: Uint16Array
  readonly rateHigh: Uint16Array
  /** The record whose words one repeats; its own unless it was added by padding. */
  readonly source: Uint32Array
  readonly #rate: Uint16Array
  readonly #rateDigits: Uint8Array
  readonly #rateSource: Uint16Array
  readonly #depthMax: number
  readonly #sectionOf: ReadonlyMap<string, Section>

  constructor(snapshot: Snapshot) {
    const { columns, meta } = snapshot
    this.id = snapshot.id
    this.meta = meta
    this.records = new Records(columns)
    this.active = columns.active
    this.level = columns.level
    this.parent = columns.parent
    this.firstChild = columns.firstChild
    this.childCount = columns.childCount
    this.rates = meta.rates.map(parseRate)
    this.vatRate = parseRate(meta.vatRate)
    this.rateLow = columns.rateLow
    this.rateHigh = columns.rateHigh
    this.source = columns.source
    this.#rate = columns.rate
    this.#rateDigits = columns.rateDigits
    this.#rateSource = columns.rateSource
    this.#depthMax = new Set(columns.level).size
    this.#sectionOf = new Map(meta.sections.flatMap(section => section.chapters.map(chapter => [chapter, section] as const)))
    this.trie = new Trie(columns)
    this.lines = new Lines(columns, meta.lineDigits)
    this.editions = new Editions(columns, meta.editions, this.trie)
    const steps = new Steps()
    this.stemmer = new Stemmer(meta.words)
    const vocabulary = new Vocabulary(snapshot.vocabulary, this.stemmer, steps)
    this.suggest = new Suggest(snapshot, vocabulary, this.stemmer, steps)
    this.search = new Search(snapshot, vocabulary, this.stemmer, this.suggest, steps)
  }

  /** Position of the record's rate in `rates`. */
  rateIndex(record: number): number {
    return this.#rate[record]
  }

  /** The record's duty rate in percent, as the dataset spells it. */
  rateText(record: number): string {
    return this.meta.rates[this.rateIndex(record)]
  }

  /** Whether it was added by padding and repeats another's words. */
  isPadded(record: number): boolean {
    return this.source[record] !== record
  }

  /** How many of a record's digits its rate is written on, and the place of its source, counted from 1; 0 is none. */
  rateMark(record: number): { rateDigits: number; rateSource: number } {
    return {
      rateDigits: this.#rateDigits[record],
      rateSource: this.#rateSource[record],
    }
  }

  /** The records above, from the parent up to the chapter, put into a list of the caller's. */
  above(record: number, into: number[] = []): number[] {
    into.length = 0
    for (let at = this.parent[record]; at >= 0; at = this.parent[at]) into.push(at)
    return into
  }

  /** The record of a code's first six digits; -1 for a shorter code, and where there is none. */
  subheadingOf(record: number): number {
    let at = record
    while (at >= 0 && this.level[at] > SUBHEADING_DIGITS) at = this.parent[at]
    return at >= 0 && this.level[at] === SUBHEADING_DIGITS ? at : -1
  }

  /** What a code, or its first six digits, was in an earlier edition; none of a shorter code. */
  earlierCodes(record: number, year: string): readonly string[] {
    const subheading = this.subheadingOf(record)
    return subheading < 0 ? [] : this.editions.sources(year, subheading, this.records.code(subheading))
  }

  /** How many codes stand above another at most. */
  get depthMax(): number {
    return this.#depthMax
  }

  /** Off the hot path. */
  rateOf(record: number): RateOrigin {
    const from = this.records.code(record).slice(0, this.#rateDigits[record])
    return { from, told: this.meta.rateSources[this.#rateSource[record] - 1] }
  }

  /** The sections in the nomenclature's order; none where the dataset does not tell them. */
  get sections(): readonly Section[] {
    return this.meta.sections
  }

  /** The section of a chapter; undefined for one that stands in none. */
  sectionOf(chapter: string): Section | undefined {
    return this.#sectionOf.get(chapter)
  }
}
