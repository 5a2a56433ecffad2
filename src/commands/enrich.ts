import { OperatorError } from '../errors.js'
import { readNextEdition } from '../questions/editions.js'
import { ENRICHED, ENRICHED_NEXT, Enricher } from '../questions/enrich.js'
import { readEdition } from '../questions/resolve.js'
import { SEPARATORS } from '../tables/dialect.js'
import { extendTable } from '../tables/extend.js'
import type { AddedColumn } from '../tables/table.js'
import { answered, openCatalog, SNAPSHOT_FLAG } from './ask.js'
import { type Command, flag, text, type Values } from './command.js'
import { interruption } from './interruption.js'
import { progressBar } from './progress.js'
import { escapeControls, printTable } from './terminal.js'
import { required } from './values.js'

const PREFIX = 'hs_'
const KINDS: Readonly<Record<string, AddedColumn['kind']>> = {
  code: 'code',
  candidates: 'code',
  rate: 'number',
  codes: 'code',
}

function separatorOf(values: Values): string | undefined {
  if (values.separator === undefined) return undefined
  const found = Object.entries(SEPARATORS).find(pair => pair.includes(String(values.separator)))
  if (found !== undefined) return found[0]
  throw new OperatorError(`--separator is "${values.separator}"; it must be a comma, a semicolon or the word tab`)
}

const folded = (name: string) => name.trim().toLowerCase()

/** By name, or by number from 1. */
function columnIn(header: readonly string[], wanted: string, file: string): number {
  const named = header.flatMap((name, i) => (folded(name) === folded(wanted) ? [i] : []))
  if (named.length > 1)
    throw new OperatorError(`${file}: ${named.length} columns are called "${wanted}"; give the number of one, from 1`)
  if (named.length === 1) return named[0]
  const number = /^[1-9][0-9]{0,4}$/.test(wanted) ? Number(wanted) : 0
  if (number >= 1 && number <= header.length) return number - 1
  throw new OperatorError(
    `${file}: there is no column "${wanted}"; there are ${header.map(name => `"${escapeControls(name)}"`).join(', ')}`,
  )
}

/** `next` is the year of the next edition, if its columns are wanted. */
function columnsFor(prefix: string, next: string | undefined): AddedColumn[] {
  const added = (name: string, column: string): AddedColumn => ({ name: column, kind: KINDS[name] ?? 'text' })
  const own = ENRICHED.map(name => added(name, prefix + name))
  return next === undefined ? own : [...own, ...ENRICHED_NEXT.map(name => added(name, `${prefix}${next}_${name}`))]
}

function refuseTaken(header: readonly string[], columns: readonly AddedColumn[], file: string): void {
  const taken = columns.find(({ name }) => header.some(known => folded(known) === folded(name)))
  if (taken !== undefined)
    throw new OperatorError(`${file}: there is a column "${taken.name}" already; choose other names by --prefix`)
}

export const enrichCommand: Command = {
  flags: {
    ...SNAPSHOT_FLAG,
    column: text,
    out: text,
    edition: text,
    to: text,
    lines: flag,
    excel: flag,
    prefix: text,
    separator: text,
    force: flag,
  },
  words: ['FILE'],
  run: async (values, [file], print) => {
    const wanted = required(values, 'column', 'the column that holds the codes, by its name or its number from 1')
    const out = required(values, 'out', 'the file to write, .csv or .xlsx')
    const separator = separatorOf(values)
    const prefix = String(values.prefix ?? PREFIX)
    const catalog = await openCatalog(values)
    const year = answered(readEdition(catalog, String(values.edition ?? '')))
    const next = values.to === undefined ? undefined : answered(readNextEdition(catalog, String(values.to)))
    const columns = columnsFor(prefix, next)
    const enricher = new Enricher(catalog, year, { fillLines: values.lines === true, withNext: next !== undefined })
    const bar = progressBar(file)
    const rows = await extendTable({
      file,
      out,
      separator,
      forExcel: values.excel === true,
      force: values.force === true,
      progress: (part, count) => bar.draw(part, `${count} rows`),
      signal: interruption(out),
      begin: header => {
        const column = columnIn(header, wanted, file)
        refuseTaken(header, columns, file)
        return { columns, fill: cellAt => enricher.enrich(cellAt(column)) }
      },
    }).finally(bar.clear)
    print(`${out}: ${rows} rows`)
    const counts = [...enricher.counts].sort(([, a], [, b]) => b - a)
    const rowsByStatus = counts.map(([status, count]) => [`  ${status}`, String(count), ''])
    printTable([{}, { right: true }, {}], rowsByStatus, print)
    if (next !== undefined) print(`HS ${next} changes the codes of ${enricher.changed} rows (provisional)`)
  },
}
