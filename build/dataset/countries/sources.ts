/** sources.csv of the countries: authority, document, date and address, by the key that other tables use. */
import type { Defect } from '../defect.js'
import { parseTable } from '../table.js'
import { RowChecks, UniqueKeys } from './row-checks.js'

export const SOURCES_FILE = 'sources.csv'

export interface SourceRow {
  source: string
  text: string
  line: number
}

export function parseSources(text: string, file: string, defects: Defect[]): SourceRow[] {
  const rows = parseTable(text, file, ['source', 'text'] as const, defects)
  const keys = new UniqueKeys()
  for (const row of rows) {
    const checks = new RowChecks(file, row.line, defects)
    checks.filled('source', row.source)
    checks.filled('text', row.text)
    keys.add(row.source, row.line, `the source ${row.source}`, checks)
  }
  return rows
}

/** Numbers the sources that a part of a snapshot refers to, in the order of their first use. */
export class SourceTable {
  readonly texts: string[] = []
  readonly #places = new Map<string, number>()

  constructor(private readonly textOf: ReadonlyMap<string, string>) {}

  place(source: string): number {
    const known = this.#places.get(source)
    if (known !== undefined) return known
    const place = this.texts.push(this.textOf.get(source) as string) - 1
    this.#places.set(source, place)
    return place
  }
}
