import { recordText } from '../answers/records.js'
import type { Catalog } from '../catalog/catalog.js'
import type { CountryView } from '../catalog/countries.js'
import type { HsRecord } from './values.js'

/** Frozen record objects, created on first use. */
export class RecordValues {
  /** By record number; has at most one object for each record. */
  readonly #cached: HsRecord[] = []

  constructor(private readonly catalog: Catalog) {}

  of(record: number, view?: CountryView): HsRecord {
    // not cached for a country, because each list would take as much memory again
    if (view !== undefined) return this.#make(record, view)
    this.#cached[record] ??= this.#make(record)
    return this.#cached[record]
  }

  list(records: ArrayLike<number>, view?: CountryView): readonly HsRecord[] {
    return Object.freeze(Array.from(records, record => this.of(record, view)))
  }

  #make(record: number, view?: CountryView): HsRecord {
    const value: HsRecord = JSON.parse(recordText(this.catalog, record, view))
    Object.freeze(value.description)
    return Object.freeze(value)
  }
}
