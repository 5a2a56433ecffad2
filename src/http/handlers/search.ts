import type { Catalog } from '../../catalog/catalog.js'
import { renderSearchEnding } from '../../catalog/records.js'
import type { Include } from '../../questions/include.js'
import { Refusal } from '../../questions/refusal.js'
import { type SearchPage, search } from '../../questions/search.js'
import { bytes } from '../bytes.js'
import type { HttpRequest } from '../engine.js'
import { PageCache } from '../page-cache.js'
import { includeParameter, integerParameter, textParameter } from '../parameters.js'
import { Query } from '../query.js'
import { RecordList } from '../record-list.js'
import { readQueryText } from '../request.js'
import { CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACKET, type Responder } from '../respond.js'

/** A page and what is told with each of its records. */
interface AskedPage extends SearchPage {
  include: Include | undefined
}

export class SearchHandler {
  readonly #catalog: Catalog
  readonly #list: RecordList
  readonly #query = new Query(['q', 'level', 'limit', 'offset', 'within', 'include'])
  /** By the query string as sent. */
  readonly #pages = new PageCache<AskedPage>()
  /** For each rate, how a result ends after the part it shares with the record. */
  readonly #endings: Uint8Array[]

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.#list = new RecordList(catalog)
    this.#endings = catalog.meta.rates.map(rate => bytes(renderSearchEnding(rate)))
  }

  handle(req: HttpRequest, out: Responder): void {
    const query = readQueryText(req)
    const kept = this.#pages.get(query)
    if (kept !== undefined) return this.#write(kept, out)
    const page = this.#ask(query)
    if (page instanceof Refusal) return out.refuse(page)
    this.#pages.offer(query, page)
    this.#write(page, out)
  }

  #ask(queryText: string): AskedPage | Refusal {
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
    return page instanceof Refusal ? page : { ...page, include }
  }

  #write({ records: found, total, limit, offset, include }: AskedPage, out: Responder): void {
    const { records } = this.#catalog
    if (include !== undefined) this.#list.makeRoom(out, include)
    out.openData().byte(OPEN_BRACKET)
    for (let i = 0; i < found.length; i++) {
      const record = found[i] as number
      if (i > 0) out.byte(COMMA)
      out.put(records.headBytes(record))
      out.put(this.#endings[this.#catalog.rateIndex(record)] as Uint8Array)
      if (include !== undefined) this.#list.putExtras(out, record, include)
      out.byte(CLOSE_BRACE)
    }
    out.byte(CLOSE_BRACKET).endPage(total, limit, offset, found.length)
  }
}
