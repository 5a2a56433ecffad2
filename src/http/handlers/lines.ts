import type { Catalog } from '../../catalog/catalog.js'
import type { HttpRequest } from '../../engines/engine.js'
import { readQueryText } from '../../engines/request.js'
import { RECORD_FIELDS } from '../../limits.js'
import { lines } from '../../questions/lines.js'
import { Refusal } from '../../questions/refusal.js'
import type { Responder } from '../../responses/respond.js'
import { askByPathCode } from '../path-code.js'
import { COUNTRY_PARAMETERS, Query } from '../query.js'
import { putRecords } from '../record-list.js'

export class LinesHandler {
  readonly #query = new Query(['digits', 'limit', 'offset', 'include', 'short_max', 'fields', ...COUNTRY_PARAMETERS])

  constructor(private readonly catalog: Catalog) {}

  handle(req: HttpRequest, out: Responder): void {
    const query = this.#query.read(readQueryText(req))
    const digits = query.integer('digits')
    const limit = query.integer('limit')
    const offset = query.integer('offset')
    const include = query.include()
    const fields = query.names('fields', RECORD_FIELDS)
    const view = query.country(this.catalog)
    if (query.refusal !== undefined) return out.refuse(query.refusal)
    const page = askByPathCode(req, code => lines(this.catalog, code, digits, limit, offset))
    if (page instanceof Refusal) return out.refuse(page)
    out.openData()
    putRecords(out, this.catalog, this.catalog.lines.order.subarray(page.first, page.first + page.count), include, view, fields)
    out.endPage(page.total, page.limit, page.offset, page.count)
  }
}
