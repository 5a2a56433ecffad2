import type { Catalog } from '../../catalog/catalog.js'
import { children } from '../../questions/children.js'
import { Refusal } from '../../questions/refusal.js'
import type { HttpRequest } from '../engine.js'
import { integerParameter } from '../parameters.js'
import { Query } from '../query.js'
import { decodePathCode, readPathCode, readQueryText } from '../request.js'
import { CLOSE_BRACKET, OPEN_BRACKET, type Responder } from '../respond.js'

export class ChildrenHandler {
  readonly #catalog: Catalog
  readonly #query = new Query(['limit', 'offset'])

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  handle(req: HttpRequest, out: Responder): void {
    const query = this.#query.read(readQueryText(req))
    const limit = integerParameter(query, 'limit')
    if (limit instanceof Refusal) return out.refuse(limit)
    const offset = integerParameter(query, 'offset')
    if (offset instanceof Refusal) return out.refuse(offset)
    const code = readPathCode(req)
    let page = children(this.#catalog, code, limit, offset)
    if (page instanceof Refusal) {
      if (page.name === 'invalidCode') page = children(this.#catalog, decodePathCode(code), limit, offset)
      if (page instanceof Refusal) return out.refuse(page)
    }
    const { records } = this.#catalog
    out.openData().byte(OPEN_BRACKET)
    if (page.count > 0)
      out.part(records.arena, records.start(page.first), records.end(page.first + page.count - 1))
    out.byte(CLOSE_BRACKET).endPage(page.total, page.limit, page.offset, page.count)
  }
}
