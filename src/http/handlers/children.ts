import type { Catalog } from '../../catalog/catalog.js'
import { PARENT_DIGITS_MAX } from '../../hs-code.js'
import { findRecord } from '../codes.js'
import { integerParameter, isRefusal } from '../parameters.js'
import { readPathCode, readQuery } from '../request.js'
import type { Responder } from '../respond.js'
import type { HttpRequest } from '../uws.js'

export const LIMIT_MAX = 50
const LIMIT_DEFAULT = 50

export function children(catalog: Catalog, req: HttpRequest, out: Responder): void {
  const query = readQuery(req)
  const limit = integerParameter(query, 'limit', 1, LIMIT_MAX, LIMIT_DEFAULT)
  if (isRefusal(limit)) return out.refuse(limit.name, limit)
  const pageStart = integerParameter(query, 'offset', 0, Number.MAX_SAFE_INTEGER, 0)
  if (isRefusal(pageStart)) return out.refuse(pageStart.name, pageStart)
  const parent = findRecord(catalog, out, readPathCode(req), PARENT_DIGITS_MAX)
  if (parent < 0) return

  const { arena, offset } = catalog
  const total = catalog.childCount[parent] as number
  const count = Math.max(0, Math.min(limit, total - pageStart))
  out.openData().ascii('[')
  if (count > 0) {
    const first = (catalog.firstChild[parent] as number) + pageStart
    out.put(arena.subarray(offset[first] as number, (offset[first + count] as number) - 1))
  }
  out.ascii(']').endPage(total, limit, pageStart, count)
}
