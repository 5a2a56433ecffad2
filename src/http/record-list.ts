import type { Fields } from '../answers/fields.js'
import { extrasJson, recordJson } from '../answers/records.js'
import type { Catalog } from '../catalog/catalog.js'
import type { CountryView } from '../catalog/countries.js'
import { bytes } from '../engines/bytes.js'
import type { Include } from '../questions/include.js'
import { CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACKET } from '../responses/body-writer.js'
import type { Responder } from '../responses/respond.js'

const PATH = bytes(',"path":')

function hasMoreThanPath({ path: _, ...others }: Include): boolean {
  return Object.values(others).includes(true)
}

/** Writes the path as bytes, since encoding its Arabic text would take most of the time. */
function putIncluding(out: Responder, catalog: Catalog, record: number, include: Include, view?: CountryView): void {
  const { records, meta } = catalog
  const above = include.path ? catalog.above(record) : []
  out.reserve((above.length + 1) * meta.recordBytesMax)
  if (view === undefined) out.part(records.arena, records.start(record), records.end(record) - 1)
  else {
    const ending = records.ending(record, view.rateIndex(record))
    out.part(records.arena, records.start(record), records.rateStart(record)).part(ending, 0, ending.length - 1)
  }
  if (include.path) {
    out.put(PATH).byte(OPEN_BRACKET)
    for (let i = above.length - 1; i >= 0; i--) {
      out.put(records.headBytes(above[i])).byte(CLOSE_BRACE)
      if (i > 0) out.byte(COMMA)
    }
    out.byte(CLOSE_BRACKET)
  }
  if (hasMoreThanPath(include)) out.text(extrasJson(catalog, record, { ...include, path: false }, view))
  out.byte(CLOSE_BRACE)
}

export function putRecord(
  out: Responder,
  catalog: Catalog,
  record: number,
  include?: Include,
  view?: CountryView,
  fields?: Fields,
): void {
  const { records } = catalog
  if (fields !== undefined) out.text(recordJson(catalog, record, include, view, fields))
  else if (include !== undefined) putIncluding(out, catalog, record, include, view)
  else if (view === undefined) out.put(records.bytes(record))
  else
    out.part(records.arena, records.start(record), records.rateStart(record)).put(records.ending(record, view.rateIndex(record)))
}

export function putRecords(
  out: Responder,
  catalog: Catalog,
  found: ArrayLike<number>,
  include?: Include,
  view?: CountryView,
  fields?: Fields,
): void {
  out.byte(OPEN_BRACKET)
  for (let i = 0; i < found.length; i++) {
    if (i > 0) out.byte(COMMA)
    putRecord(out, catalog, found[i], include, view, fields)
  }
  out.byte(CLOSE_BRACKET)
}
