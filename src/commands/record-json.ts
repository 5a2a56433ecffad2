/** Records as HTTP writes them, with what `--include` asks for behind their own fields. */
import type { Catalog } from '../catalog/catalog.js'
import { renderSearchEnding } from '../catalog/records.js'
import { type Include, readInclude } from '../questions/include.js'
import { answered } from './ask.js'
import { text, type Values } from './command.js'

export const INCLUDE_FLAG = { include: text }

export function includeOf(values: Values): Include | undefined {
  return answered(readInclude(String(values.include ?? '')))
}

function extrasJson(catalog: Catalog, record: number, { path, editions, rate }: Include): string {
  const { records } = catalog
  let json = ''
  if (path) {
    const above = catalog
      .above(record)
      .reverse()
      .map(at => ({
        hs_code: records.code(at),
        description: records.description(at),
      }))
    json += `,"path":${JSON.stringify(above)}`
  }
  if (editions) {
    // not an object: its numbers would come ascending
    const lists = catalog.editions.years.map(
      year => `"${year}":${JSON.stringify(catalog.earlierCodes(record, year))}`,
    )
    json += `,"editions":{${lists.join(',')}}`
  }
  if (rate) {
    const { from, told } = catalog.rateOf(record)
    json += `,"rate":${JSON.stringify({ from, source: told?.source ?? null, certainty: told?.certainty ?? null })}`
  }
  return json
}

/** `json` lacks its brace yet. */
function ended(json: string, catalog: Catalog, record: number, include: Include | undefined): string {
  return `${json}${include === undefined ? '' : extrasJson(catalog, record, include)}}`
}

export function recordJson(catalog: Catalog, record: number, include?: Include): string {
  const json = Buffer.from(catalog.records.bytes(record)).toString()
  return ended(json.slice(0, -1), catalog, record, include)
}

/** As a search shows it. */
export function resultJson(catalog: Catalog, record: number, include?: Include): string {
  const { records } = catalog
  const head = Buffer.from(records.arena.subarray(records.start(record), records.headEnd(record)))
  return ended(head.toString() + renderSearchEnding(catalog.rateText(record)), catalog, record, include)
}
