/** Copies a CSV file, fills some of its cells and adds columns after the last one. Every other byte stays as it is. */
import { createReadStream } from 'node:fs'
import { OperatorError } from '../errors.js'
import { fillAtomic } from '../files/atomic-file.js'
import { validUtf8 } from './csv.js'
import { csvCells, quoted } from './csv-text.js'
import { readDialect, SEPARATORS } from './dialect.js'
import { refuseExisting, refuseOutput, writeError } from './out-file.js'
import { checkFields, inspect, type Progress } from './table.js'

export interface Filling {
  added: readonly string[]
  /** `cells`: the cells of a row, without quotes. Returns the cells to replace, by column, and the cells to add. */
  fill(cells: readonly string[]): { replaced: ReadonlyMap<number, string>; added: readonly string[] }
}

export interface FillOptions {
  file: string
  out: string
  separator: string | undefined
  force: boolean
  progress: Progress
  /** Aborts the work before the file is replaced; the signal's reason is thrown. */
  signal: AbortSignal
  begin(header: readonly string[]): Filling
}

/** Maximum length of a row, exceeded if a quote is never closed; real rows are far shorter. */
const ROW_CHARS_MAX = 1_048_576
const BOM = '\ufeff'

/** A row as it is written: cells with their quotes, and the end of its line. */
interface RawRow {
  line: number
  cells: string[]
  end: string
}

/** Splits a text, which arrives in pieces, into rows. */
export class RawRows {
  #text = ''
  #line = 1

  constructor(
    private readonly file: string,
    private readonly separator: string,
  ) {}

  /** Yields the rows that are complete; after the last piece, all remaining rows. */
  *take(piece: string, isLast: boolean): Generator<RawRow> {
    this.#text += piece
    let start = 0
    for (;;) {
      const row = this.#rowAt(start, isLast)
      if (row === undefined) break
      start = row.next
      yield row.row
    }
    this.#text = this.#text.slice(start)
    if (this.#text.length > ROW_CHARS_MAX) this.#refuse('it is longer than a megabyte; is a quote not closed?')
  }

  #rowAt(start: number, isLast: boolean): { row: RawRow; next: number } | undefined {
    const text = this.#text
    if (start >= text.length) return undefined
    const cells: string[] = []
    let at = start
    for (;;) {
      const cellStart = at
      if (text[at] === '"') {
        for (;;) {
          const close = text.indexOf('"', at + 1)
          if (close < 0 || (close + 1 === text.length && !isLast))
            return isLast ? this.#refuse('a quote is not closed') : undefined
          at = close + 1
          if (text[at] !== '"') break
        }
        const after = text[at]
        if (after !== undefined && after !== this.separator && after !== '\r' && after !== '\n')
          this.#refuse('a quoted cell continues after its closing quote')
      } else {
        while (at < text.length && text[at] !== this.separator && text[at] !== '\r' && text[at] !== '\n') {
          if (text[at] === '"') this.#refuse('a cell contains a quote but does not begin with one')
          at++
        }
      }
      // the next piece may continue the cell, or start with the second character of a line end
      if (!isLast && (at === text.length || (text[at] === '\r' && at + 1 === text.length))) return undefined
      cells.push(text.slice(cellStart, at))
      if (text[at] !== this.separator) break
      at++
    }
    const end = text[at] === '\r' && text[at + 1] === '\n' ? '\r\n' : (text[at] ?? '')
    const row = { line: this.#line, cells, end }
    const next = at + end.length
    for (let i = start; i < next; i++) if (text[i] === '\n' || (text[i] === '\r' && text[i + 1] !== '\n')) this.#line++
    return { row, next }
  }

  #refuse(why: string): never {
    throw new OperatorError(`${this.file}:${this.#line}: the row that begins here is not valid CSV: ${why}`)
  }
}

const plain = (raw: string) => (raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw)

/** A filled cell has quotes if the one it replaces had them. */
const written = (text: string, raw: string, separator: string) =>
  raw.startsWith('"') ? quoted(text) : csvCells([text], separator)

export async function fillTable(options: FillOptions): Promise<number> {
  const { file, out, force, signal, progress, begin } = options
  const { size, isZip } = await inspect(file)
  if (isZip) throw new OperatorError(`${file}: --into fills CSV files only; save the sheet as CSV`)
  await refuseOutput(file, out, force)
  const { separator, bom } = await readDialect(file, options.separator)
  const parser = new RawRows(file, separator)
  let filling: Filling | undefined
  let columns = 0
  let rows = 0
  const rowText = (row: RawRow): string => {
    const { cells, end } = row
    const isBlank = cells.length === 1 && cells[0] === '' && columns !== 1
    if (isBlank) return end
    if (filling === undefined) {
      filling = begin(cells.map(plain))
      columns = cells.length
      return `${[...cells, csvCells(filling.added, separator)].join(separator)}${end}`
    }
    checkFields(file, columns, { line: row.line, cells: cells.map(plain) }, SEPARATORS[separator] ?? separator)
    rows++
    const { replaced, added } = filling.fill(cells.map(plain))
    const filled = cells.map((raw, i) => {
      const text = replaced.get(i)
      return text === undefined ? raw : written(text, raw, separator)
    })
    return `${[...filled.slice(0, columns), csvCells(added, separator), ...filled.slice(columns)].join(separator)}${end}`
  }
  await fillAtomic(out, async handle => {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
    const input = createReadStream(file)
    let isFirst = true
    const write = async (piece: string, isLast: boolean) => {
      let text = isFirst && bom ? BOM : ''
      const withoutBom = isFirst && bom ? piece.slice(BOM.length) : piece
      if (piece !== '') isFirst = false
      for (const row of parser.take(withoutBom, isLast)) text += rowText(row)
      await handle.writeFile(text)
    }
    for await (const chunk of validUtf8(file, input, () => progress(input.bytesRead / size, rows))) {
      signal.throwIfAborted()
      await write(decoder.decode(chunk, { stream: true }), false)
    }
    await write(decoder.decode(), true)
    if (filling === undefined) throw new OperatorError(`${file}: the file has no header`)
    signal.throwIfAborted()
    // checked again, because the file may have been created in the meantime
    await refuseExisting(out, force)
  }).catch(error => {
    throw writeError(out, error)
  })
  return rows
}
