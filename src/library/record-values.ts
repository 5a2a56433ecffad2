/** Frozen record objects, created on first use. */
import type { Catalog } from '../catalog/catalog.js'
import { parentId } from '../hs-code.js'
import type { HsRecord } from './values.js'

export class RecordValues {
  readonly #catalog: Catalog
  readonly #rates: readonly number[]
  /** By record number, which bounds its size. */
  readonly #made: (HsRecord | undefined)[]

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.#rates = catalog.meta.rates.map(Number)
    this.#made = new Array(catalog.meta.records)
  }

  of(record: number): HsRecord {
    this.#made[record] ??= this.#make(record)
    return this.#made[record]
  }

  list(records: ArrayLike<number>): readonly HsRecord[] {
    return Object.freeze(Array.from(records, record => this.of(record)))
  }

  #make(record: number): HsRecord {
    const { records, level, parent, active } = this.#catalog
    const above = parent[record]
    const { code, en, ar } = records.head(record)
    return Object.freeze({
      hs_code: code,
      description: Object.freeze({ en, ar }),
      level: code.length,
      // a parent's code is a prefix of its children's
      parent_id: above < 0 ? null : parentId(code.slice(0, level[above])),
      tariff_rate: this.#rates[this.#catalog.rateIndex(record)],
      is_active: active[record] === 1,
    })
  }
}
