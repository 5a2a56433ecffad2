import type { Catalog } from '../../catalog/catalog.js'
import type { HttpRequest } from '../../engines/engine.js'
import { decodeIfValid, readPathCode, readQueryText } from '../../engines/request.js'
import { LOOKUP_INCLUDES } from '../../limits.js'
import { lookup } from '../../questions/codes.js'
import { Refusal } from '../../questions/refusal.js'
import type { CachedBody } from '../../responses/head.js'
import type { Responder } from '../../responses/respond.js'
import { Query } from '../query.js'
import { putRecord } from '../record-list.js'

/** Enough for the shipped dataset; bounds memory for a larger one. */
const CACHED_MAX = 32_768

export class LookupHandler {
  readonly #catalog: Catalog
  readonly #query = new Query(['include'])
  readonly #cached: (CachedBody | undefined)[]
  #cachedCount = 0

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.#cached = new Array(catalog.meta.records).fill(undefined)
  }

  handle(req: HttpRequest, out: Responder): void {
    const query = readQueryText(req)
    if (query !== '' && this.#handleInclude(req, out, query)) return
    const record = this.#find(req)
    if (record instanceof Refusal) return out.refuse(record)
    const cached = this.#cached[record]
    if (cached !== undefined) out.endCached(cached)
    else if (this.#cachedCount < CACHED_MAX) out.endCached(this.#cache(record, out))
    else out.openData().put(this.#catalog.records.bytes(record)).endRecord()
  }

  #find(req: HttpRequest): number | Refusal {
    const code = readPathCode(req)
    const record = lookup(this.#catalog, code)
    if (typeof record === 'number' || record.name !== 'invalidCode') return record
    return lookup(this.#catalog, decodeIfValid(code))
  }

  /** False without an `include`. */
  #handleInclude(req: HttpRequest, out: Responder, queryText: string): boolean {
    const query = this.#query.read(queryText)
    const include = query.include(LOOKUP_INCLUDES)
    if (include === undefined && query.refusal === undefined) return false
    const record = query.refusal ?? this.#find(req)
    if (record instanceof Refusal) out.refuse(record)
    else {
      out.openData()
      putRecord(out, this.#catalog, record, include)
      out.endRecord()
    }
    return true
  }

  #cache(record: number, out: Responder): CachedBody {
    const cached = out.cache(this.#catalog.records.bytes(record))
    this.#cached[record] = cached
    this.#cachedCount++
    return cached
  }
}
