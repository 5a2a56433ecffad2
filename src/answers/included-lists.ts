/** The lists that a lookup can include, such as `children`. Each is the first page that the list's own endpoint returns. */
import type { Catalog } from '../catalog/catalog.js'
import { childrenOf, siblingsOf } from '../questions/children.js'
import type { Include } from '../questions/include.js'
import { linesOf } from '../questions/lines.js'
import type { Run } from '../questions/page.js'

type ToJson = (record: number) => string

function pageJson(records: readonly number[], { total, limit, offset }: Run, toJson: ToJson): string {
  return `{"items":[${records.map(toJson).join()}],"total":${total},"limit":${limit},"offset":${offset}}`
}

export function includedListsJson(catalog: Catalog, record: number, include: Include, toJson: ToJson): string {
  const runJson = (run: Run) =>
    pageJson(
      Array.from({ length: run.count }, (_, i) => run.first + i),
      run,
      toJson,
    )
  let json = ''
  if (include.children) json += `,"children":${runJson(childrenOf(catalog, record))}`
  if (include.siblings) json += `,"siblings":${runJson(siblingsOf(catalog, record))}`
  if (include.lines) {
    const run = linesOf(catalog, record)
    const lines = Array.from(catalog.lines.order.subarray(run.first, run.first + run.count))
    json += `,"lines":${pageJson(lines, run, toJson)}`
  }
  return json
}
