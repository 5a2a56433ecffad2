/** All data of one snapshot, in memory and read-only. No I/O, no HTTP. */

import { SUBHEADING_DIGITS } from '../codes/levels.js'
import type { Snapshot } from '../snapshot/decode.js'
import type { EstimateNote, RateSource, SnapshotMeta, Unit } from '../snapshot/format.js'
import { Stemmer } from '../text/terms.js'
import { recordsAbove } from './above.js'
import { parseRate, type Scaled } from './amount.js'
import { Changes } from './changes.js'
import { Classifier } from './classify/classifier.js'
import { Controls } from './controls.js'
import { Countries, type CountryView } from './countries.js'
import { Currencies, decimalsOf } from './currencies.js'
import type { Decisions } from './decisions.js'
import { Editions } from './editions.js'
import { Lines } from './lines.js'
import { Names } from './names.js'
import { NextEdition } from './next-edition.js'
import { Notes } from './notes.js'
import { Pointers } from './pointers.js'
import { Records } from './records.js'
import { Search } from './search/search.js'
import { Steps } from './search/steps.js'
import { Vocabulary } from './search/vocabulary.js'
import { ShortNames } from './short-names.js'
import { Suggest } from './suggest.js'
import { Trie } from './trie.js'

export class Catalog {
  readonly id: string
  readonly meta: SnapshotMeta
  readonly trie: Trie
  readonly search: Search
  readonly suggest: Suggest
  readonly names: Names
  readonly shortNames: ShortNames
  readonly stemmer: Stemmer
  readonly records: Records
  readonly lines: Lines
  readonly editions: Editions
  readonly nextEdition: NextEdition
  readonly controls: Controls
  readonly notes: Notes
  readonly pointers: Pointers
  readonly changes: Changes
  readonly countries: Countries
  readonly currencies: Currencies
  /** The rates for requests that name no country; undefined if they are the rates of the common tariff. */
  readonly defaultView: CountryView | undefined
  /** A company's own decisions; must be set before the catalog is used. */
  decisions: Decisions | undefined
  readonly active: Uint8Array
  readonly level: Uint8Array
  /** The parent of each record; -1 if a record has none. */
  readonly parent: Int32Array
  readonly firstChild: Uint32Array
  readonly childCount: Uint32Array
  /** The distinct duty rates, parsed from `meta.rates`. */
  readonly rates: readonly Scaled[]
  readonly vatRate: Scaled
  /** The lowest and the highest rate among the lines at or below a record, as indices into `rates`. */
  readonly rateLow: Uint16Array
  readonly rateHigh: Uint16Array
  /** Index into `meta.estimateNotes`. */
  readonly estimateNote: Uint16Array
  /** For a record that padding added, the record whose description it repeats; for any other, the record itself. */
  readonly source: Uint32Array
  /** How many of a record's digits make up the code that sets its rate. */
  readonly rateDigits: Uint8Array
  /** Index into `meta.rateSources`, counted from 1; 0 for none. */
  readonly rateSource: Uint16Array
  readonly #rate: Uint16Array
  readonly #unit: Uint8Array
  readonly #makeClassifier: () => Classifier
  #classifier: Classifier | undefined

  /** `country`: code of the default country, which must be in `meta.countries`; '' for the common tariff. */
  constructor(snapshot: Snapshot, country = '') {
    const { columns, meta } = snapshot
    this.id = snapshot.id
    this.meta = meta
    this.records = new Records(columns, meta.rates)
    this.active = columns.active
    this.level = columns.level
    this.parent = columns.parent
    this.firstChild = columns.firstChild
    this.childCount = columns.childCount
    this.rates = meta.rates.map(parseRate)
    this.vatRate = parseRate(meta.vatRate)
    this.rateLow = columns.rateLow
    this.rateHigh = columns.rateHigh
    this.estimateNote = columns.estimateNote
    this.source = columns.source
    this.#rate = columns.rate
    this.#unit = columns.unit
    this.rateDigits = columns.rateDigits
    this.rateSource = columns.rateSource
    this.trie = new Trie(columns)
    this.lines = new Lines(columns, meta.lineDigits)
    this.editions = new Editions(columns, meta.editions, this.trie)
    this.nextEdition = new NextEdition(columns, meta.nextEdition, this.records)
    this.controls = new Controls(columns, meta.controls)
    this.notes = new Notes(columns, this.records, meta.sections)
    this.pointers = new Pointers(columns)
    this.changes = new Changes(columns, meta.releases)
    this.countries = new Countries({ meta, columns, records: this.records, controls: this.controls })
    this.currencies = new Currencies(meta.countries)
    this.defaultView = this.countries.find(country)?.newest
    const steps = new Steps()
    this.stemmer = new Stemmer(meta.words)
    const vocabulary = new Vocabulary(snapshot.vocabulary, this.stemmer, steps)
    this.suggest = new Suggest(snapshot, vocabulary, this.stemmer, steps)
    this.names = new Names(columns, this.suggest, this.records)
    this.shortNames = new ShortNames(this.records, this.names, this.stemmer)
    this.search = new Search(snapshot, vocabulary, this.stemmer, this.suggest, steps)
    this.#makeClassifier = () => new Classifier(snapshot, this.records, vocabulary, this.stemmer, this.search, this.names)
  }

  /** Created on first use, because most programs never classify. */
  get classifier(): Classifier {
    this.#classifier ??= this.#makeClassifier()
    return this.#classifier
  }

  /**
   * Creates in short steps the objects that are otherwise created on first use. A server takes these steps between requests, so
   * that no request has to wait for them.
   */
  *makeReady(): Generator<void> {
    this.#classifier ??= this.#makeClassifier()
    for (const { currency } of this.meta.countries) {
      yield
      decimalsOf(currency)
    }
  }

  rateIndex(record: number): number {
    return this.#rate[record]
  }

  /** The record's duty rate in percent, as the dataset spells it. */
  rateText(record: number): string {
    return this.meta.rates[this.rateIndex(record)]
  }

  isPadded(record: number): boolean {
    return this.source[record] !== record
  }

  /** Records above a record, from its parent up to the chapter. */
  above(record: number): number[] {
    return recordsAbove(this.parent, record)
  }

  /** The record of a code's first six digits, or -1. */
  subheadingOf(record: number): number {
    let at = record
    while (at >= 0 && this.level[at] > SUBHEADING_DIGITS) at = this.parent[at]
    return at >= 0 && this.level[at] === SUBHEADING_DIGITS ? at : -1
  }

  /** The subheadings of an earlier edition that became the code's first six digits; empty for a shorter code. */
  earlierCodes(record: number, year: string): readonly string[] {
    const subheading = this.subheadingOf(record)
    return subheading < 0 ? [] : this.editions.sources(year, subheading, this.records.code(subheading))
  }

  /** The subheadings that the code's first six digits become in the next edition; empty for a shorter code. */
  laterCodes(record: number): readonly string[] {
    const subheading = this.subheadingOf(record)
    return subheading < 0 ? [] : this.nextEdition.targets(subheading).map(({ hs_code }) => hs_code)
  }

  unitOf(record: number): Unit | undefined {
    return this.meta.units[this.#unit[record] - 1]
  }

  estimateNoteOf(record: number): EstimateNote {
    return this.meta.estimateNotes[this.estimateNote[record]]
  }

  /** The code that sets the rate, and the rate's source if the dataset names one. Not for the hot path. */
  rateOf(record: number): { from: string; source: RateSource | undefined } {
    const from = this.records.code(record).slice(0, this.rateDigits[record])
    return { from, source: this.meta.rateSources[this.rateSource[record] - 1] }
  }
}
