/** Copies a table to a new file, with columns added after the last one. */
import { extname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { OperatorError } from '../errors.js'
import { fillAtomic } from '../files/atomic-file.js'
import { readCsv } from './csv.js'
import { CsvWriter } from './csv-writer.js'
import { type Dialect, PLAIN, readDialect, SEPARATORS } from './dialect.js'
import { refuseOutput, writeError } from './out-file.js'
import { type AddedColumn, checkFields, inspect, type Progress, type RowWriter } from './table.js'
import { type Cell, cellText, readSheetCells } from './xlsx.js'
import { XlsxWriter } from './xlsx-writer.js'

export interface Extension {
  columns: readonly AddedColumn[]
  fill(cellAt: (column: number) => string): readonly string[]
}

export interface ExtendOptions {
  file: string
  /** The extension, .csv or .xlsx, sets the format. */
  out: string
  /** The separator of a CSV file; detected by default. */
  separator: string | undefined
  /** Whether CSV is written so that Excel opens it correctly. */
  forExcel: boolean
  force: boolean
  /** Set if a row takes long to process: then fewer rows are read at a time, so that progress and signals are not delayed. */
  isSlow?: boolean
  progress: Progress
  /** Aborts the work before the file is replaced; the signal's reason is thrown. */
  signal: AbortSignal
  begin(header: readonly string[]): Extension
}

/** About the size of a hundred rows. */
const SLOW_CHUNK_BYTES = 4_096
const SHEET_ROWS_AT_A_TIME = 1_000
const SLOW_SHEET_ROWS_AT_A_TIME = 100

const OUT_FORMATS = ['.csv', '.xlsx']

async function refuseOut({ file, out, force }: ExtendOptions): Promise<void> {
  if (!OUT_FORMATS.includes(extname(out).toLowerCase()))
    throw new OperatorError(`--out is "${out}"; its name must end in ${OUT_FORMATS.join(' or ')}`)
  await refuseOutput(file, out, force)
}

/** Passes rows with their added cells to a writer. */
class Extender {
  #output: { writer: RowWriter; fill: Extension['fill'] } | undefined
  /** The number of input columns; 0 before the header. */
  columns = 0
  rows = 0

  constructor(
    private readonly options: ExtendOptions,
    private readonly open: (columns: readonly AddedColumn[]) => RowWriter,
  ) {}

  async end(): Promise<void> {
    if (this.#output === undefined) throw new OperatorError(`${this.options.file}: the file has no header`)
    await this.#output.writer.end()
  }

  /** Rejects with an error that names the output file. */
  async flush(): Promise<void> {
    await this.#output?.writer.flush().catch(error => {
      throw writeError(this.options.out, error)
    })
  }

  /** The first row is the header; blank lines before it are dropped. */
  take(cells: readonly Cell[], isBlank: boolean): void {
    if (isBlank) this.#output?.writer.row([], [])
    else if (this.#output === undefined) this.#begin(cells)
    else {
      const { writer, fill } = this.#output
      const added = fill(column => cellText(cells[column]))
      writer.row(cells, added)
      this.rows++
    }
  }

  #begin(cells: readonly Cell[]): void {
    const { columns, fill } = this.options.begin(cells.map(cellText))
    const names = columns.map(({ name }) => name)
    const writer = this.open(columns)
    writer.row(cells, names)
    this.#output = { writer, fill }
    this.columns = cells.length
  }
}

async function extendCsv(options: ExtendOptions, size: number, dialect: Dialect, to: Extender): Promise<void> {
  const { file, isSlow = false, progress, signal } = options
  const separator = SEPARATORS[dialect.separator] ?? dialect.separator
  await readCsv(
    file,
    row => {
      const { cells } = row
      // in a one-column table a blank line is an empty value
      const isBlank = cells.length === 1 && cells[0] === '' && to.columns !== 1
      if (to.columns > 0 && !isBlank) checkFields(file, to.columns, row, separator)
      to.take(to.columns > 0 ? cells.slice(0, to.columns) : cells, isBlank)
    },
    {
      separator: dialect.separator,
      blankLines: true,
      chunkBytes: isSlow ? SLOW_CHUNK_BYTES : undefined,
      onChunk: async bytes => {
        signal.throwIfAborted()
        await to.flush()
        progress(bytes / size, to.rows)
      },
    },
  )
}

async function extendSheet(options: ExtendOptions, to: Extender): Promise<void> {
  const rows = await readSheetCells(options.file)
  const atATime = options.isSlow ? SLOW_SHEET_ROWS_AT_A_TIME : SHEET_ROWS_AT_A_TIME
  for (const [i, cells] of rows.entries()) {
    const isBlank = cells.length > 1 && cells.every(cell => cell === null)
    to.take(cells, isBlank)
    if (i % atATime !== 0) continue
    // wait for a turn of the event loop, in which signals arrive, because an XLSX writer never waits
    await setImmediate()
    options.signal.throwIfAborted()
    await to.flush()
    options.progress(i / rows.length, to.rows)
  }
}

export async function extendTable(options: ExtendOptions): Promise<number> {
  const { file, out, forExcel } = options
  const { size, isZip } = await inspect(file)
  await refuseOut(options)
  const dialect = isZip
    ? { ...PLAIN, separator: options.separator ?? PLAIN.separator }
    : await readDialect(file, options.separator)
  let rows = 0
  await fillAtomic(out, async handle => {
    const open = (columns: readonly AddedColumn[]) =>
      extname(out).toLowerCase() === '.xlsx'
        ? new XlsxWriter(handle, out, columns)
        : new CsvWriter(handle, dialect, columns, forExcel)
    const to = new Extender(options, open)
    await (isZip ? extendSheet(options, to) : extendCsv(options, size, dialect, to))
    await to.end()
    rows = to.rows
    options.signal.throwIfAborted()
    // checked again, because the file may have been created in the meantime
    await refuseOut(options)
  }).catch(error => {
    throw writeError(out, error)
  })
  return rows
}
