import type { Catalog } from '../../catalog/catalog.js'
import { PARENT_DIGITS_MAX } from '../../hs-code.js'
import { Codes } from '../codes.js'
import { integerParameter, isRefusal, PAGE_LIMIT_MAX } from '../parameters.js'
import { Query } from '../query.js'
import { readQuery } from '../request.js'
import { CLOSE_BRACKET, OPEN_BRACKET, type Responder } from '../respond.js'
import type { HttpRequest } from '../uws.js'

const LIMIT_DEFAULT = 50

export class ChildrenHandler {
  readonly #catalog: Catalog
  readonly #codes: Codes
  readonly #query = new Query(['limit', 'offset'])

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.#codes = new Codes(catalog, 'A code to list the children of', PARENT_DIGITS_MAX)
  }

  handle(req: HttpRequest, out: Responder): void {
    const catalog = this.#catalog
    const query = this.#query.read(readQuery(req))
    const limit = integerParameter(query, 'limit', 1, PAGE_LIMIT_MAX, LIMIT_DEFAULT)
    if (isRefusal(limit)) return out.refuse(limit.name, limit)
    const pageStart = integerParameter(query, 'offset', 0, Number.MAX_SAFE_INTEGER, 0)
    if (isRefusal(pageStart)) return out.refuse(pageStart.name, pageStart)
    const parent = this.#codes.findInPath(req, out)
    if (parent < 0) return

    const { arena, offset } = catalog
    const total = catalog.childCount[parent] as number
    const count = Math.max(0, Math.min(limit, total - pageStart))
    out.openData().byte(OPEN_BRACKET)
    if (count > 0) {
      const first = (catalog.firstChild[parent] as number) + pageStart
      out.part(arena, offset[first] as number, (offset[first + count] as number) - 1)
    }
    out.byte(CLOSE_BRACKET).endPage(total, limit, pageStart, count)
  }
}
