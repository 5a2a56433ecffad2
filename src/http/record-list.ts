import { recordJson } from '../answers/records.js'
import type { Catalog } from '../catalog/catalog.js'
import type { Include } from '../questions/include.js'
import { CLOSE_BRACKET, COMMA, OPEN_BRACKET } from '../responses/body-writer.js'
import type { Responder } from '../responses/respond.js'

/** Writes a list of records, with the fields of `include` if requested. */
export function putRecords(out: Responder, catalog: Catalog, found: ArrayLike<number>, include?: Include): void {
  if (include !== undefined) return void out.text(`[${Array.from(found, record => recordJson(catalog, record, include)).join()}]`)
  const { records } = catalog
  out.byte(OPEN_BRACKET)
  for (let i = 0; i < found.length; i++) {
    if (i > 0) out.byte(COMMA)
    out.put(records.bytes(found[i]))
  }
  out.byte(CLOSE_BRACKET)
}
