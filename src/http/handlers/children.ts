import type { Catalog } from '../../catalog/catalog.js'
import type { HttpRequest } from '../../engines/engine.js'
import { readQueryText } from '../../engines/request.js'
import { RECORD_FIELDS } from '../../limits.js'
import { children } from '../../questions/children.js'
import { Refusal } from '../../questions/refusal.js'
import { CLOSE_BRACKET, OPEN_BRACKET } from '../../responses/body-writer.js'
import type { Responder } from '../../responses/respond.js'
import { askByPathCode } from '../path-code.js'
import { COUNTRY_PARAMETERS, Query } from '../query.js'
import { putRecords } from '../record-list.js'

type PutRecords = (out: Responder, first: number, count: number) => void

const PAGE_PARAMETERS = ['limit', 'offset']

export class ChildrenHandler {
  readonly #catalog: Catalog
  readonly #query = new Query([...PAGE_PARAMETERS, 'include', 'short_max', 'fields', ...COUNTRY_PARAMETERS])

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  handle(req: HttpRequest, out: Responder): void {
    const query = this.#query.read(readQueryText(req))
    const limit = query.integer('limit')
    const offset = query.integer('offset')
    const isPlain = this.#catalog.defaultView === undefined && !query.hasAnyFrom(PAGE_PARAMETERS.length)
    const put = isPlain ? this.#putRange : this.#putChosen(query)
    if (query.refusal !== undefined) return out.refuse(query.refusal)
    const page = askByPathCode(req, code => children(this.#catalog, code, limit, offset))
    if (page instanceof Refusal) return out.refuse(page)
    out.openData()
    put(out, page.first, page.count)
    out.endPage(page.total, page.limit, page.offset, page.count)
  }

  #putChosen(query: Query): PutRecords {
    const include = query.include()
    const fields = query.names('fields', RECORD_FIELDS)
    const view = query.country(this.#catalog)
    if (include === undefined && fields === undefined && view === undefined) return this.#putRange
    return (out, first, count) => {
      const found = Array.from({ length: count }, (_, i) => first + i)
      putRecords(out, this.#catalog, found, include, view, fields)
    }
  }

  /** Consecutive records are already stored as a list. */
  readonly #putRange: PutRecords = (out, first, count) => {
    const { records } = this.#catalog
    out.byte(OPEN_BRACKET)
    if (count > 0) out.part(records.arena, records.start(first), records.end(first + count - 1))
    out.byte(CLOSE_BRACKET)
  }
}
