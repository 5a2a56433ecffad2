/** Writes records, with the fields of `include` if requested. */
import { extrasJson } from '../answers/records.js'
import type { Catalog } from '../catalog/catalog.js'
import { bytes } from '../engines/bytes.js'
import type { Include } from '../questions/include.js'
import { CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACKET } from '../responses/body-writer.js'
import type { Responder } from '../responses/respond.js'

const PATH = bytes(',"path":')

/** Writes the path as bytes, since encoding its Arabic text would take most of the time. */
function putIncluding(out: Responder, catalog: Catalog, record: number, include: Include): void {
  const { records, meta } = catalog
  const path = include.path ? catalog.above(record).reverse() : []
  out.reserve((path.length + 1) * meta.recordBytesMax)
  out.part(records.arena, records.start(record), records.end(record) - 1)
  if (include.path) {
    out.put(PATH).byte(OPEN_BRACKET)
    path.forEach((at, i) => {
      if (i > 0) out.byte(COMMA)
      out.put(records.headBytes(at)).byte(CLOSE_BRACE)
    })
    out.byte(CLOSE_BRACKET)
  }
  out.text(extrasJson(catalog, record, { ...include, path: false })).byte(CLOSE_BRACE)
}

export function putRecord(out: Responder, catalog: Catalog, record: number, include?: Include): void {
  if (include === undefined) out.put(catalog.records.bytes(record))
  else putIncluding(out, catalog, record, include)
}

export function putRecords(out: Responder, catalog: Catalog, found: ArrayLike<number>, include?: Include): void {
  out.byte(OPEN_BRACKET)
  for (let i = 0; i < found.length; i++) {
    if (i > 0) out.byte(COMMA)
    putRecord(out, catalog, found[i], include)
  }
  out.byte(CLOSE_BRACKET)
}
