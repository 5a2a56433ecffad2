/** Everything known about the codes, in memory and read-only. No I/O, no HTTP. */
import type { SnapshotMeta } from '../snapshot/format.js'
import type { Snapshot } from '../snapshot/load.js'
import { Records } from './records.js'
import { Search } from './search.js'
import { parseRate, type Scaled } from './tariff.js'
import { Trie } from './trie.js'

export class Catalog {
  readonly meta: SnapshotMeta
  readonly trie: Trie
  readonly search: Search
  readonly records: Records
  readonly active: Uint8Array
  readonly level: Uint8Array
  readonly firstChild: Uint32Array
  readonly childCount: Uint32Array
  /** The distinct duty rates, as `meta.rates` spells them. */
  readonly rates: readonly Scaled[]
  readonly vatRate: Scaled
  readonly #rate: Uint16Array

  constructor(snapshot: Snapshot) {
    const { columns, meta } = snapshot
    this.meta = meta
    this.records = new Records(columns)
    this.active = columns.active
    this.level = columns.level
    this.firstChild = columns.firstChild
    this.childCount = columns.childCount
    this.rates = meta.rates.map(parseRate)
    this.vatRate = parseRate(meta.vatRate)
    this.#rate = columns.rate
    this.trie = new Trie(columns)
    this.search = new Search(snapshot)
  }

  /** Position of the record's rate in `rates`. */
  rateIndex(record: number): number {
    return this.#rate[record] as number
  }
}
