import { recordText } from '../../answers/records.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { CountryView } from '../../catalog/countries.js'
import { bytes } from '../../engines/bytes.js'
import type { HttpRequest } from '../../engines/engine.js'
import { decodeIfValid, readPathCode, readQueryText } from '../../engines/request.js'
import { LOOKUP_INCLUDES } from '../../limits.js'
import { lookup } from '../../questions/codes.js'
import type { Include } from '../../questions/include.js'
import { Refusal } from '../../questions/refusal.js'
import type { CachedBody } from '../../responses/head.js'
import type { Responder } from '../../responses/respond.js'
import { COUNTRY_PARAMETERS, Query } from '../query.js'
import { putRecord } from '../record-list.js'

/** Maximum number of cached answers: enough for the shipped dataset, and a bound for larger ones. */
const CACHED_MAX = 32_768

export class LookupHandler {
  readonly #catalog: Catalog
  readonly #query = new Query(['include', 'short_max', ...COUNTRY_PARAMETERS])
  readonly #cached: (CachedBody | undefined)[]
  #cachedCount = 0

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.#cached = new Array(catalog.meta.records).fill(undefined)
  }

  handle(req: HttpRequest, out: Responder): void {
    const query = readQueryText(req)
    if (query !== '' && this.#handleParameters(req, out, query)) return
    const record = this.#find(req)
    if (record instanceof Refusal) return out.refuse(record)
    const cached = this.#cached[record]
    if (cached !== undefined) out.endCached(cached)
    else if (this.#cachedCount < CACHED_MAX) out.endCached(this.#cache(record, out))
    else this.#put(record, undefined, this.#catalog.defaultView, out)
  }

  #find(req: HttpRequest): number | Refusal {
    const code = readPathCode(req)
    const record = lookup(this.#catalog, code)
    if (typeof record === 'number' || record.name !== 'invalidCode') return record
    return lookup(this.#catalog, decodeIfValid(code))
  }

  /** Returns false if the answer is the same as without parameters. */
  #handleParameters(req: HttpRequest, out: Responder, queryText: string): boolean {
    const query = this.#query.read(queryText)
    const include = query.include(LOOKUP_INCLUDES)
    const view = query.country(this.#catalog)
    if (include === undefined && view === this.#catalog.defaultView && query.refusal === undefined) return false
    const record = query.refusal ?? this.#find(req)
    if (record instanceof Refusal) out.refuse(record)
    else this.#put(record, include && { ...include, day: out.today() }, view, out)
    return true
  }

  #put(record: number, include: Include | undefined, view: CountryView | undefined, out: Responder): void {
    out.openData()
    putRecord(out, this.#catalog, record, include, view)
    out.endRecord()
  }

  #cache(record: number, out: Responder): CachedBody {
    const { records, defaultView } = this.#catalog
    const data = defaultView === undefined ? records.bytes(record) : bytes(recordText(this.#catalog, record, defaultView))
    const cached = out.cache(data)
    this.#cached[record] = cached
    this.#cachedCount++
    return cached
  }
}
