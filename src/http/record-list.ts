/** Writes records, with the fields of `include` if requested. */
import type { Catalog } from '../catalog/catalog.js'
import { PAGE_LIMIT_MAX } from '../limits.js'
import type { Include } from '../questions/include.js'
import { CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACKET } from '../responses/body-writer.js'
import type { Responder } from '../responses/respond.js'
import { Extras } from './extras.js'

/** An upper bound. */
export const ENVELOPE_BYTES = 4096

export class RecordList {
  readonly #catalog: Catalog
  readonly #extras: Extras

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.#extras = new Extras(catalog)
  }

  /** Must precede any writing. */
  reserve(out: Responder, include: Include | undefined, count = PAGE_LIMIT_MAX, moreBytes = 0): void {
    const more = include === undefined ? 0 : this.#extras.bytesMax(include)
    out.reserve(count * (this.#catalog.meta.recordBytesMax + more) + moreBytes + ENVELOPE_BYTES)
  }

  putRecord(out: Responder, record: number, include?: Include): void {
    const { records } = this.#catalog
    if (include === undefined) return void out.part(records.arena, records.start(record), records.end(record))
    out.part(records.arena, records.start(record), records.end(record) - 1)
    this.#extras.put(out, record, include)
    out.byte(CLOSE_BRACE)
  }

  putExtras(out: Responder, record: number, include: Include): void {
    this.#extras.put(out, record, include)
  }

  put(out: Responder, found: Uint32Array, include?: Include): void {
    out.byte(OPEN_BRACKET)
    for (let i = 0; i < found.length; i++) {
      if (i > 0) out.byte(COMMA)
      this.putRecord(out, found[i], include)
    }
    out.byte(CLOSE_BRACKET)
  }

  /** Neighbouring records are stored as a list already. */
  putRange(out: Responder, first: number, count: number, include?: Include): void {
    const { records } = this.#catalog
    out.byte(OPEN_BRACKET)
    if (include === undefined) {
      if (count > 0) out.part(records.arena, records.start(first), records.end(first + count - 1))
    } else {
      for (let record = first; record < first + count; record++) {
        if (record > first) out.byte(COMMA)
        this.putRecord(out, record, include)
      }
    }
    out.byte(CLOSE_BRACKET)
  }
}
