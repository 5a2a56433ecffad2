import type { Catalog } from '../../catalog/catalog.js'
import type { HttpRequest } from '../../engines/engine.js'
import { readQueryText } from '../../engines/request.js'
import { lines } from '../../questions/lines.js'
import { Refusal } from '../../questions/refusal.js'
import type { Responder } from '../../responses/respond.js'
import { integerParameter, pageParameters } from '../parameters.js'
import { askByPathCode } from '../path-code.js'
import { Query } from '../query.js'
import { RecordList } from '../record-list.js'

export class LinesHandler {
  readonly #catalog: Catalog
  readonly #list: RecordList
  readonly #query = new Query(['digits', 'limit', 'offset', 'include'])

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.#list = new RecordList(catalog)
  }

  handle(req: HttpRequest, out: Responder): void {
    const query = this.#query.read(readQueryText(req))
    const digits = integerParameter(query, 'digits')
    if (digits instanceof Refusal) return out.refuse(digits)
    const parameters = pageParameters(query)
    if (parameters instanceof Refusal) return out.refuse(parameters)
    const { limit, offset, include } = parameters
    const page = askByPathCode(req, code => lines(this.#catalog, code, digits, limit, offset))
    if (page instanceof Refusal) return out.refuse(page)
    if (include !== undefined) this.#list.reserve(out, include)
    out.openData()
    this.#list.put(out, this.#catalog.lines.order.subarray(page.first, page.first + page.count), include)
    out.endPage(page.total, page.limit, page.offset, page.count)
  }
}
