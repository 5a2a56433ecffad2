/** Records as HTTP writes them, with the fields of `--include`. */
import { pathOf, rateOriginOf } from '../answers/extras.js'
import type { Catalog } from '../catalog/catalog.js'
import { renderRate } from '../catalog/records.js'
import { type Include, readInclude } from '../questions/include.js'
import { answered } from './ask.js'
import { text, type Values } from './command.js'

export const INCLUDE_FLAG = { include: text }

export function includeOf(values: Values): Include | undefined {
  return answered(readInclude(String(values.include ?? '')))
}

function extrasJson(catalog: Catalog, record: number, { path, editions, rate }: Include): string {
  let json = ''
  if (path) json += `,"path":${JSON.stringify(pathOf(catalog, record))}`
  if (editions) {
    // an object would sort its numeric keys
    const lists = catalog.editions.years.map(year => `"${year}":${JSON.stringify(catalog.earlierCodes(record, year))}`)
    json += `,"editions":{${lists.join(',')}}`
  }
  if (rate) json += `,"rate":${JSON.stringify(rateOriginOf(catalog, record))}`
  return json
}

/** `json` lacks its closing brace. */
function withExtras(json: string, catalog: Catalog, record: number, include: Include | undefined): string {
  return `${json}${include === undefined ? '' : extrasJson(catalog, record, include)}}`
}

export function recordJson(catalog: Catalog, record: number, include?: Include): string {
  const json = Buffer.from(catalog.records.bytes(record)).toString()
  return withExtras(json.slice(0, -1), catalog, record, include)
}

/** As in search results. */
export function resultJson(catalog: Catalog, record: number, include?: Include): string {
  const { records } = catalog
  const head = Buffer.from(records.arena.subarray(records.start(record), records.headEnd(record)))
  return withExtras(head.toString() + renderRate(catalog.rateText(record)), catalog, record, include)
}
