/** Turns a country's own list into a layer directory, which `build --layer` applies to a snapshot. */
import { OperatorError } from '../../src/errors.js'
import type { CountryCertainty, RuleStatus } from '../../src/snapshot/country-format.js'
import { csvCells } from '../../src/tables/csv-text.js'
import { COUNTRY_FILE } from '../dataset/countries/country-file.js'
import { RATES_FILE } from '../dataset/countries/rates.js'
import { SOURCES_FILE } from '../dataset/countries/sources.js'
import type { CountryFacts } from './country-facts.js'
import type { Layout, Skipped, TariffLine } from './layout.js'
import { countLines, dayOfList, type LineCounts, sourceText } from './list-lines.js'
import { type FileToRead, readTariffFile } from './read-file.js'
import { requireEmptyTarget, writeLayer } from './write.js'

export interface CountryImport extends FileToRead {
  layout: Layout & Required<Pick<Layout, 'country'>>
  /** Day of the list, if the file does not have it. */
  date: string | undefined
  out: string
  /** The facts about the country that the file lacks; undefined if they are unknown. */
  facts: CountryFacts | undefined
}

export interface CountryImportSummary {
  rowsRead: number
  date: string
  lines: LineCounts
  titles: number
  skipped: Skipped[]
}

export async function importCountry(options: CountryImport): Promise<CountryImportSummary> {
  const { layout, facts, out } = options
  await requireEmptyTarget(out)
  const { rowsRead, result } = await readTariffFile(options)
  const { lines, titles, skipped } = result
  if (lines.length === 0) throw new OperatorError(`${options.file}: no row has a duty`)
  const date = dayOfList(options.date, lines)
  if (date === '')
    throw new OperatorError(
      `--date is missing: a file of the layout ${layout.name} does not contain the day of its list; give it as YYYY-MM-DD`,
    )
  const source = `${layout.country.code.toLowerCase()}-list-${date}`
  const sources = [[source, sourceText(layout.country, date)], ...(facts?.sources ?? [])]
  const files = new Map([
    [
      RATES_FILE,
      csvText(
        RATE_COLUMNS,
        rateRows(lines, date).map(row => cellsOf(row, date, source)),
      ),
    ],
    [SOURCES_FILE, csvText(['source', 'text'], sources)],
    ...(facts?.tables ?? []),
  ])
  if (facts !== undefined) {
    const country = { ...facts.country, coverage: 'all', lists: [{ date, source }] }
    files.set(COUNTRY_FILE, `${JSON.stringify(country, null, 2)}\n`)
  }
  await writeLayer(out, files)
  return { rowsRead, date, lines: countLines(lines), titles, skipped }
}

const RATE_COLUMNS = ['list', 'prefix', 'rate', 'status', 'date', 'source', 'certainty']

function csvText(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, ...rows].map(cells => `${csvCells(cells)}\n`).join('')
}

export interface PrefixRate {
  prefix: string
  rate: string
  status: RuleStatus
  date: string
  certainty: CountryCertainty
}

function cellsOf({ prefix, rate, status, date, certainty }: PrefixRate, list: string, source: string): string[] {
  return [list, prefix, rate, status, date, source, certainty]
}

/**
 * A line that is missing from the list gets the rate of the lines with the same first 8 digits, or else 6, if all of them
 * agree.
 */
const NEIGHBOUR_DIGITS = [8, 6]

function byBeginning(lines: readonly TariffLine[], digits: number): Map<string, TariffLine[]> {
  const groups = new Map<string, TariffLine[]>()
  for (const line of lines) {
    const prefix = line.code.slice(0, digits)
    const group = groups.get(prefix)
    if (group === undefined) groups.set(prefix, [line])
    else group.push(line)
  }
  return groups
}

/** One row for each line, and rows with shorter prefixes for lines of a dataset that the list lacks. */
export function rateRows(lines: readonly TariffLine[], list: string): PrefixRate[] {
  const unknown = { rate: '', status: 'unknown', date: list, certainty: 'uncertain' } as const
  const byPrefix = new Map<string, PrefixRate>([['', { prefix: '', ...unknown }]])
  for (const { code, rate, status, date } of lines)
    byPrefix.set(code, {
      prefix: code,
      rate,
      status,
      date: date || list,
      certainty: status === 'unknown' ? 'uncertain' : 'published',
    })
  for (const digits of NEIGHBOUR_DIGITS)
    for (const [prefix, neighbours] of byBeginning(lines, digits)) {
      const [{ rate, status }] = neighbours
      const isShared = neighbours.every(line => line.status === status && line.rate === rate)
      const isDerivable = isShared && (status === 'allowed' || status === 'prohibited')
      byPrefix.set(prefix, isDerivable ? { prefix, rate, status, date: list, certainty: 'derived' } : { prefix, ...unknown })
    }
  const rows = [...byPrefix.values()].sort((a, b) => (a.prefix < b.prefix ? -1 : 1))
  return rows.filter(row => !isRepeated(row, byPrefix))
}

/** Whether the shorter prefix already gives the same rate. */
function isRepeated({ prefix, rate, status, certainty }: PrefixRate, byPrefix: ReadonlyMap<string, PrefixRate>): boolean {
  const [long, short] = NEIGHBOUR_DIGITS
  const above = prefix.length === long ? byPrefix.get(prefix.slice(0, short)) : undefined
  return above?.rate === rate && above.status === status && above.certainty === certainty
}
