/** What `include` adds to a record, as values; HTTP writes the same as bytes. */
import type { Catalog } from '../catalog/catalog.js'
import type { PathStep, RateOrigin } from './shapes.js'

/** From the chapter down to the parent. */
export function pathOf(catalog: Catalog, record: number): PathStep[] {
  const { records } = catalog
  return catalog
    .above(record)
    .reverse()
    .map(at => ({ hs_code: records.code(at), description: records.description(at) }))
}

export function rateOriginOf(catalog: Catalog, record: number): RateOrigin {
  const { from, source } = catalog.rateOf(record)
  return { from, source: source?.source ?? null, certainty: source?.certainty ?? null }
}
