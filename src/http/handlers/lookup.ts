import type { Catalog } from '../../catalog/catalog.js'
import { findRecord } from '../codes.js'
import { readPathCode } from '../request.js'
import type { Responder } from '../respond.js'
import type { HttpRequest } from '../uws.js'

export function lookup(catalog: Catalog, req: HttpRequest, out: Responder): void {
  const record = findRecord(catalog, out, readPathCode(req))
  if (record < 0) return
  const { arena, offset } = catalog
  out
    .openData()
    .put(arena.subarray(offset[record] as number, (offset[record + 1] as number) - 1))
    .endRecord()
}
