import type { Catalog } from '../catalog/catalog.js'
import { LEVELS } from '../limits.js'
import { invalidParameter, type Refusal } from './refusal.js'
import { oneOf } from './wording.js'

/** Which records a table contains; all records by default. */
export interface ExportTerms {
  level?: number | undefined
  /** '' for the whole dataset. */
  within?: string | undefined
}

/** Records in code order, each before the codes below it. */
export function exportedRecords(catalog: Catalog, { level, within = '' }: ExportTerms): Iterable<number> | Refusal {
  if (level !== undefined && !LEVELS.includes(level)) return invalidParameter('level', `must be ${oneOf(LEVELS)}`)
  if (within === '') return ofLevel(catalog, everyRecord(catalog), level)
  const top = catalog.trie.find(within)
  if (top < 0) return invalidParameter('within', 'must be a code of the dataset')
  return ofLevel(catalog, atOrBelow(catalog, top), level)
}

function* ofLevel(catalog: Catalog, records: Iterable<number>, level: number | undefined): Generator<number> {
  for (const record of records) if (level === undefined || catalog.level[record] === level) yield record
}

function* everyRecord(catalog: Catalog): Generator<number> {
  const { parent, records } = catalog
  const tops: { record: number; code: string }[] = []
  parent.forEach((above, record) => {
    if (above < 0) tops.push({ record, code: records.code(record) })
  })
  tops.sort((a, b) => (a.code < b.code ? -1 : 1))
  for (const { record } of tops) yield* atOrBelow(catalog, record)
}

function* atOrBelow(catalog: Catalog, record: number): Generator<number> {
  yield record
  const first = catalog.firstChild[record]
  for (let i = 0; i < catalog.childCount[record]; i++) yield* atOrBelow(catalog, first + i)
}
