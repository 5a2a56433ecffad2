/** Reads CSV or XLSX as rows of text with line numbers. */
import { open, stat } from 'node:fs/promises'
import { getHeapStatistics } from 'node:v8'
import { OperatorError } from '../errors.js'
import { readCsv } from './csv.js'
import { readXlsx } from './xlsx.js'

export interface TableRow {
  line: number
  cells: string[]
}

/** `part` is from 0 to 1. */
export type Progress = (part: number, rows: number) => void

const PROGRESS_EVERY_ROWS = 1_000
/** Leaves room to process the rows. */
const HEAP_PART_MAX = 0.8
/** The young generation counts towards the limit, but holds nothing for long. */
const YOUNG_HEAP_BYTES = (Number.parseInt(process.versions.node, 10) >= 24 ? 192 : 48) * 1_048_576
/** With entries, or empty. */
const ZIP_BEGINS = ['PK\u0003\u0004', 'PK\u0005\u0006']

export interface TableFile {
  /** Bytes, never 0. */
  size: number
  /** As XLSX files are. */
  isZip: boolean
}

export async function inspect(file: string): Promise<TableFile> {
  const found = await look(file).catch(error => {
    throw error instanceof OperatorError ? error : new OperatorError(`${file}: ${(error as Error).message}`)
  })
  if (found.size === 0) throw new OperatorError(`${file}: the file is empty`)
  return found
}

async function look(file: string): Promise<TableFile> {
  const found = await stat(file)
  if (found.isDirectory()) throw new OperatorError(`${file}: this is a directory; name the CSV or XLSX file in it`)
  if (!found.isFile()) throw new OperatorError(`${file}: this is not a regular file; save the table to one first`)
  const handle = await open(file, 'r')
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    return { size: found.size, isZip: ZIP_BEGINS.includes(buffer.toString('latin1')) }
  } finally {
    await handle.close()
  }
}

export function checkFields(file: string, columns: number, { line, cells }: TableRow, separator = 'comma'): void {
  if (cells.length === columns) return
  // some programs append separators to every row
  if (cells.length > columns && cells.slice(columns).every(cell => cell.trim() === '')) return
  throw new OperatorError(
    `${file}:${line}: the row has ${cells.length} fields, the header ${columns}; ` +
      `text that contains a ${separator} must be quoted`,
  )
}

/** Stops with a clear message before Node runs out of heap. */
function checkMemory(file: string, rows: number): void {
  const { used_heap_size, heap_size_limit } = getHeapStatistics()
  const limit = heap_size_limit - YOUNG_HEAP_BYTES
  if (used_heap_size < limit * HEAP_PART_MAX) return
  const megabytes = Math.round(limit / 1_048_576)
  throw new OperatorError(
    `${file}: memory is full after ${rows} rows; Node may use ${megabytes} MB of it here, ` +
      `NODE_OPTIONS=--max-old-space-size=${megabytes * 2} gives it twice as much`,
  )
}

/** `begin` receives the header and returns the row handler. Returns the number of rows. */
export async function readTable(
  file: string,
  progress: Progress,
  begin: (header: string[]) => (row: TableRow) => void,
): Promise<number> {
  const { size, isZip } = await inspect(file)
  let header: string[] | undefined
  let take: (row: TableRow) => void = () => {}
  let rows = 0
  const each = (row: TableRow) => {
    if (header === undefined) {
      header = row.cells.map(name => name.trim())
      take = begin(header)
      return
    }
    checkFields(file, header.length, row)
    take(row)
    rows++
  }
  if (isZip) await readXlsx(file, each)
  else {
    await readCsv(file, each, {
      progress: bytes => {
        if (rows % PROGRESS_EVERY_ROWS !== 0) return
        checkMemory(file, rows)
        progress(bytes / size, rows)
      },
    })
  }
  progress(1, rows)
  if (rows === 0) throw new OperatorError(`${file}: the file has no rows below its header`)
  return rows
}
