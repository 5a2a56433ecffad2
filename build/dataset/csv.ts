/** Reads CSV into records with line numbers. */
import { parse } from 'csv-parse/sync'

export interface CsvRecord {
  cells: string[]
  /** Counted from 1. */
  line: number
}

/** Throws if the text is not valid CSV; the error may have `lines`. */
export function parseCsv(text: string): CsvRecord[] {
  return plainRecords(text) ?? anyRecords(text)
}

/** The library checks every byte, which is slow, so it reads only texts with quotes or unusual line ends. */
export function anyRecords(text: string): CsvRecord[] {
  const parsed: { record: string[]; info: { lines: number } }[] = parse(text, {
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
  }) as never
  return parsed.map(({ record, info }) => ({ cells: record, line: info.lines }))
}

/** Undefined if a cell contains a quote or a line break, or if lines do not end in LF. */
function plainRecords(text: string): CsvRecord[] | undefined {
  if (text.includes('\r') || text.startsWith('\ufeff')) return undefined
  const records: CsvRecord[] = []
  let line = 0
  for (let start = 0; start < text.length; line++) {
    let end = text.indexOf('\n', start)
    if (end < 0) end = text.length
    if (end > start) {
      const cells = plainCells(text.slice(start, end))
      if (cells === undefined) return undefined
      records.push({ cells, line: line + 1 })
    }
    start = end + 1
  }
  return records
}

/** The cells of a line, if quotes occur only around whole cells; undefined for other lines. */
function plainCells(line: string): string[] | undefined {
  if (!line.includes('"')) return line.split(',')
  const cells: string[] = []
  for (let at = 0; at <= line.length; at++) {
    const isQuoted = line[at] === '"'
    const start = isQuoted ? at + 1 : at
    let end = line.indexOf(isQuoted ? '"' : ',', start)
    if (end < 0) {
      if (isQuoted) return undefined
      end = line.length
    }
    const cell = line.slice(start, end)
    if (!isQuoted && cell.includes('"')) return undefined
    cells.push(cell)
    at = isQuoted ? end + 1 : end
    if (at < line.length && line[at] !== ',') return undefined
  }
  return cells
}
