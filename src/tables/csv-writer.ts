import { csvCells, quoted, spreadsheetText } from './csv-text.js'
import type { Dialect } from './dialect.js'
import type { AddedColumn, RowWriter, Sink } from './table.js'
import { type Cell, cellText } from './xlsx.js'

const BOM = '\ufeff'
const DIGITS = /^[0-9]+$/

export class CsvWriter implements RowWriter {
  readonly #sink: Sink
  readonly #dialect: Dialect
  readonly #columns: readonly AddedColumn[]
  readonly #forExcel: boolean
  /** Repeated cells are passed as the same array, so they are rendered only once. */
  readonly #rendered = new WeakMap<readonly string[], string>()
  #text = ''

  /** `forExcel` keeps Excel from converting added codes to numbers, and from running added text. */
  constructor(sink: Sink, dialect: Dialect, columns: readonly AddedColumn[], forExcel: boolean) {
    this.#sink = sink
    this.#dialect = dialect
    this.#columns = columns
    this.#forExcel = forExcel
    if (dialect.bom || forExcel) this.#text = BOM
  }

  row(cells: readonly Cell[], added: readonly string[]): void {
    const { separator, newline } = this.#dialect
    let end = this.#rendered.get(added)
    if (end === undefined) {
      end = added.map((text, i) => separator + this.#added(text, i)).join('') + newline
      this.#rendered.set(added, end)
    }
    // a new table has only added cells, so the separator before the first is left out
    const from = cells.length === 0 && added.length > 0 ? separator.length : 0
    this.#text += csvCells(cells.map(cellText), separator) + end.slice(from)
  }

  #added(text: string, column: number): string {
    const kind = this.#forExcel ? this.#columns[column]?.kind : undefined
    // a leading tab makes Excel treat digits as text
    if (kind === 'code' && DIGITS.test(text)) return quoted(`\t${text}`)
    const isText = kind !== undefined && kind !== 'number'
    return csvCells([isText ? spreadsheetText(text) : text], this.#dialect.separator)
  }

  async flush(): Promise<void> {
    const text = this.#text
    this.#text = ''
    await this.#sink.writeFile(text)
  }

  end(): Promise<void> {
    return this.flush()
  }
}
