/** What the check page needs to read a file and to make one; loaded when it is used. */
import type { Resolved } from '../data/api.js'
import type { Accepted, Compared } from '../data/kept-work.js'
import type { Pasted } from './paste.js'
import { type Cell, csvBlob, excelBlob, numberOrText } from './table-files.js'

export { decodeText } from './read-file.js'

export type Results = readonly (Resolved | null)[]

/** What the words of the rows said, and the codes that were accepted for it. */
export interface Repaired {
  compared: readonly (Compared | null)[]
  accepted: Accepted
}

const NOT_REPAIRED: Repaired = { compared: [], accepted: new Map() }

const ADDED = ['status', 'hs_code', 'description_en', 'description_ar', 'tariff_rate', 'lines', 'candidates']
/** Only where words were compared. */
const REPAIRED = ['verdict', 'corrected_from']
const BLANK = '(blank)'

function widthOf({ rows }: Pasted): number {
  return Math.max(1, ...rows.map(row => row.length))
}

function headOf(pasted: Pasted): string[] {
  const width = widthOf(pasted)
  const names = pasted.header ?? (width === 1 ? ['input'] : Array.from({ length: width }, (_, at) => `column_${at + 1}`))
  return padded(names, width)
}

const padded = (row: readonly string[], width: number) => Array.from({ length: width }, (_, at) => row[at]?.trim() ?? '')

const isRepaired = ({ compared, accepted }: Repaired) => compared.length > 0 || accepted.size > 0

const addedHead = (repaired: Repaired) => (isRepaired(repaired) ? [...ADDED, ...REPAIRED] : ADDED)

/** A blank row stays blank. */
function found(one: Resolved | null): Cell[] {
  if (one === null) return ADDED.map(() => '')
  const { status, hs_code, record, lines, candidates, nearest } = one
  const others = candidates.length > 0 ? candidates.join(' ') : (nearest ?? '')
  const { en, ar } = record?.description ?? { en: '', ar: '' }
  return [status, hs_code ?? '', en, ar, record ? record.tariff_rate : '', lines, others]
}

/** `given`: the code as it was pasted. */
function added(one: Resolved | null, at: number, given: string, repaired: Repaired): Cell[] {
  if (!isRepaired(repaired)) return found(one)
  const accepted = repaired.accepted.get(at)
  const verdict = repaired.compared[at]?.verdict ?? ''
  if (accepted === undefined) return [...found(one), verdict, '']
  const { hs_code, description, tariff_rate } = accepted
  return ['corrected', hs_code, description.en, description.ar, tariff_rate ?? '', '', '', verdict, given || BLANK]
}

function csvRows(pasted: Pasted, results: Results, repaired: Repaired): string[][] {
  const width = widthOf(pasted)
  const rows = results.map((one, at) => {
    const cells = padded(pasted.rows[at] ?? [], width)
    return [...cells, ...added(one, at, cells[pasted.column] ?? '', repaired).map(String)]
  })
  return [[...headOf(pasted), ...addedHead(repaired)], ...rows]
}

/** The pasted codes are text as well. */
function sheetRows(pasted: Pasted, results: Results, repaired: Repaired): Cell[][] {
  const width = widthOf(pasted)
  const given = (row: readonly string[]) =>
    padded(row, width).map((cell, at) => (at === pasted.column ? cell : numberOrText(cell)))
  const rows = results.map((one, at) => {
    const row = pasted.rows[at] ?? []
    return [...given(row), ...added(one, at, row[pasted.column]?.trim() ?? '', repaired)]
  })
  return [[...headOf(pasted), ...addedHead(repaired)], ...rows]
}

export const csvFile = (pasted: Pasted, results: Results, repaired = NOT_REPAIRED) => csvBlob(csvRows(pasted, results, repaired))

export const excelFile = (pasted: Pasted, results: Results, isRightToLeft: boolean, repaired = NOT_REPAIRED) =>
  excelBlob(sheetRows(pasted, results, repaired), isRightToLeft)
