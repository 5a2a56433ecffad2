/** Reads XLSX. The library loads whole workbooks and fills gaps with cells, so bounds are checked before it runs. */
import { Readable } from 'node:stream'
import { OperatorError } from '../errors.js'
import { findMarkupFault } from './markup.js'
import { type Part, storedArchive, unpack } from './zip.js'

/** About 250,000 rows; reading takes ten times as much memory. */
const UNPACKED_BYTES_MAX = 64_000_000
/** Limit of the XLSX format. */
const ROWS_MAX = 1_048_576
/** Maximum of last row times last column: the library fills gaps with cells. */
const CELLS_MAX = 10_000_000
/** Maximum number of characters in all cells. A shared string is counted at every use. */
const TEXT_CHARS_MAX = 64_000_000

const CSV_HINT = 'save the sheet as CSV, which has no limit'

/** Parts that contain no sheet are not read, so they may exceed the bounds. */
const WITHOUT_SHEET = /^(?:customXml|docProps|xl\/(?:externalLinks|pivotCache))\//
const isWanted = (name: string) => /\.xml(?:\.rels)?$/.test(name) && !WITHOUT_SHEET.test(name)

const LESS_THAN = 0x3c
/** The start of a row or cell, with or without a namespace. */
const ROW_OR_CELL = /^<(?:[^\s>:]*:)?(row|c)(?=[\s/>])/
// regexp-ignore: linear, a value that is not closed contains no quote that could start another one
const ADDRESSES = /\br\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const ADDRESS = /^([A-Z]{0,3})([0-9]{1,7})$/

function columnNumber(letters: string): number {
  let number = 0
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64
  return number
}

/** Returns the extent of a sheet. Counts at every <, so that no parser can find a row or cell that was not counted. */
function extentOf({ name, bytes }: Part): { rows: number; lastRow: number; lastColumn: string } {
  let tags = 0
  let rows = 0
  let lastRow = 0
  let lastColumn = ''
  for (let at = bytes.indexOf(LESS_THAN); at >= 0; ) {
    const next = bytes.indexOf(LESS_THAN, at + 1)
    const text = bytes.toString('latin1', at, next < 0 ? bytes.length : next)
    const tag = ROW_OR_CELL.exec(text)?.[1]
    if (tag !== undefined) {
      const closings = text.split('>').length - 1
      if (closings === 0) throw new Error(`${name} has a tag that does not end`)
      const blank = closings === 1 && text[text.indexOf('>') - 1] === '/'
      if (tag === 'row') tags++
      for (const [, double, single] of text.matchAll(ADDRESSES)) {
        const address = ADDRESS.exec(double ?? single ?? '')
        if (address === null) throw new Error(`${name} has a row or cell at "${double ?? single}"`)
        const [, letters = '', digits = ''] = address
        rows = Math.max(rows, Number(digits))
        // cells that only have a format take no memory
        if (tag === 'row' || blank) continue
        lastRow = Math.max(lastRow, Number(digits))
        if (columnNumber(letters) > columnNumber(lastColumn)) lastColumn = letters
      }
    }
    at = next
  }
  return { rows: Math.max(rows, tags), lastRow, lastColumn }
}

function checkPart(file: string, part: Part): void {
  const fault = findMarkupFault(part.bytes)
  if (fault?.isTooLong) throw new OperatorError(`${file}: ${part.name} has ${fault.what}; ${CSV_HINT}`)
  if (fault !== undefined) throw new Error(`${part.name} has ${fault.what}`)
  const { rows, lastRow, lastColumn } = extentOf(part)
  if (rows > ROWS_MAX) throw new OperatorError(`${file}: ${part.name} has more than ${ROWS_MAX} rows; ${CSV_HINT}`)
  if (lastRow * columnNumber(lastColumn) > CELLS_MAX) {
    throw new OperatorError(
      `${file}: ${part.name} extends from A1 to ${lastColumn}${lastRow}, but XLSX may have at most ${CELLS_MAX} cells here; ` +
        `delete the cells that are far outside the table, or ${CSV_HINT}`,
    )
  }
}

const DAY_MS = 86_400_000

/** Whether a moment is midnight: sheets store a day as its midnight. */
export const isDay = (moment: Date) => moment.getTime() % DAY_MS === 0

/** Rounds to seconds: sheets store fractions of days, so 12:30 may be a millisecond off. */
const toSecond = (moment: Date) => new Date(Math.round(moment.getTime() / 1_000) * 1_000)

export type Cell = string | number | boolean | Date | null

/** Writes numbers in full, never as 1.01E+11, because codes are often stored as numbers. */
export function cellText(value: Cell | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value).toString() : String(value)
  if (value instanceof Date)
    return value
      .toISOString()
      .replace('T', ' ')
      .slice(0, isDay(value) ? 10 : 19)
  return String(value)
}

/** Reads the first sheet, with rows of equal width; a formula gives its last computed value. */
export async function readSheetCells(file: string): Promise<Cell[][]> {
  let rows: Cell[][]
  let chars = 0
  try {
    const parts = await unpack(file, isWanted, UNPACKED_BYTES_MAX)
    if (parts === undefined)
      throw new OperatorError(`${file}: it unpacks to more than ${UNPACKED_BYTES_MAX} bytes, the limit for XLSX; ${CSV_HINT}`)
    for (const part of parts) checkPart(file, part)
    // passes on only the parts that were checked, because another reader may interpret the file differently
    const archive = Readable.from([storedArchive(parts)], { objectMode: false })
    // imported lazily: loading it takes longer than Node's own start
    const { readSheet } = await import('read-excel-file/node')
    rows = (await readSheet(archive, { trim: false })) as Cell[][]
    for (const row of rows) {
      row.forEach((value, i) => {
        if (typeof value === 'string') chars += value.length
        else if (value instanceof Date) row[i] = toSecond(value)
      })
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`${file}: this is not a readable XLSX file: ${(error as Error).message}`)
  }
  if (chars > TEXT_CHARS_MAX) {
    throw new OperatorError(`${file}: its cells hold more than ${TEXT_CHARS_MAX} characters, the limit for XLSX; ${CSV_HINT}`)
  }
  return rows
}
