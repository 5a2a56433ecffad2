import type { Catalog } from '../../catalog/catalog.js'
import type { HttpRequest } from '../../engines/engine.js'
import { readQueryText } from '../../engines/request.js'
import { fnv1a } from '../../fnv1a.js'
import type { Include } from '../../questions/include.js'
import { Refusal } from '../../questions/refusal.js'
import { type SearchPage, search } from '../../questions/search.js'
import { CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACKET } from '../../responses/body-writer.js'
import type { Responder } from '../../responses/respond.js'
import { PageCache } from '../page-cache.js'
import { includeParameter, integerParameter, textParameter } from '../parameters.js'
import { Query } from '../query.js'
import { RecordList } from '../record-list.js'
import { SearchResults } from '../search-results.js'

interface CachedPage extends SearchPage {
  include: Include | undefined
}

export class SearchHandler {
  readonly #catalog: Catalog
  readonly #list: RecordList
  readonly #query = new Query(['q', 'level', 'limit', 'offset', 'within', 'include'])
  readonly #pages = new PageCache<CachedPage>()
  readonly #results: SearchResults

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.#list = new RecordList(catalog)
    this.#results = new SearchResults(catalog)
  }

  handle(req: HttpRequest, out: Responder): void {
    const query = readQueryText(req)
    const hash = fnv1a(query)
    const cached = this.#pages.get(query, hash)
    if (cached !== undefined) return this.#write(cached, out)
    const page = this.#search(query)
    if (page instanceof Refusal) return out.refuse(page)
    this.#pages.offer(query, hash, page)
    this.#write(page, out)
  }

  #search(queryText: string): CachedPage | Refusal {
    const query = this.#query.read(queryText)
    const words = textParameter(query, 'q')
    if (words instanceof Refusal) return words
    const level = integerParameter(query, 'level')
    if (level instanceof Refusal) return level
    const limit = integerParameter(query, 'limit')
    if (limit instanceof Refusal) return limit
    const offset = integerParameter(query, 'offset')
    if (offset instanceof Refusal) return offset
    const within = textParameter(query, 'within')
    if (within instanceof Refusal) return within
    const include = includeParameter(query)
    if (include instanceof Refusal) return include
    const page = search(this.#catalog, words, level, limit, offset, within === '' ? undefined : within)
    if (page instanceof Refusal) return page
    // a spread would give every page a new shape in V8
    const { records, total } = page
    return { records, total, limit: page.limit, offset: page.offset, include }
  }

  #write({ records: found, total, limit, offset, include }: CachedPage, out: Responder): void {
    if (include !== undefined) this.#list.reserve(out, include)
    this.#results.prefetch(found)
    out.openData().byte(OPEN_BRACKET)
    for (let i = 0; i < found.length; i++) {
      const record = found[i]
      if (i > 0) out.byte(COMMA)
      out.put(this.#results.of(record))
      if (include !== undefined) this.#list.putExtras(out, record, include)
      out.byte(CLOSE_BRACE)
    }
    out.byte(CLOSE_BRACKET).endPage(total, limit, offset, found.length)
  }
}
