/** What the check page needs to read a file and to make one. Loaded only then. */
import { csvCells } from '../../tables/csv-text.js'
import type { Resolved } from './api.js'
import type { Pasted } from './paste.js'
import { type Cell, workbook } from './xlsx.js'

export { decodeText } from './read-file.js'

export type Results = readonly (Resolved | null)[]

const ADDED = ['status', 'hs_code', 'description_en', 'description_ar', 'tariff_rate', 'lines', 'candidates']
/** Spreadsheets run cells that begin so, also where another separator than ours makes them begin; the pasted text is not ours. */
const FORMULA = /(^|[;\t\r\n])(?=[=+\-@])/g
/** Shown by Excel as it is written: more digits become 1.23E+12, and a zero at the front would be lost. */
const SHORT_NUMBER = /^-?(?:0|[1-9]\d{0,8})(?:\.\d{1,2})?$/

function widthOf({ rows }: Pasted): number {
  return Math.max(1, ...rows.map(row => row.length))
}

function headOf(pasted: Pasted): string[] {
  const width = widthOf(pasted)
  const names = pasted.header ?? (width === 1 ? ['input'] : Array.from({ length: width }, (_, at) => `column_${at + 1}`))
  return padded(names, width)
}

const padded = (row: readonly string[], width: number) => Array.from({ length: width }, (_, at) => row[at]?.trim() ?? '')

/** A blank row stays blank. */
function added(one: Resolved | null): Cell[] {
  if (one === null) return ADDED.map(() => '')
  const { status, hs_code, record, lines, candidates, nearest } = one
  const others = candidates.length > 0 ? candidates.join(' ') : (nearest ?? '')
  const { en, ar } = record?.description ?? { en: '', ar: '' }
  return [status, hs_code ?? '', en, ar, record ? record.tariff_rate : '', lines, others]
}

function csv(pasted: Pasted, results: Results): string {
  const width = widthOf(pasted)
  const given = (row: readonly string[]) => padded(row, width).map(cell => cell.replace(FORMULA, "$1'"))
  const lines = results.map((one, at) => csvCells([...given(pasted.rows[at] ?? []), ...added(one).map(String)]))
  return `${[csvCells([...given(headOf(pasted)), ...ADDED]), ...lines].join('\r\n')}\r\n`
}

/** The pasted codes are text as well. */
function sheetRows(pasted: Pasted, results: Results): Cell[][] {
  const width = widthOf(pasted)
  const given = (row: readonly string[]) =>
    padded(row, width).map((cell, at) => (at !== pasted.column && SHORT_NUMBER.test(cell) ? Number(cell) : cell))
  return [[...headOf(pasted), ...ADDED], ...results.map((one, at) => [...given(pasted.rows[at] ?? []), ...added(one)])]
}

const BYTE_ORDER_MARK = '\ufeff'

/** Without the mark at the front Excel reads Arabic as something else. */
export function csvFile(pasted: Pasted, results: Results): Blob {
  return new Blob([BYTE_ORDER_MARK, csv(pasted, results)], { type: 'text/csv;charset=utf-8' })
}

export function excelFile(pasted: Pasted, results: Results, isRightToLeft: boolean): Blob {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  return new Blob([workbook(sheetRows(pasted, results), isRightToLeft)], { type })
}
