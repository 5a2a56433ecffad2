import type { Catalog } from '../../catalog/catalog.js'
import { bytes } from '../bytes.js'
import {
  integerParameter,
  invalidParameter,
  levelParameter,
  PAGE_LIMIT_MAX,
  type Refusal,
  textParameter,
} from '../parameters.js'
import { Query } from '../query.js'
import { readQuery } from '../request.js'
import { CLOSE_BRACKET, COMMA, OPEN_BRACKET, type Responder } from '../respond.js'
import type { HttpRequest } from '../uws.js'

const QUERY_CHARS_MIN = 2
const QUERY_CHARS_MAX = 200
const LIMIT_DEFAULT = 20

function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** A page that was found before: asking again costs no more than writing it. */
interface Page {
  records: Uint32Array
  total: number
  limit: number
  pageStart: number
}

/** Bounds of the pages kept: by number, and by the length of the query strings that name them. */
const PAGES_KEPT_MAX = 4096
const KEPT_QUERY_CHARS_MAX = 256
const ASKED_PLACES = 8192
const FNV_BASIS = 0x811c9dc5 | 0
const FNV_PRIME = 0x01000193

export class SearchHandler {
  readonly #catalog: Catalog
  readonly #query = new Query(['q', 'level', 'limit', 'offset'])
  /** By the query string as sent. The oldest goes first when there are too many. */
  readonly #pages = new Map<string, Page>()
  /** Hashes of queries asked lately. */
  readonly #asked = new Int32Array(ASKED_PLACES)
  /** `,"tariff_rate":5}` for each rate: how a result ends after the part it shares with the record. */
  readonly #endings: Uint8Array[]

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.#endings = catalog.meta.rates.map(rate => bytes(`,"tariff_rate":${rate}}`))
  }

  handle(req: HttpRequest, out: Responder): void {
    const query = readQuery(req)
    const kept = this.#pages.get(query)
    if (kept !== undefined) return this.#write(kept, out)
    const page = this.#find(query)
    if ('name' in page) return out.refuse(page.name, page)
    if (query.length <= KEPT_QUERY_CHARS_MAX && this.#wasAsked(query)) {
      if (this.#pages.size >= PAGES_KEPT_MAX) this.#pages.delete(this.#pages.keys().next().value as string)
      this.#pages.set(query, page)
    }
    this.#write(page, out)
  }

  /** Most queries are asked once: keeping their pages would cost more than it saves, so the second time decides. */
  #wasAsked(query: string): boolean {
    let hash = FNV_BASIS
    for (let i = 0; i < query.length; i++) hash = Math.imul(hash ^ query.charCodeAt(i), FNV_PRIME)
    const place = hash & (ASKED_PLACES - 1)
    const wasAsked = this.#asked[place] === hash
    this.#asked[place] = hash
    return wasAsked
  }

  #find(queryText: string): Page | Refusal {
    const query = this.#query.read(queryText)
    const raw = textParameter(query, 'q')
    if (typeof raw !== 'string') return raw
    const q = raw.trim()
    const length = codePoints(q)
    if (length < QUERY_CHARS_MIN) return { name: 'queryTooShort' }
    if (length > QUERY_CHARS_MAX)
      return invalidParameter('q', `must have at most ${QUERY_CHARS_MAX} characters`)
    const level = levelParameter(query)
    if (typeof level !== 'number') return level
    const limit = integerParameter(query, 'limit', 1, PAGE_LIMIT_MAX, LIMIT_DEFAULT)
    if (typeof limit !== 'number') return limit
    const pageStart = integerParameter(query, 'offset', 0, Number.MAX_SAFE_INTEGER, 0)
    if (typeof pageStart !== 'number') return pageStart
    const { search } = this.#catalog
    search.run(q, level, pageStart + limit)
    const end = Math.min(pageStart + limit, search.total)
    return {
      records: search.found.slice(Math.min(pageStart, end), end),
      total: search.total,
      limit,
      pageStart,
    }
  }

  #write({ records, total, limit, pageStart }: Page, out: Responder): void {
    const { arena, offset, headBytes } = this.#catalog
    out.openData().byte(OPEN_BRACKET)
    for (let i = 0; i < records.length; i++) {
      const record = records[i] as number
      const start = offset[record] as number
      if (i > 0) out.byte(COMMA)
      out.part(arena, start, start + (headBytes[record] as number))
      out.put(this.#endings[this.#catalog.rateIndex(record)] as Uint8Array)
    }
    out.byte(CLOSE_BRACKET).endPage(total, limit, pageStart, records.length)
  }
}
