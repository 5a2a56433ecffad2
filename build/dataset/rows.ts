import { type CsvRecord, parseCsv } from './csv.js'
import type { Defect } from './defect.js'

export const COLUMNS = [
  'hs_code',
  'description_en',
  'description_ar',
  'tariff_rate',
  'is_active',
  'keywords_en',
  'keywords_ar',
] as const

type ColumnName = (typeof COLUMNS)[number]

/** A line of the dataset as read from its file: text that is not checked yet. */
export type Row = Record<ColumnName, string> & { file: string; line: number }

export function parseRows(text: string, file: string, defects: Defect[]): Row[] {
  let parsed: CsvRecord[]
  try {
    parsed = parseCsv(text)
  } catch (error) {
    const line = (error as { lines?: number }).lines ?? 1
    defects.push({ file, line, message: `this is not valid CSV: ${(error as Error).message}` })
    return []
  }
  const header = parsed[0]?.cells ?? []
  const unknown = header.filter(name => !(COLUMNS as readonly string[]).includes(name))
  const missing = COLUMNS.filter(name => !header.includes(name))
  for (const name of unknown) defects.push({ file, line: 1, message: `unknown column "${name}"` })
  for (const name of missing) defects.push({ file, line: 1, message: `the column ${name} is missing` })
  if (unknown.length > 0 || missing.length > 0) return []
  const places = COLUMNS.map(name => header.indexOf(name))
  const rows: Row[] = []
  for (const { cells, line } of parsed.slice(1)) {
    if (cells.length !== header.length) {
      const message = `the row has ${cells.length} fields, the header ${header.length}`
      defects.push({ file, line, message })
      continue
    }
    const [code, en, ar, rate, active, keywordsEn, keywordsAr] = places.map(place => cells[place])
    rows.push({
      file,
      line,
      hs_code: code as string,
      description_en: en as string,
      description_ar: ar as string,
      tariff_rate: rate as string,
      is_active: active as string,
      keywords_en: keywordsEn as string,
      keywords_ar: keywordsAr as string,
    })
  }
  return rows
}
