/** Records as frozen objects, made when first asked for and given again from then on. */
import type { Catalog } from '../catalog/catalog.js'
import { parentId } from '../hs-code.js'
import type { HsRecord } from './values.js'

export class RecordValues {
  readonly #catalog: Catalog
  readonly #rates: readonly number[]
  /** By record number, so that it is never longer than the dataset. */
  readonly #made: (HsRecord | undefined)[]

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.#rates = catalog.meta.rates.map(Number)
    this.#made = new Array(catalog.meta.records)
  }

  of(record: number): HsRecord {
    const known = this.#made[record]
    if (known !== undefined) return known
    const made = this.#make(record)
    this.#made[record] = made
    return made
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
      // a parent is the beginning of its children
      parent_id: above < 0 ? null : parentId(code.slice(0, level[above])),
      tariff_rate: this.#rates[this.#catalog.rateIndex(record)],
      is_active: active[record] === 1,
    })
  }
}
