import { recordText } from '../answers/records.js'
import type { Catalog } from '../catalog/catalog.js'
import type { CountryView } from '../catalog/countries.js'
import type { HsRecord } from './values.js'

/** Frozen record objects, created on first use. */
export class RecordValues {
  /** By record number, which bounds its size. */
  readonly #made: HsRecord[] = []

  constructor(private readonly catalog: Catalog) {}

  of(record: number, view?: CountryView): HsRecord {
    // records of a country are not cached, which would take the same memory again for each list
    if (view !== undefined) return this.#make(record, view)
    this.#made[record] ??= this.#make(record)
    return this.#made[record]
  }

  list(records: ArrayLike<number>, view?: CountryView): readonly HsRecord[] {
    return Object.freeze(Array.from(records, record => this.of(record, view)))
  }

  #make(record: number, view?: CountryView): HsRecord {
    const made: HsRecord = JSON.parse(recordText(this.catalog, record, view))
    Object.freeze(made.description)
    return Object.freeze(made)
  }
}
