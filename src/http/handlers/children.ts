import type { Catalog } from '../../catalog/catalog.js'
import type { HttpRequest } from '../../engines/engine.js'
import { readQueryText } from '../../engines/request.js'
import { children } from '../../questions/children.js'
import { Refusal } from '../../questions/refusal.js'
import type { Responder } from '../../responses/respond.js'
import { pageParameters } from '../parameters.js'
import { askByPathCode } from '../path-code.js'
import { Query } from '../query.js'
import { RecordList } from '../record-list.js'

export class ChildrenHandler {
  readonly #catalog: Catalog
  readonly #list: RecordList
  readonly #query = new Query(['limit', 'offset', 'include'])

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.#list = new RecordList(catalog)
  }

  handle(req: HttpRequest, out: Responder): void {
    const query = this.#query.read(readQueryText(req))
    const parameters = pageParameters(query)
    if (parameters instanceof Refusal) return out.refuse(parameters)
    const { limit, offset, include } = parameters
    const page = askByPathCode(req, code => children(this.#catalog, code, limit, offset))
    if (page instanceof Refusal) return out.refuse(page)
    if (include !== undefined) this.#list.reserve(out, include)
    out.openData()
    this.#list.putRange(out, page.first, page.count, include)
    out.endPage(page.total, page.limit, page.offset, page.count)
  }
}
