/** XLSX → rows. */
import readXlsxFile from 'read-excel-file/node'
import { OperatorError } from '../../src/errors.js'
import type { TableRow } from './table.js'

/** Codes in spreadsheets are often numbers: they are written out in full, never as 1.01E+11. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value).toString() : String(value)
  if (value instanceof Date) return value.toISOString().slice(0, 10)
  return String(value)
}

/** The first sheet; a formula's last computed value is what the file holds. */
export async function readXlsx(file: string, each: (row: TableRow) => void): Promise<void> {
  let rows: unknown[][]
  try {
    rows = (await readXlsxFile(file))[0]?.data ?? []
  } catch (error) {
    throw new OperatorError(`${file}: this is not a readable XLSX file: ${(error as Error).message}`)
  }
  rows.forEach((cells, i) => {
    each({ line: i + 1, cells: cells.map(cellText) })
  })
}
