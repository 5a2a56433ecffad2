import type { Catalog } from '../../catalog/catalog.js'
import {
  integerParameter,
  invalidParameter,
  isRefusal,
  levelParameter,
  textParameter,
} from '../parameters.js'
import { readQuery } from '../request.js'
import { bytes, type Responder } from '../respond.js'
import type { HttpRequest } from '../uws.js'

const QUERY_CHARS_MIN = 2
const QUERY_CHARS_MAX = 200
export const LIMIT_MAX = 50
const LIMIT_DEFAULT = 20

function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

export class SearchHandler {
  readonly #catalog: Catalog
  /** `,"tariff_rate":5}` for each rate: how a result ends after the part it shares with the record. */
  readonly #endings: Uint8Array[]

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.#endings = catalog.meta.rates.map(rate => bytes(`,"tariff_rate":${rate}}`))
  }

  handle(req: HttpRequest, out: Responder): void {
    const query = readQuery(req)
    const raw = textParameter(query, 'q')
    if (isRefusal(raw)) return out.refuse(raw.name, raw)
    const q = raw.trim()
    const length = codePoints(q)
    if (length < QUERY_CHARS_MIN) return out.refuse('queryTooShort')
    if (length > QUERY_CHARS_MAX) {
      const refusal = invalidParameter('q', `must have at most ${QUERY_CHARS_MAX} characters`)
      return out.refuse(refusal.name, refusal)
    }
    const level = levelParameter(query)
    if (isRefusal(level)) return out.refuse(level.name, level)
    const limit = integerParameter(query, 'limit', 1, LIMIT_MAX, LIMIT_DEFAULT)
    if (isRefusal(limit)) return out.refuse(limit.name, limit)
    const pageStart = integerParameter(query, 'offset', 0, Number.MAX_SAFE_INTEGER, 0)
    if (isRefusal(pageStart)) return out.refuse(pageStart.name, pageStart)

    const { search, arena, offset, headBytes } = this.#catalog
    search.run(q, level, pageStart + limit)
    const { found, total } = search
    const count = Math.max(0, Math.min(limit, total - pageStart))
    out.openData().ascii('[')
    for (let i = 0; i < count; i++) {
      const record = found[pageStart + i] as number
      const start = offset[record] as number
      if (i > 0) out.ascii(',')
      out.put(arena.subarray(start, start + (headBytes[record] as number)))
      out.put(this.#endings[this.#catalog.rateIndex(record)] as Uint8Array)
    }
    out.ascii(']').endPage(total, limit, pageStart, count)
  }
}
