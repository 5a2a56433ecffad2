/** Reads the small tables: all tables except the chapter files. Their header is fixed, and cells are not trimmed. */
import { type CsvRecord, parseCsv } from './csv.js'
import type { Defect } from './defect.js'
import { findStrayCharacter, UNPRINTABLE } from './stray-characters.js'

export type TableRow<Column extends string> = Record<Column, string> & { line: number }

/** Rows under the given header. A row that cannot be read is reported as a defect and left out. */
export function parseTable<Column extends string>(
  text: string,
  file: string,
  columns: readonly Column[],
  defects: Defect[],
): TableRow<Column>[] {
  const report = (line: number, message: string) => defects.push({ file, line, message })
  let parsed: CsvRecord[]
  try {
    parsed = parseCsv(text)
  } catch (error) {
    report((error as { lines?: number }).lines ?? 1, `this is not valid CSV: ${(error as Error).message}`)
    return []
  }
  if (parsed[0]?.cells.join() !== columns.join()) {
    report(1, `the header must be ${columns.join()}`)
    return []
  }
  const rows: TableRow<Column>[] = []
  for (const { cells, line } of parsed.slice(1)) {
    if (cells.length !== columns.length) {
      report(line, `the row has ${cells.length} fields, the header ${columns.length}`)
      continue
    }
    const row: Record<string, string | number> = { line }
    columns.forEach((name, i) => {
      row[name] = cells[i]
      const stray = findStrayCharacter(cells[i], UNPRINTABLE)
      if (stray !== undefined) report(line, `${name} has ${stray}`)
    })
    rows.push(row as TableRow<Column>)
  }
  return rows
}
