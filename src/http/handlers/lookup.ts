import type { Catalog } from '../../catalog/catalog.js'
import { lookup } from '../../questions/lookup.js'
import type { HttpRequest } from '../engine.js'
import type { KeptBody } from '../kept.js'
import { decodePathCode, readPathCode } from '../request.js'
import type { Responder } from '../respond.js'

/** All of the shipped dataset; of a larger one, memory for no more. */
const KEPT_MAX = 32_768

export class LookupHandler {
  readonly #catalog: Catalog
  /** Bodies by record, made when first asked for; what is asked for most comes early. */
  readonly #kept: (KeptBody | undefined)[]
  #keptCount = 0

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.#kept = new Array(catalog.meta.records).fill(undefined)
  }

  handle(req: HttpRequest, out: Responder): void {
    const code = readPathCode(req)
    let record = lookup(this.#catalog, code)
    if (typeof record !== 'number') {
      if (record.name === 'invalidCode') record = lookup(this.#catalog, decodePathCode(code))
      if (typeof record !== 'number') return out.refuse(record)
    }
    const kept = this.#kept[record]
    if (kept !== undefined) out.endKept(kept)
    else if (this.#keptCount < KEPT_MAX) out.endKept(this.#keep(record, out))
    else out.openData().put(this.#catalog.records.bytes(record)).endRecord()
  }

  #keep(record: number, out: Responder): KeptBody {
    const kept = out.keep(this.#catalog.records.bytes(record))
    this.#kept[record] = kept
    this.#keptCount++
    return kept
  }
}
