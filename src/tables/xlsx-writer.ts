/** Writes XLSX. The library needs all rows in memory, so their number is limited. */
import type { Cell as WrittenCell } from 'write-excel-file/node'
import { OperatorError } from '../errors.js'
import type { AddedColumn, RowWriter, Sink } from './table.js'
import { type Cell, isDay } from './xlsx.js'

/** A table of this size takes some 600 MB of memory. */
const CELLS_MAX = 1_000_000
/** Limits of the XLSX format. */
const ROWS_MAX = 1_048_576
const CELL_CHARS_MAX = 32_767

export class XlsxWriter implements RowWriter {
  readonly #rows: WrittenCell[][] = []
  #cells = 0

  constructor(
    private readonly sink: Sink,
    private readonly name: string,
    private readonly columns: readonly AddedColumn[],
  ) {}

  row(cells: readonly Cell[], added: readonly string[]): void {
    const row = cells.map(cell => this.#written(cell))
    const isHeader = this.#rows.length === 0
    for (let i = 0; i < added.length; i++) {
      const text = added[i]
      const kind = text === '' || isHeader ? 'text' : this.columns[i]?.kind
      if (kind === 'number') row.push(Number(text))
      // @ is the format "text", so that the cell stays text when it is edited
      else row.push(kind === 'code' ? { value: text, type: String, format: '@' } : this.#written(text))
    }
    this.#rows.push(row)
    this.#cells += row.length
    if (this.#cells > CELLS_MAX || this.#rows.length > ROWS_MAX)
      throw new OperatorError(
        `${this.name}: more than ${CELLS_MAX} cells or ${ROWS_MAX} rows, the limit for XLSX; write CSV instead`,
      )
  }

  #written(cell: Cell): WrittenCell {
    if (cell === '' || cell === null) return null
    if (typeof cell === 'string' && cell.length > CELL_CHARS_MAX)
      throw new OperatorError(
        `${this.name}: row ${this.#rows.length + 1} has a cell of ${cell.length} characters, but XLSX allows ${CELL_CHARS_MAX}; write CSV instead`,
      )
    if (cell instanceof Date) {
      return { value: cell, type: Date, format: isDay(cell) ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm:ss' }
    }
    return cell
  }

  async flush(): Promise<void> {}

  async end(): Promise<void> {
    const { default: writeSheet } = await import('write-excel-file/node')
    await this.sink.writeFile(await writeSheet(this.#rows).toBuffer())
  }
}
