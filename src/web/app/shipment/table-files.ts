/** Tables as files that spreadsheets open. Loaded only when one is asked for. */
import { csvCells, spreadsheetText } from '../../../tables/csv-text.js'
import { type Cell, workbook } from './xlsx.js'

export type { Cell } from './xlsx.js'

/** Shown by Excel as it is written: more digits become 1.23E+12, and a zero at the front would be lost. */
const SHORT_NUMBER = /^-?(?:0|[1-9]\d{0,8})(?:\.\d{1,2})?$/

/** A number where a spreadsheet shows it as it is written. */
export const numberOrText = (text: string): Cell => (SHORT_NUMBER.test(text) ? Number(text) : text)

const BYTE_ORDER_MARK = '\ufeff'

/** Without the mark at the front Excel reads Arabic as something else. What was pasted or imported must not be run. */
export function csvBlob(rows: readonly (readonly string[])[]): Blob {
  const text = rows.map(cells => `${csvCells(cells.map(spreadsheetText))}\r\n`)
  return new Blob([BYTE_ORDER_MARK, ...text], { type: 'text/csv;charset=utf-8' })
}

export function excelBlob(rows: readonly (readonly Cell[])[], isRightToLeft: boolean): Blob {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  return new Blob([workbook(rows, isRightToLeft)], { type })
}
