/** Writes a table of typed values: to a file completely or not at all, to standard output as fast as its reader allows. */
import { setImmediate } from 'node:timers/promises'
import { fillAtomic } from '../files/atomic-file.js'
import { CsvWriter } from './csv-writer.js'
import { PLAIN } from './dialect.js'
import { JsonWriter } from './json-writer.js'
import { refuseExisting, writeError } from './out-file.js'
import type { AddedColumn, RowWriter, Sink } from './table.js'
import type { TableColumn, TableWriter, Value } from './table-writer.js'
import { XlsxWriter } from './xlsx-writer.js'

export const TEXT_FORMATS = ['csv', 'json', 'jsonl'] as const
export const TABLE_FORMATS = [...TEXT_FORMATS, 'xlsx'] as const
export type TableFormat = (typeof TABLE_FORMATS)[number]

export interface Table {
  columns: readonly TableColumn[]
  rows: Iterable<readonly Value[]>
}

export interface WriteOptions {
  format: TableFormat
  /** Whether CSV is written so that Excel opens it correctly. */
  forExcel: boolean
  /** Called after each piece. */
  progress?: (rows: number) => void
  /** Aborts the work before the file is replaced; the signal's reason is thrown. */
  signal?: AbortSignal
}

const ROWS_AT_A_TIME = 500

function cellOf(value: Value): string {
  if (value === null) return ''
  return typeof value === 'object' ? value.join(' ') : String(value)
}

const KINDS: Readonly<Record<TableColumn['kind'], AddedColumn['kind']>> = {
  text: 'text',
  code: 'code',
  codes: 'code',
  number: 'number',
  flag: 'text',
}

/** Adapts the writers of CSV and XLSX, which take text. */
class CellWriter implements TableWriter {
  constructor(
    private readonly writer: RowWriter,
    columns: readonly AddedColumn[],
  ) {
    writer.row(
      [],
      columns.map(({ name }) => name),
    )
  }

  row(values: readonly Value[]): void {
    this.writer.row([], values.map(cellOf))
  }

  flush(): Promise<void> {
    return this.writer.flush()
  }

  end(): Promise<void> {
    return this.writer.end()
  }
}

function writerOf(table: Table, sink: Sink, file: string, { format, forExcel }: WriteOptions): TableWriter {
  const cells = table.columns.map(({ name, kind }) => ({ name, kind: KINDS[kind] }))
  switch (format) {
    case 'csv':
      return new CellWriter(new CsvWriter(sink, PLAIN, cells, forExcel), cells)
    case 'xlsx':
      return new CellWriter(new XlsxWriter(sink, file, cells), cells)
    default:
      return new JsonWriter(sink, table.columns, format === 'jsonl')
  }
}

async function writeRows({ rows }: Table, writer: TableWriter, { progress = () => {}, signal }: WriteOptions): Promise<number> {
  let count = 0
  for (const row of rows) {
    writer.row(row)
    if (++count % ROWS_AT_A_TIME !== 0) continue
    // wait for a turn of the event loop, in which signals arrive, because not every writer waits
    await setImmediate()
    signal?.throwIfAborted()
    await writer.flush()
    progress(count)
  }
  await writer.end()
  return count
}

/** Only for text formats, because XLSX needs a file. */
export async function writeTable(table: Table, sink: Sink, options: WriteOptions): Promise<number> {
  return writeRows(table, writerOf(table, sink, '', options), options)
}

export async function writeTableFile(table: Table, out: string, force: boolean, options: WriteOptions): Promise<number> {
  await refuseExisting(out, force)
  let rows = 0
  await fillAtomic(out, async handle => {
    rows = await writeRows(table, writerOf(table, handle, out, options), options)
    options.signal?.throwIfAborted()
    // checked again, because the file may have been created in the meantime
    await refuseExisting(out, force)
  }).catch(error => {
    throw writeError(out, error)
  })
  return rows
}
