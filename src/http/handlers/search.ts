import { facetsJson } from '../../answers/facets.js'
import type { Fields } from '../../answers/fields.js'
import { resultJson } from '../../answers/records.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { CountryView } from '../../catalog/countries.js'
import { renderRate } from '../../catalog/records.js'
import { bytes } from '../../engines/bytes.js'
import type { HttpRequest } from '../../engines/engine.js'
import { readQueryText } from '../../engines/request.js'
import { FACETS, RESULT_FIELDS, SEARCH_INCLUDES } from '../../limits.js'
import type { Include } from '../../questions/include.js'
import { Refusal } from '../../questions/refusal.js'
import { matchedPhrases, type SearchPage, search } from '../../questions/search.js'
import { CLOSE_BRACKET, COMMA, OPEN_BRACKET } from '../../responses/body-writer.js'
import type { Responder } from '../../responses/respond.js'
import { COUNTRY_PARAMETERS, Query } from '../query.js'

const CACHED_MAX = 4096
const CACHED_QUERY_CHARS_MAX = 256

interface CachedPage extends SearchPage {
  include: Include | undefined
  /** The matched phrase of each result, for include=matched. */
  matched: readonly number[]
  view: CountryView | undefined
  fields: Fields | undefined
}

const PARAMETERS = [
  'q',
  'level',
  'limit',
  'offset',
  'within',
  'rate',
  'include',
  'short_max',
  'facets',
  'fields',
  ...COUNTRY_PARAMETERS,
]

export class SearchHandler {
  readonly #query = new Query(PARAMETERS)
  /** Pages by query string, the oldest first. */
  readonly #cached = new Map<string, CachedPage>()
  /** The bytes at the end of a result, by index of its rate. */
  readonly #endings: Uint8Array[]

  constructor(private readonly catalog: Catalog) {
    this.#endings = catalog.meta.rates.map(rate => bytes(`${renderRate(rate)}}`))
  }

  handle(req: HttpRequest, out: Responder): void {
    const queryText = readQueryText(req)
    const page = this.#cached.get(queryText) ?? this.#search(queryText)
    if (page instanceof Refusal) out.refuse(page)
    else {
      out.searches?.answered(queryText, page.total, page.offset)
      this.#write(page, out)
    }
  }

  #search(queryText: string): CachedPage | Refusal {
    const query = this.#query.read(queryText)
    const words = query.text('q')
    const level = query.integer('level')
    const limit = query.integer('limit')
    const offset = query.integer('offset')
    const within = query.text('within')
    const include = query.include(SEARCH_INCLUDES)
    const view = query.country(this.catalog)
    const terms = { rate: query.decimal('rate'), facets: query.names('facets', FACETS), view }
    const fields = query.names('fields', RESULT_FIELDS)
    const found = query.refusal ?? search(this.catalog, words, level, limit, offset, within, terms)
    if (found instanceof Refusal) return found
    // written field by field: a spread would give every page a new object shape in V8
    const { records, total, facets } = found
    const matched = matchedPhrases(this.catalog, words, records, include)
    const page = { records, total, limit: found.limit, offset: found.offset, facets, include, matched, view, fields }
    // pages with facets are not cached, because facets would take most of the memory
    const mayCache = facets === undefined && queryText.length <= CACHED_QUERY_CHARS_MAX
    if (mayCache) this.#cached.set(queryText, page)
    if (this.#cached.size > CACHED_MAX) this.#cached.delete(this.#cached.keys().next().value as string)
    return page
  }

  #write({ records: found, total, limit, offset, facets, include, matched, view, fields }: CachedPage, out: Responder): void {
    out.openData()
    if (include === undefined && fields === undefined) this.#putResults(found, view ?? this.catalog, out)
    else out.text(`[${found.map((record, i) => resultJson(this.catalog, record, include, matched[i], view, fields)).join()}]`)
    if (facets !== undefined) out.text(`,"facets":${facetsJson(this.catalog, facets)}`)
    out.endPage(total, limit, offset, found.length)
  }

  #putResults(found: readonly number[], rates: Catalog | CountryView, out: Responder): void {
    out.byte(OPEN_BRACKET)
    for (let i = 0; i < found.length; i++) {
      if (i > 0) out.byte(COMMA)
      out.put(this.catalog.records.headBytes(found[i])).put(this.#endings[rates.rateIndex(found[i])])
    }
    out.byte(CLOSE_BRACKET)
  }
}
