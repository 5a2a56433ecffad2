import type { Catalog } from '../../catalog/catalog.js'
import { findRecord } from '../codes.js'
import { readPathCode } from '../request.js'
import type { KeptBody, Responder } from '../respond.js'
import type { HttpRequest } from '../uws.js'

export class LookupHandler {
  readonly #catalog: Catalog
  /** Bodies by record, made when first asked for; at most one a record. */
  readonly #kept: (KeptBody | undefined)[]

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.#kept = new Array(catalog.meta.records).fill(undefined)
  }

  handle(req: HttpRequest, out: Responder): void {
    const record = findRecord(this.#catalog, out, readPathCode(req))
    if (record < 0) return
    let kept = this.#kept[record]
    if (kept === undefined) {
      kept = out.keep(this.#catalog.recordBytes(record))
      this.#kept[record] = kept
    }
    out.endKept(kept)
  }
}
