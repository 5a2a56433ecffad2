/** Writes CSV as a stream. */
import type { FileHandle } from 'node:fs/promises'
import { csvCells, quoted } from './csv-text.js'
import type { Dialect } from './dialect.js'
import type { AddedColumn, RowWriter } from './row-writer.js'
import { type Cell, cellText } from './xlsx.js'

const BOM = '\ufeff'
const DIGITS = /^[0-9]+$/
const START_BYTES = 1_048_576
/** UTF-8 bytes per UTF-16 unit, at most. */
const UNIT_BYTES_MAX = 3

export class CsvWriter implements RowWriter {
  readonly #handle: FileHandle
  readonly #dialect: Dialect
  /** Added columns that Excel would convert to numbers. */
  readonly #guarded: readonly boolean[]
  /** Added cells repeat as the same array, so they are encoded once. */
  readonly #rendered = new WeakMap<readonly string[], Buffer>()
  #bytes = Buffer.allocUnsafe(START_BYTES)
  #length = 0

  /** `forExcel` keeps Excel from converting codes to numbers. */
  constructor(handle: FileHandle, dialect: Dialect, columns: readonly AddedColumn[], forExcel: boolean) {
    this.#handle = handle
    this.#dialect = dialect
    this.#guarded = columns.map(({ kind }) => forExcel && kind === 'code')
    if (dialect.bom || forExcel) this.#text(BOM)
  }

  blank(): void {
    this.#text(this.#dialect.newline)
  }

  row(cells: readonly Cell[], added: readonly string[]): void {
    this.#text(csvCells(cells.map(cellText), this.#dialect.separator))
    let end = this.#rendered.get(added)
    if (end === undefined) {
      end = Buffer.from(this.#ending(added))
      this.#rendered.set(added, end)
    }
    this.#reserve(end.length)
    end.copy(this.#bytes, this.#length)
    this.#length += end.length
  }

  #ending(added: readonly string[]): string {
    const { separator, newline } = this.#dialect
    const cells = added.map((text, i) => {
      // a leading tab makes Excel treat digits as text
      if (this.#guarded[i] && DIGITS.test(text)) return quoted(`\t${text}`)
      return csvCells([text], separator)
    })
    return [...cells.map(cell => separator + cell), newline].join('')
  }

  #text(text: string): void {
    this.#reserve(text.length * UNIT_BYTES_MAX)
    this.#length += this.#bytes.write(text, this.#length)
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes
    if (needed <= this.#bytes.length) return
    const longer = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2))
    this.#bytes.copy(longer, 0, 0, this.#length)
    this.#bytes = longer
  }

  async flush(): Promise<void> {
    await this.#handle.writeFile(this.#bytes.subarray(0, this.#length))
    this.#length = 0
  }

  end(): Promise<void> {
    return this.flush()
  }
}
