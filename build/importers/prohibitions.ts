/** Turns lines that a list marks as prohibited into control tables, the only place in a dataset for prohibitions. */
import { OperatorError } from '../../src/errors.js'
import { csvCells } from '../../src/tables/csv-text.js'
import { CONTROL_REASONS_FILE, CONTROL_SOURCES_FILE, CONTROLS_FILE } from '../dataset/controls.js'
import type { Entry, Layout, TariffLine } from './layout.js'
import { dayOfList, sourceText } from './list-lines.js'

const REASON = 'import-prohibited'
const SOURCE = 'tariff-list'

const csvText = (rows: readonly string[][]): string => rows.map(cells => `${csvCells(cells)}\n`).join('')

interface Imported {
  layout: Layout
  date: string | undefined
}

export function prohibitionTables(
  lines: readonly TariffLine[],
  entries: readonly Entry[],
  { layout: { name, country }, date }: Imported,
): Map<string, string> {
  const prohibited = lines.filter(({ status }) => status === 'prohibited')
  if (country === undefined || prohibited.length === 0) return new Map()
  const day = dayOfList(date, lines)
  if (day === '') throw new OperatorError(`--date is missing: a file of the layout ${name} does not contain the day of its list`)
  const codes = new Map(entries.map(({ line, code }) => [line, code]))
  const controls = prohibited
    .map(({ line, code, date: own }) => [codes.get(line) ?? code, own || day])
    .map(([prefix, since]) => [country.code, prefix, 'prohibited', country.authority, REASON, SOURCE, since, 'published'])
  const reason = [REASON, 'Import is prohibited in the tariff list', 'الاستيراد ممنوع في قائمة التعريفة']
  return new Map([
    [CONTROLS_FILE, csvText([['scope', 'prefix', 'kind', 'authority', 'reason', 'source', 'date', 'certainty'], ...controls])],
    [CONTROL_REASONS_FILE, csvText([['reason', 'en', 'ar'], reason])],
    [
      CONTROL_SOURCES_FILE,
      csvText([
        ['source', 'text'],
        [SOURCE, sourceText(country, day)],
      ]),
    ],
  ])
}
