/** The small tables beside the chapters: a fixed header, text cells, every cell trimmed of nothing. */
import { parse } from 'csv-parse/sync'
import type { Defect } from './read.js'

export type TableRow<Column extends string> = Record<Column, string> & { line: number }

/** Rows under the given header; what keeps a table from being read is told as a defect, and the row left out. */
export function parseTable<Column extends string>(
  text: string,
  file: string,
  columns: readonly Column[],
  defects: Defect[],
): TableRow<Column>[] {
  const say = (line: number, message: string) => defects.push({ file, line, message })
  let parsed: { record: string[]; info: { lines: number } }[]
  try {
    parsed = parse(text, { bom: true, info: true, relax_column_count: true, skip_empty_lines: true }) as never
  } catch (error) {
    say((error as { lines?: number }).lines ?? 1, `this is not valid CSV: ${(error as Error).message}`)
    return []
  }
  if (parsed[0]?.record.join() !== columns.join()) {
    say(1, `the header must be ${columns.join()}`)
    return []
  }
  const rows: TableRow<Column>[] = []
  for (const { record, info } of parsed.slice(1)) {
    if (record.length !== columns.length) {
      say(info.lines, `the row has ${record.length} fields, the header ${columns.length}`)
      continue
    }
    const cells = Object.fromEntries(columns.map((name, i) => [name, record[i] as string]))
    rows.push({ ...cells, line: info.lines } as TableRow<Column>)
  }
  return rows
}
