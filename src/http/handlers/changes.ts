import type { Catalog } from '../../catalog/catalog.js'
import type { HttpRequest } from '../../engines/engine.js'
import { readQueryText } from '../../engines/request.js'
import { changes, readWatched } from '../../questions/changes.js'
import { namesIn } from '../../questions/name-list.js'
import { Refusal } from '../../questions/refusal.js'
import { CLOSE_BRACKET, COMMA, OPEN_BRACKET } from '../../responses/body-writer.js'
import type { Responder } from '../../responses/respond.js'
import { Query } from '../query.js'

export class ChangesHandler {
  readonly #query = new Query(['since', 'kind', 'codes', 'limit', 'offset'])

  constructor(private readonly catalog: Catalog) {}

  handle(req: HttpRequest, out: Responder): void {
    const query = this.#query.read(readQueryText(req))
    const codes = readWatched(namesIn(query.text('codes')))
    if (codes instanceof Refusal) query.refusal ??= codes
    const terms = {
      since: query.text('since'),
      kind: query.text('kind'),
      codes: codes instanceof Refusal ? undefined : codes,
      limit: query.integer('limit'),
      offset: query.integer('offset'),
    }
    if (query.refusal !== undefined) return out.refuse(query.refusal)
    const page = changes(this.catalog, terms)
    if (page instanceof Refusal) return out.refuse(page)
    const { changes: stored } = this.catalog
    out.openData().byte(OPEN_BRACKET)
    page.runs.forEach(({ first, count }, i) => {
      if (i > 0) out.byte(COMMA)
      const [start, end] = [stored.start(first), stored.end(first + count - 1)]
      out.reserve(end - start)
      out.part(stored.arena, start, end)
    })
    out.byte(CLOSE_BRACKET).endPage(page.total, page.limit, page.offset, page.count)
  }
}
