import { extname } from 'node:path'
import { EXPORT_LAYOUTS, LAYOUT_NAMES, type LayoutName, layoutCells, layoutOf } from '../answers/export-layouts.js'
import { exportColumns, exportRowOf } from '../answers/export-rows.js'
import type { Catalog } from '../catalog/catalog.js'
import type { CountryView } from '../catalog/countries.js'
import { OperatorError } from '../errors.js'
import { LANGUAGES, LEVELS } from '../limits.js'
import { exportedRecords } from '../questions/export.js'
import { oneOf } from '../questions/wording.js'
import type { Value } from '../tables/table-writer.js'
import { TABLE_FORMATS, type Table, type TableFormat, TEXT_FORMATS, writeTable, writeTableFile } from '../tables/write.js'
import {
  answerOrThrow,
  COUNTRY_FLAGS,
  COUNTRY_HELP,
  countryOf,
  numberOf,
  openCatalog,
  SNAPSHOT_FLAG,
  SNAPSHOT_HELP,
} from './ask.js'
import { type Command, flag, text, type Values } from './command.js'
import { interruption } from './interruption.js'
import { stdoutSink } from './output.js'
import { progressBar } from './progress.js'
import { choiceOf } from './values.js'

function formatOf(values: Values, out: string | undefined): TableFormat {
  if (values.format !== undefined) return choiceOf(values, 'format', TABLE_FORMATS)
  if (out === undefined) return 'csv'
  const extension = extname(out).toLowerCase()
  const found = TABLE_FORMATS.find(format => extension === `.${format}`)
  if (found !== undefined) return found
  throw new OperatorError(`--format is missing: ${oneOf(TABLE_FORMATS)}; the name ${out} does not end in one of these`)
}

function* rowsOf(catalog: Catalog, records: Iterable<number>, view: CountryView | undefined): Generator<readonly Value[]> {
  const names = exportColumns(view !== undefined).map(({ name }) => name)
  for (const record of records) {
    const row = exportRowOf(catalog, record, view)
    yield names.map(name => row[name] ?? null)
  }
}

/** The table of --layout, which has no rates. */
function layoutTable(values: Values, catalog: Catalog, records: Iterable<number>): Table {
  const layout = layoutOf(choiceOf(values, 'layout', LAYOUT_NAMES) as LayoutName)
  const language = choiceOf(values, 'lang', LANGUAGES)
  function* rows() {
    for (const record of records) {
      const { cells, tooLong } = layoutCells(layout, exportRowOf(catalog, record), language)
      if (tooLong !== undefined)
        throw new OperatorError(`${catalog.records.code(record)}: its ${tooLong} is too long for --layout ${values.layout}`)
      yield cells
    }
  }
  return { columns: layout.columns, rows: rows() }
}

/** Reads --level. With --layout, the default is the longest lines, under which goods are declared. */
function levelOf(values: Values, catalog: Catalog): number | undefined {
  const level = numberOf(values, 'level')
  return level === undefined && values.layout !== undefined && catalog.lines.longest > 0 ? catalog.lines.longest : level
}

const HELP = `Usage: hsapi export [--layout NAME] [--format csv|json|jsonl|xlsx] [--out FILE] [options]

Writes the dataset as one table, a row for each code, in code order: descriptions in both languages, the codes above, unit, duty
rate and its source. Rows go to standard output, or to a file, which is written completely or not at all.

  --format NAME    csv, json (a list), jsonl (an object on each line) or xlsx.
                   The default is the file extension of FILE, or csv without --out
  --out FILE       the file to write; needed for xlsx
  --layout NAME    the columns that another program imports, in one language:
${LAYOUT_NAMES.map(name => `                   ${name}: ${EXPORT_LAYOUTS[name].program}`).join('\n')}
                   Without --level, only the longest codes. Texts that are too long for the program are shortened between words
  --lang en|ar     with --layout: the language of the descriptions (en)
  --level N        only codes with this many digits: ${LEVELS.join(', ')}
  --within CODE    only this code and the codes below it
  --excel          CSV for Excel: a byte-order mark first, and a tab before each code, in quotes, so that Excel keeps it as text
                   with its zeros, and ' before text that it would run as a formula. Not needed for XLSX
  --force          replace FILE if it exists
  ${COUNTRY_HELP}; adds country, rate_list and rate_date
  ${SNAPSHOT_HELP}`

export const exportCommand: Command = {
  help: HELP,
  flags: {
    ...SNAPSHOT_FLAG,
    ...COUNTRY_FLAGS,
    format: text,
    layout: text,
    lang: text,
    level: text,
    within: text,
    excel: flag,
    out: text,
    force: flag,
  },
  run: async (values, _words, print) => {
    const out = values.out === undefined ? undefined : String(values.out)
    const format = formatOf(values, out)
    const forExcel = values.excel === true
    if (forExcel && format !== 'csv') throw new OperatorError('--excel needs --format csv')
    if (out === undefined && !(TEXT_FORMATS as readonly string[]).includes(format))
      throw new OperatorError(`--out is missing: ${format} needs a file to write`)
    if (values.lang !== undefined && values.layout === undefined) throw new OperatorError('--lang needs --layout')
    if (values.layout !== undefined && values.country !== undefined)
      throw new OperatorError('--country cannot be combined with --layout, whose columns have no rates')
    if (values.layout !== undefined) choiceOf(values, 'layout', LAYOUT_NAMES)
    const catalog = await openCatalog(values)
    const view = countryOf(values, catalog)
    const level = levelOf(values, catalog)
    const records = answerOrThrow(exportedRecords(catalog, { level, within: String(values.within ?? '') }))
    const table: Table =
      values.layout === undefined
        ? { columns: exportColumns(view !== undefined), rows: rowsOf(catalog, records, view) }
        : layoutTable(values, catalog, records)
    if (out === undefined) return void (await writeTable(table, stdoutSink, { format, forExcel }))
    const bar = progressBar(out)
    const rows = await writeTableFile(table, out, values.force === true, {
      format,
      forExcel,
      progress: count => bar.draw(count / catalog.meta.records, `${count} rows`),
      signal: interruption(out),
    }).finally(bar.clear)
    print(`${out}: ${rows} rows`)
  },
}
