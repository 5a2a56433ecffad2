/** Reads CSV or XLSX as rows of text with line numbers. */
import { open, stat } from 'node:fs/promises'
import { getHeapStatistics } from 'node:v8'
import { OperatorError } from '../errors.js'
import { readCsv, type TableRow } from './csv.js'
import { type Cell, cellText, readSheetCells } from './xlsx.js'

export interface AddedColumn {
  name: string
  /** `code`: must stay text although it looks like a number. */
  kind: 'text' | 'code' | 'number'
}

/** A place to write to: a file handle or standard output. */
export interface Sink {
  writeFile(data: string | Uint8Array): Promise<void>
}

export interface RowWriter {
  /** Writes a row, or a blank line if there are no cells. */
  row(cells: readonly Cell[], added: readonly string[]): void
  flush(): Promise<void>
  end(): Promise<void>
}

/** `part` is from 0 to 1. */
export type Progress = (part: number, rows: number) => void

/** The share of the heap that rows may fill; the rest is needed to process them. */
const HEAP_PART_MAX = 0.8
/** The young generation counts towards the heap limit, but holds rows only for a short time. */
const YOUNG_HEAP_BYTES = (Number.parseInt(process.versions.node, 10) >= 24 ? 192 : 48) * 1_048_576
/** Start of a ZIP file with entries, and of an empty one. */
const ZIP_BEGINS = ['PK\u0003\u0004', 'PK\u0005\u0006']

/** Returns the file's size in bytes, and whether it is a ZIP file, as XLSX is. */
export async function inspect(file: string): Promise<{ size: number; isZip: boolean }> {
  const refuse = (why: string) => new OperatorError(`${file}: ${why}`)
  const unreadable = (error: Error) => {
    throw refuse(error.message)
  }
  const found = await stat(file).catch(unreadable)
  if (found.isDirectory()) throw refuse('this is a directory; name the CSV or XLSX file in it')
  if (!found.isFile()) throw refuse('this is not a regular file; save the table to one first')
  if (found.size === 0) throw refuse('the file is empty')
  const handle = await open(file, 'r').catch(unreadable)
  const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0).finally(() => handle.close())
  return { size: found.size, isZip: ZIP_BEGINS.includes(buffer.toString('latin1')) }
}

export function checkFields(file: string, columns: number, { line, cells }: TableRow, separator = 'comma'): void {
  if (cells.length === columns) return
  // some programs append separators to every row, which is harmless
  if (cells.length > columns && cells.slice(columns).every(cell => cell.trim() === '')) return
  throw new OperatorError(
    `${file}:${line}: the row has ${cells.length} fields, the header ${columns}; ` +
      `text that contains a ${separator} must be quoted`,
  )
}

/** Throws an error with advice before Node runs out of heap. */
function checkMemory(file: string, rows: number): void {
  const { used_heap_size, heap_size_limit } = getHeapStatistics()
  const limit = heap_size_limit - YOUNG_HEAP_BYTES
  if (used_heap_size < limit * HEAP_PART_MAX) return
  const megabytes = Math.round(limit / 1_048_576)
  throw new OperatorError(
    `${file}: memory is full after ${rows} rows; Node may use ${megabytes} MB here; ` +
      `set NODE_OPTIONS=--max-old-space-size=${megabytes * 2} to double this limit`,
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
  if (isZip) {
    for (const [i, cells] of (await readSheetCells(file)).entries())
      each({ line: i + 1, cells: cells.map(cell => cellText(cell).trim()) })
  } else {
    await readCsv(file, each, {
      onChunk: bytes => {
        checkMemory(file, rows)
        progress(bytes / size, rows)
      },
    })
  }
  progress(1, rows)
  if (rows === 0) throw new OperatorError(`${file}: the file has no rows below its header`)
  return rows
}
