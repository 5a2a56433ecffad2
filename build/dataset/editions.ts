/** dataset/editions.csv: subheadings of earlier editions whose code or scope has changed since. */
import type { Columns } from '../../src/snapshot/schema.js'
import { groupPairs, inOrder, KeyedLists } from './code-pairs.js'
import type { Defect } from './defect.js'
import type { Row } from './rows.js'
import { parseTable } from './table.js'

export const EDITIONS_FILE = 'editions.csv'
const SUBHEADING = /^\d{6}$/
const YEAR = /^\d{4}$/

export interface EditionRow {
  /** The year of the edition. */
  edition: string
  oldCode: string
  /** A subheading of the dataset's own edition. */
  code: string
  line: number
}

export function parseEditions(text: string, defects: Defect[]): EditionRow[] {
  const rows = parseTable(text, EDITIONS_FILE, ['edition', 'old_code', 'hs_code'] as const, defects)
  const seen = new Set<string>()
  return rows.map(({ edition, old_code: oldCode, hs_code: code, line }) => {
    const report = (message: string) => defects.push({ file: EDITIONS_FILE, line, message })
    if (!YEAR.test(edition)) report(`the edition "${edition}" is not a year`)
    if (!SUBHEADING.test(oldCode)) report(`the old code "${oldCode}" is not six digits`)
    const pair = `${edition} ${oldCode} ${code}`
    if (seen.has(pair)) report(`the pair ${oldCode} and ${code} of ${edition} is listed twice`)
    seen.add(pair)
    return { edition, oldCode, code, line }
  })
}

export function checkEditions(editions: readonly EditionRow[], rows: readonly Row[]): Defect[] {
  const known = new Set(rows.map(row => row.hs_code).filter(code => SUBHEADING.test(code)))
  return editions
    .filter(({ code }) => !known.has(code))
    .map(({ code, line }) => ({
      file: EDITIONS_FILE,
      line,
      message: `${code} is not a subheading of the dataset`,
    }))
}

/** See the columns with the same names in src/snapshot/schema.ts. */
export type EditionColumns = { editions: string[] } & Pick<
  Columns,
  | 'editionAt'
  | 'editionOld'
  | 'editionTargetAt'
  | 'editionTarget'
  | 'editionNowAt'
  | 'editionNow'
  | 'editionSourceAt'
  | 'editionSource'
>

/**
 * The newest edition comes first. Old codes and target records are ascending. Among the former codes of a record, the
 * record's own code comes first; the others follow in ascending order.
 */
export function buildEditions(rows: readonly EditionRow[], recordOf: ReadonlyMap<string, number>): EditionColumns {
  const editions = [...new Set(rows.map(row => row.edition))].sort().reverse()
  const recordsOf = (codes: readonly string[]) => codes.map(code => recordOf.get(code) as number)
  const oldAt: number[] = []
  const nowAt: number[] = []
  const targets = new KeyedLists()
  const sources = new KeyedLists()
  for (const edition of editions) {
    const { targetsOf, sourcesOf } = groupPairs(rows.filter(row => row.edition === edition))
    oldAt.push(targets.keys.length)
    for (const [oldCode, codes] of inOrder(targetsOf)) targets.push(Number(oldCode), recordsOf(codes))
    nowAt.push(sources.keys.length)
    const targetRecords = [...sourcesOf].map(([code, codes]) => ({ record: recordOf.get(code) as number, code, codes }))
    for (const { record, code, codes } of targetRecords.sort((a, b) => a.record - b.record))
      sources.push(record, codes.sort((a, b) => Number(b === code) - Number(a === code) || (a < b ? -1 : 1)).map(Number))
  }
  oldAt.push(targets.keys.length)
  nowAt.push(sources.keys.length)
  return {
    editions,
    editionAt: Uint32Array.from(oldAt),
    editionOld: Uint32Array.from(targets.keys),
    editionTargetAt: targets.starts(),
    editionTarget: Uint32Array.from(targets.values),
    editionNowAt: Uint32Array.from(nowAt),
    editionNow: Uint32Array.from(sources.keys),
    editionSourceAt: sources.starts(),
    editionSource: Uint32Array.from(sources.values),
  }
}
