import { controlsOf } from '../answers/controls.js'
import { recordJson } from '../answers/records.js'
import type { Catalog } from '../catalog/catalog.js'
import { LANGUAGES, LOOKUP_INCLUDES } from '../limits.js'
import { findWritten, INCLUDE_FLAG, includeOf, openCatalog, SNAPSHOT_FLAG } from './ask.js'
import { type Command, flag, text } from './command.js'
import { bold, escapeControls, printTable } from './terminal.js'
import { choiceOf } from './values.js'

type Language = (typeof LANGUAGES)[number]

function rateLines(catalog: Catalog, record: number): string[] {
  const { meta, rateLow, rateHigh } = catalog
  const { from, source } = catalog.rateOf(record)
  const own = from === catalog.records.code(record)
  const lines = [`${catalog.rateText(record)} %${own ? '' : `, set at ${from}`}`]
  if (source !== undefined) lines.push(`${source.certainty}: ${source.source} (${source.date})`)
  const [low, high] = [rateLow[record], rateHigh[record]]
  if (low !== high) lines.push(`lines below carry ${meta.rates[low]} to ${meta.rates[high]} %`)
  return lines
}

function unitLines(catalog: Catalog, record: number, language: Language): string[] {
  const unit = catalog.unitOf(record)
  if (unit === undefined) return []
  return [`${unit[language]} (${unit.code})${unit.certainty === 'published' ? '' : `, ${unit.certainty}`}`]
}

function count(count: number, one: string, many: string): string {
  return `${count === 0 ? 'no' : count} ${count === 1 ? one : many}`
}

function belowLine({ childCount, lines, level }: Catalog, record: number): string {
  const children = count(childCount[record], 'code', 'codes')
  if (lines.longest === 0) return `${children} one level down`
  if (level[record] === lines.longest) return 'nothing: goods are declared on this line'
  const below = count(lines.countBelow(record), 'line', 'lines')
  return `${children} one level down, ${below} of ${lines.longest} digits`
}

function earlierLines(catalog: Catalog, record: number): string[] {
  return catalog.editions.years.flatMap(year => {
    const codes = catalog.earlierCodes(record, year)
    return codes.length === 0 ? [] : [`${codes.join(', ')} in ${year}`]
  })
}

function controlLines(catalog: Catalog, record: number, language: Language): string[] {
  return controlsOf(catalog, record).items.map(({ scope, kind, authority, reason, certainty }) => {
    const by = authority === null ? '' : `, ${authority}`
    return `${kind} (${scope}${by}; ${certainty}): ${reason[language]}`
  })
}

/** Only where the next edition changes number or scope. */
function laterLines(catalog: Catalog, record: number): string[] {
  const { nextEdition } = catalog
  const subheading = catalog.subheadingOf(record)
  if (subheading < 0 || !nextEdition.changes(subheading)) return []
  return [`${catalog.laterCodes(record).join(', ')} in ${nextEdition.year}, provisional`]
}

/** Pairs of name and line; the name is on its first line only. */
function facts(catalog: Catalog, record: number, language: Language): string[][] {
  const { records, active } = catalog
  const path = catalog.above(record).reverse()
  const digits = Math.max(0, ...path.map(at => records.code(at).length))
  const above = path.map(at => `${records.code(at).padEnd(digits)}  ${records.description(at)[language]}`)
  const named: [string, string[]][] = [
    ['in', above],
    ['rate', rateLines(catalog, record)],
    ['unit', unitLines(catalog, record, language)],
    ['controls', controlLines(catalog, record, language)],
    ['below', [belowLine(catalog, record)]],
    ['was', earlierLines(catalog, record)],
    ['becomes', laterLines(catalog, record)],
    ['note', active[record] === 1 ? [] : ['this code is inactive']],
  ]
  return named.flatMap(([name, lines]) => lines.map((line, i) => [i === 0 ? name : '', line]))
}

export const lookupCommand: Command = {
  flags: { ...SNAPSHOT_FLAG, ...INCLUDE_FLAG, lang: text, json: flag },
  words: ['CODE'],
  run: async (values, [code], print) => {
    const language = choiceOf(values, 'lang', LANGUAGES)
    const include = includeOf(values, LOOKUP_INCLUDES)
    const catalog = await openCatalog(values)
    const record = findWritten(catalog, code)
    if (values.json === true) return print(recordJson(catalog, record, include))
    const { en, ar } = catalog.records.description(record)
    print(bold(catalog.records.code(record)))
    for (const words of [en, ar]) if (words !== '') print(escapeControls(words))
    printTable([{}, {}], facts(catalog, record, language), print)
  },
}
