/** CSV or XLSX → rows of text with their line numbers. */
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { parse } from 'csv-parse'
import readXlsxFile from 'read-excel-file/node'
import { OperatorError } from '../../src/errors.js'

export interface TableRow {
  line: number
  cells: string[]
}

export interface Table {
  header: string[]
  rows: TableRow[]
}

/** Told how far reading has come, from 0 to 1. */
export type Progress = (part: number, rows: number) => void

/** Bounds what one file may take of memory; the largest official tariffs have a tenth of it. */
const ROWS_MAX = 1_000_000
const PROGRESS_EVERY_ROWS = 1_000

async function isZip(file: string): Promise<boolean> {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    return bytesRead === 4 && buffer.toString('latin1') === 'PK\u0003\u0004'
  } finally {
    await handle.close()
  }
}

/** Codes in spreadsheets are often numbers: they are written out in full, never as 1.01E+11. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value).toString() : String(value)
  if (value instanceof Date) return value.toISOString().slice(0, 10)
  return String(value)
}

async function readXlsx(file: string): Promise<TableRow[]> {
  try {
    // the first sheet; a formula's last computed value is what the file holds
    const sheets = await readXlsxFile(file)
    const data = sheets[0]?.data ?? []
    return data.map((cells, i) => ({ line: i + 1, cells: cells.map(cellText) }))
  } catch (error) {
    throw new OperatorError(`${file}: this is not a readable XLSX file: ${(error as Error).message}`)
  }
}

async function readCsv(file: string, size: number, progress: Progress): Promise<TableRow[]> {
  const rows: TableRow[] = []
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const input = createReadStream(file)
  const parser = parse({ bom: true, info: true, relax_column_count: true, skip_empty_lines: true })
  let read = 0
  const feed = async () => {
    for await (const chunk of input as AsyncIterable<Buffer>) {
      read += chunk.length
      let text: string
      try {
        text = decoder.decode(chunk, { stream: true })
      } catch {
        throw new OperatorError(
          `${file}: the file is not valid UTF-8 (before byte ${read}); save it as UTF-8`,
        )
      }
      if (!parser.write(text)) await new Promise(resolve => parser.once('drain', resolve))
    }
    parser.end()
  }
  const feeding = feed().catch(error => parser.destroy(error as Error))
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[]
      info: { lines: number }
    }>) {
      rows.push({ line: info.lines, cells: record })
      if (rows.length % PROGRESS_EVERY_ROWS === 0) progress(size === 0 ? 1 : read / size, rows.length)
      if (rows.length > ROWS_MAX) throw new OperatorError(`${file}: more than ${ROWS_MAX} rows`)
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error
    const line = (error as { lines?: number }).lines
    throw new OperatorError(
      `${file}${line ? `:${line}` : ''}: this is not valid CSV: ${(error as Error).message}`,
    )
  } finally {
    await feeding
  }
  return rows
}

export async function readTable(file: string, progress: Progress): Promise<Table> {
  let size: number
  try {
    size = (await stat(file)).size
  } catch (error) {
    throw new OperatorError(`${file}: ${(error as Error).message}`)
  }
  if (size === 0) throw new OperatorError(`${file}: the file is empty`)
  const rows = (await isZip(file)) ? await readXlsx(file) : await readCsv(file, size, progress)
  progress(1, rows.length)
  const [first, ...rest] = rows
  if (first === undefined || rest.length === 0)
    throw new OperatorError(`${file}: the file has no rows below its header`)
  return { header: first.cells.map(name => name.trim()), rows: rest }
}
