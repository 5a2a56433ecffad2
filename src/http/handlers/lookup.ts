import type { Catalog } from '../../catalog/catalog.js'
import type { HttpRequest } from '../../engines/engine.js'
import { decodePathCode, readPathCode, readQueryText } from '../../engines/request.js'
import { lookup } from '../../questions/lookup.js'
import { Refusal } from '../../questions/refusal.js'
import type { KeptBody } from '../../responses/kept.js'
import type { Responder } from '../../responses/respond.js'
import { includeParameter } from '../parameters.js'
import { Query } from '../query.js'
import { RecordList } from '../record-list.js'

/** All of the shipped dataset; of a larger one, memory for no more. */
const KEPT_MAX = 32_768

export class LookupHandler {
  readonly #catalog: Catalog
  readonly #list: RecordList
  readonly #query = new Query(['include'])
  /** Bodies by record, made when first asked for; what is asked for most comes early. */
  readonly #kept: (KeptBody | undefined)[]
  #keptCount = 0

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.#list = new RecordList(catalog)
    this.#kept = new Array(catalog.meta.records).fill(undefined)
  }

  handle(req: HttpRequest, out: Responder): void {
    const query = readQueryText(req)
    if (query !== '' && this.#handleInclude(req, out, query)) return
    const record = this.#find(req)
    if (record instanceof Refusal) return out.refuse(record)
    const kept = this.#kept[record]
    if (kept !== undefined) out.endKept(kept)
    else if (this.#keptCount < KEPT_MAX) out.endKept(this.#keep(record, out))
    else out.openData().put(this.#catalog.records.bytes(record)).endRecord()
  }

  #find(req: HttpRequest): number | Refusal {
    const code = readPathCode(req)
    const record = lookup(this.#catalog, code)
    if (typeof record === 'number' || record.name !== 'invalidCode') return record
    return lookup(this.#catalog, decodePathCode(code))
  }

  /** False where nothing is asked for besides. */
  #handleInclude(req: HttpRequest, out: Responder, queryText: string): boolean {
    const include = includeParameter(this.#query.read(queryText))
    if (include === undefined) return false
    const record = include instanceof Refusal ? include : this.#find(req)
    if (include instanceof Refusal || record instanceof Refusal) {
      out.refuse(record as Refusal)
      return true
    }
    this.#list.makeRoom(out, include, 1)
    out.openData()
    this.#list.putRecord(out, record, include)
    out.endRecord()
    return true
  }

  #keep(record: number, out: Responder): KeptBody {
    const kept = out.keep(this.#catalog.records.bytes(record))
    this.#kept[record] = kept
    this.#keptCount++
    return kept
  }
}
