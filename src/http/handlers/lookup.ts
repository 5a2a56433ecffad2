import type { Catalog } from '../../catalog/catalog.js'
import { Codes } from '../codes.js'
import type { KeptBody, Responder } from '../respond.js'
import type { HttpRequest } from '../uws.js'

/** All of the shipped dataset; of a larger one, memory for no more. */
const KEPT_MAX = 32_768

export class LookupHandler {
  readonly #catalog: Catalog
  readonly #codes: Codes
  /** Bodies by record, made when first asked for; what is asked for most comes early. */
  readonly #kept: (KeptBody | undefined)[]
  #keptCount = 0

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.#codes = new Codes(catalog)
    this.#kept = new Array(catalog.meta.records).fill(undefined)
  }

  handle(req: HttpRequest, out: Responder): void {
    const record = this.#codes.findInPath(req, out)
    if (record < 0) return
    const kept = this.#kept[record]
    if (kept !== undefined) out.endKept(kept)
    else if (this.#keptCount < KEPT_MAX) out.endKept(this.#keep(record, out))
    else out.openData().put(this.#catalog.recordBytes(record)).endRecord()
  }

  #keep(record: number, out: Responder): KeptBody {
    const kept = out.keep(this.#catalog.recordBytes(record))
    this.#kept[record] = kept
    this.#keptCount++
    return kept
  }
}
