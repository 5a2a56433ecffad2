/**
 * XLSX → rows. Its reader holds a whole workbook in memory and fills a sheet's gaps with blank cells, so that a
 * few bytes can ask for any amount; the bounds are therefore checked before it sees anything.
 */
import { Readable } from 'node:stream'
import { OperatorError } from '../errors.js'
import { findMarkupFault } from './markup.js'
import type { TableRow } from './table.js'
import { type Part, storedArchive, unpack } from './zip.js'

/** Some 250,000 rows; reading takes ten times as much memory, and beyond it far more time than CSV. */
const UNPACKED_BYTES_MAX = 64_000_000
/** The format's own limit. */
const ROWS_MAX = 1_048_576
/** Last row times last column, since gaps are filled. */
const CELLS_MAX = 10_000_000
/** Cells share their texts; each use counts. */
const TEXT_CHARS_MAX = 64_000_000

const INSTEAD = 'save the sheet as CSV, which has no such bound'

/** Parts that hold no sheet, and for which the bounds of sheets are too low. */
const WITHOUT_SHEET = /^(?:customXml|docProps|xl\/(?:externalLinks|pivotCache))\//
const isWanted = (name: string) => /\.xml(?:\.rels)?$/.test(name) && !WITHOUT_SHEET.test(name)

/** What the reader would unpack; pictures and the like are passed over. */
async function unpackSheets(file: string): Promise<Part[]> {
  const parts = await unpack(file, isWanted, UNPACKED_BYTES_MAX)
  if (parts === undefined)
    throw new OperatorError(`${file}: it unpacks to more than ${UNPACKED_BYTES_MAX} bytes, the most for XLSX; ${INSTEAD}`)
  return parts
}

const LESS_THAN = 0x3c
/** With or without a namespace. */
const ROW_OR_CELL = /^<(?:[^\s>:]*:)?(row|c)(?=[\s/>])/
// regexp-ignore: linear, a value that is not closed holds no quote that could begin another
const ADDRESSES = /\br\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const ADDRESS = /^([A-Z]{0,3})([0-9]{1,7})$/

function columnNumber(letters: string): number {
  let number = 0
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64
  return number
}

/**
 * How far a sheet reaches. Every < is looked at, wherever it stands, and every address up to the next one: whatever
 * a parser makes of odd markup, it cannot find a row or cell that was not counted here.
 */
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
        // a format without a value takes no room
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
  if (fault?.isTooLong) throw new OperatorError(`${file}: ${part.name} has ${fault.what}; ${INSTEAD}`)
  if (fault !== undefined) throw new Error(`${part.name} has ${fault.what}`)
  const { rows, lastRow, lastColumn } = extentOf(part)
  if (rows > ROWS_MAX) throw new OperatorError(`${file}: ${part.name} has more than ${ROWS_MAX} rows; ${INSTEAD}`)
  if (lastRow * columnNumber(lastColumn) > CELLS_MAX) {
    throw new OperatorError(
      `${file}: ${part.name} reaches from A1 to ${lastColumn}${lastRow}, and ${CELLS_MAX} cells are the most for XLSX; ` +
        `delete what stands far out, or ${INSTEAD}`,
    )
  }
}

const DAY_MS = 86_400_000

/** Whether a moment is the beginning of a day, which is how a sheet has days. */
export const isDay = (moment: Date) => moment.getTime() % DAY_MS === 0
const dayText = (moment: Date) => moment.toISOString().slice(0, 10)
const timeText = (moment: Date) => moment.toISOString().slice(11, 19)

/** Sheets count days and parts of days, so that 12:30 may come out as a millisecond less. */
const toSecond = (moment: Date) => new Date(Math.round(moment.getTime() / 1_000) * 1_000)

/** What a cell holds. */
export type Cell = string | number | boolean | Date | null

/** Codes in spreadsheets are often numbers: they are written out in full, never as 1.01E+11. */
export function cellText(value: Cell | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value).toString() : String(value)
  if (value instanceof Date) return isDay(value) ? dayText(value) : `${dayText(value)} ${timeText(value)}`
  return String(value)
}

/** The first sheet, all rows equally wide, texts as they stand; a formula's last computed value is what the file holds. */
export async function readSheetCells(file: string): Promise<Cell[][]> {
  let rows: Cell[][]
  let chars = 0
  try {
    const parts = await unpackSheets(file)
    for (const part of parts) checkPart(file, part)
    // the parts that were checked, not the file: it may tell another reader something else
    const archive = Readable.from([storedArchive(parts)], { objectMode: false })
    // loaded when a workbook is read: it takes longer than Node's own start
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
    throw new OperatorError(`${file}: its cells hold more than ${TEXT_CHARS_MAX} characters, the most for XLSX; ${INSTEAD}`)
  }
  return rows
}

/** As text, without blanks around it. */
export async function readXlsx(file: string, each: (row: TableRow) => void): Promise<void> {
  const rows = await readSheetCells(file)
  rows.forEach((cells, i) => {
    each({ line: i + 1, cells: cells.map(cell => cellText(cell).trim()) })
  })
}
