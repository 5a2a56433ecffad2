import type { Catalog } from '../../catalog/catalog.js'
import { findRecord } from '../codes.js'
import { readPathCode } from '../request.js'
import type { Responder } from '../respond.js'
import type { HttpRequest } from '../uws.js'

export function lookup(catalog: Catalog, req: HttpRequest, out: Responder): void {
  const record = findRecord(catalog, out, readPathCode(req))
  if (record < 0) return
  out.openData().put(catalog.recordBytes(record)).endRecord()
}
