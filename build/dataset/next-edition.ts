/** dataset/editions-2028.csv: current subheadings whose number or scope changes in the next edition. */
import { NEXT_CERTAINTIES, NEXT_PARTS, type NextCertainty, type NextPart } from '../../src/snapshot/format.js'
import type { Columns } from '../../src/snapshot/schema.js'
import { groupPairs, KeyedLists } from './code-pairs.js'
import type { Defect } from './defect.js'
import type { Row } from './rows.js'
import { parseTable } from './table.js'

export const NEXT_YEAR = '2028'
export const NEXT_EDITION_FILE = `editions-${NEXT_YEAR}.csv`
const SUBHEADING = /^\d{6}$/

export interface NextEditionRow {
  /** A current subheading. */
  oldCode: string
  /** The code of the next edition that replaces `oldCode`, wholly or in part. */
  code: string
  part: NextPart
  certainty: NextCertainty
  line: number
}

export function parseNextEdition(text: string, defects: Defect[]): NextEditionRow[] {
  const columns = ['hs_code', `code_${NEXT_YEAR}`, 'part', 'certainty'] as const
  const rows = parseTable(text, NEXT_EDITION_FILE, columns, defects)
  const seen = new Set<string>()
  return rows.map(({ hs_code: oldCode, code_2028: code, part, certainty, line }) => {
    const report = (message: string) => defects.push({ file: NEXT_EDITION_FILE, line, message })
    if (!SUBHEADING.test(code)) report(`the code "${code}" is not six digits`)
    if (!isOneOf(NEXT_PARTS, part)) report(`the part is "${part}", not one of ${NEXT_PARTS.join(', ')}`)
    if (!isOneOf(NEXT_CERTAINTIES, certainty))
      report(`the certainty is "${certainty}", not one of ${NEXT_CERTAINTIES.join(', ')}`)
    const pair = `${oldCode} ${code}`
    if (seen.has(pair)) report(`the pair ${oldCode} and ${code} is listed twice`)
    seen.add(pair)
    return { oldCode, code, part: part as NextPart, certainty: certainty as NextCertainty, line }
  })
}

function isOneOf(values: readonly string[], value: string): boolean {
  return values.includes(value)
}

export function checkNextEdition(pairs: readonly NextEditionRow[], rows: readonly Row[]): Defect[] {
  const known = new Set(rows.map(row => row.hs_code).filter(code => SUBHEADING.test(code)))
  return pairs
    .filter(({ oldCode }) => !known.has(oldCode))
    .map(({ oldCode, line }) => ({
      file: NEXT_EDITION_FILE,
      line,
      message: `${oldCode} is not a subheading of the dataset`,
    }))
}

export type NextEditionColumns = Pick<Columns, 'nextRecord' | 'nextTargetAt' | 'nextTarget' | 'nextPart' | 'nextCertainty'>

/** Records are ascending. The targets of a record are in the same order as for earlier editions: most likely first. */
export function buildNextEdition(rows: readonly NextEditionRow[], recordOf: ReadonlyMap<string, number>): NextEditionColumns {
  const rowOf = new Map(rows.map(row => [`${row.oldCode} ${row.code}`, row]))
  const { targetsOf } = groupPairs(rows)
  const changing = [...targetsOf].map(([oldCode, codes]) => ({ record: recordOf.get(oldCode) as number, oldCode, codes }))
  const targets = new KeyedLists()
  const ordered: NextEditionRow[] = []
  for (const { record, oldCode, codes } of changing.sort((a, b) => a.record - b.record)) {
    targets.push(record, codes.map(Number))
    for (const code of codes) ordered.push(rowOf.get(`${oldCode} ${code}`) as NextEditionRow)
  }
  return {
    nextRecord: Uint32Array.from(targets.keys),
    nextTargetAt: targets.starts(),
    nextTarget: Uint32Array.from(targets.values),
    nextPart: Uint8Array.from(ordered, ({ part }) => NEXT_PARTS.indexOf(part)),
    nextCertainty: Uint8Array.from(ordered, ({ certainty }) => NEXT_CERTAINTIES.indexOf(certainty)),
  }
}
