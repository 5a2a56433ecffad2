/** Writes tables as files that spreadsheets open. Loaded when the visitor exports one. */
import { csvCells, spreadsheetText } from '../../../tables/csv-text.js'
import { type Cell, workbook } from './xlsx.js'

export type { Cell } from './xlsx.js'

/** Numbers that Excel shows unchanged: with more digits they become 1.23E+12, and a leading zero would be lost. */
const SHORT_NUMBER = /^-?(?:0|[1-9]\d{0,8})(?:\.\d{1,2})?$/

/** A number if a spreadsheet shows it unchanged, otherwise text. */
export const numberOrText = (text: string): Cell => (SHORT_NUMBER.test(text) ? Number(text) : text)

const BYTE_ORDER_MARK = '\ufeff'

/** Without a byte-order mark Excel would misread Arabic. Pasted or imported text must not be run as a formula. */
export function csvBlob(rows: readonly (readonly string[])[]): Blob {
  const text = rows.map(cells => `${csvCells(cells.map(spreadsheetText))}\r\n`)
  return new Blob([BYTE_ORDER_MARK, ...text], { type: 'text/csv;charset=utf-8' })
}

export function excelBlob(rows: readonly (readonly Cell[])[], isRightToLeft: boolean): Blob {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  return new Blob([workbook(rows, isRightToLeft)], { type })
}
