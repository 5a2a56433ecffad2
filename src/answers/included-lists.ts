/** The lists that a lookup includes: the first page of each, as its own endpoint lists it. */
import type { Catalog } from '../catalog/catalog.js'
import { childrenOf, siblingsOf } from '../questions/children.js'
import type { Include } from '../questions/include.js'
import { linesOf } from '../questions/lines.js'
import type { Run } from '../questions/page.js'

function pageJson(items: string, { total, limit, offset }: Run): string {
  return `{"items":[${items}],"total":${total},"limit":${limit},"offset":${offset}}`
}

export function includedListsJson(catalog: Catalog, record: number, include: Include): string {
  const neighbours = (run: Run) => pageJson(catalog.records.textOfRun(run.first, run.count), run)
  let json = ''
  if (include.children) json += `,"children":${neighbours(childrenOf(catalog, record))}`
  if (include.siblings) json += `,"siblings":${neighbours(siblingsOf(catalog, record))}`
  if (include.lines) {
    const run = linesOf(catalog, record)
    const lines = Array.from(catalog.lines.order.subarray(run.first, run.first + run.count))
    json += `,"lines":${pageJson(lines.map(line => catalog.records.text(line)).join(), run)}`
  }
  return json
}
