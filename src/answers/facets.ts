import type { Catalog } from '../catalog/catalog.js'
import type { Facets } from '../questions/facets.js'

export function facetsJson({ records, meta }: Catalog, { chapter, level, rate }: Facets): string {
  const lists: string[] = []
  const put = (name: string, items: readonly string[]) => lists.push(`"${name}":[${items.join()}]`)
  if (chapter !== undefined)
    put(
      'chapter',
      chapter.map(([record, count]) => `${records.headText(record)},"count":${count}}`),
    )
  if (level !== undefined)
    put(
      'level',
      level.map(([digits, count]) => `{"level":${digits},"count":${count}}`),
    )
  if (rate !== undefined)
    put(
      'rate',
      rate.map(([index, count]) => `{"rate":${meta.rates[index]},"count":${count}}`),
    )
  return `{${lists.join()}}`
}
