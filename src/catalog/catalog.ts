/** Everything known about the codes, in memory and read-only. No I/O, no HTTP. */
import type { Columns } from '../snapshot/columns.js'
import type { SnapshotMeta } from '../snapshot/format.js'
import type { Snapshot } from '../snapshot/load.js'
import { Search } from './search.js'
import { Trie } from './trie.js'

export class Catalog {
  readonly meta: SnapshotMeta
  readonly trie: Trie
  readonly search: Search
  /** Rendered records; see build/render.ts for the layout. */
  readonly arena: Uint8Array
  readonly offset: Uint32Array
  readonly headBytes: Uint16Array
  readonly englishBytes: Uint16Array
  readonly active: Uint8Array
  readonly level: Uint8Array
  readonly firstChild: Uint32Array
  readonly childCount: Uint32Array
  readonly #rate: Uint16Array

  constructor(snapshot: Snapshot) {
    const columns: Columns = snapshot.columns
    this.meta = snapshot.meta
    this.arena = columns.arena as Uint8Array
    this.offset = columns.offset as Uint32Array
    this.headBytes = columns.headBytes as Uint16Array
    this.englishBytes = columns.englishBytes as Uint16Array
    this.active = columns.active as Uint8Array
    this.level = columns.level as Uint8Array
    this.firstChild = columns.firstChild as Uint32Array
    this.childCount = columns.childCount as Uint32Array
    this.#rate = columns.rate as Uint16Array
    this.trie = new Trie(columns)
    this.search = new Search(snapshot)
  }

  /** A record as rendered. */
  recordBytes(record: number): Uint8Array {
    return this.arena.subarray(this.offset[record] as number, (this.offset[record + 1] as number) - 1)
  }

  /** Position of the record's rate in `meta.rates`. */
  rateIndex(record: number): number {
    return this.#rate[record] as number
  }

  /** Off the hot path: the digits of a record, read back from its rendered bytes. */
  codeText(record: number): string {
    const start = (this.offset[record] as number) + '{"hs_code":"'.length
    let code = ''
    for (let i = 0; i < (this.level[record] as number); i++)
      code += String.fromCharCode(this.arena[start + i] as number)
    return code
  }
}
