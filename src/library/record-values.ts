import type { Catalog } from '../catalog/catalog.js'
import type { HsRecord } from './values.js'

/** Frozen record objects, created on first use. */
export class RecordValues {
  /** By record number, which bounds its size. */
  readonly #made: HsRecord[] = []

  constructor(private readonly catalog: Catalog) {}

  of(record: number): HsRecord {
    this.#made[record] ??= this.#make(record)
    return this.#made[record]
  }

  list(records: ArrayLike<number>): readonly HsRecord[] {
    return Object.freeze(Array.from(records, record => this.of(record)))
  }

  #make(record: number): HsRecord {
    const made: HsRecord = JSON.parse(this.catalog.records.text(record))
    Object.freeze(made.description)
    return Object.freeze(made)
  }
}
