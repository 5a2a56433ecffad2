import { controlsOf } from '../answers/controls.js'
import { rateOriginOf } from '../answers/rate-origin.js'
import { recordJson } from '../answers/records.js'
import type { Catalog } from '../catalog/catalog.js'
import type { CountryView } from '../catalog/countries.js'
import { isoDay } from '../clock.js'
import { escapeControls } from '../control-characters.js'
import { LANGUAGES, LOOKUP_INCLUDES } from '../limits.js'
import {
  COUNTRY_FLAGS,
  COUNTRY_HELP,
  countryOf,
  findWritten,
  INCLUDE_FLAG,
  includeOf,
  openCatalog,
  SNAPSHOT_FLAG,
  SNAPSHOT_HELP,
} from './ask.js'
import { type Command, flag, text } from './command.js'
import { bold, printTable } from './terminal.js'
import { choiceOf } from './values.js'

type Language = (typeof LANGUAGES)[number]

const STATUSES = {
  prohibited: "import is prohibited; the common tariff's rate is shown",
  unknown: "the list gives no import rate; the common tariff's rate is shown",
}

function rateLines(catalog: Catalog, record: number, view: CountryView | undefined): string[] {
  const { from, source, certainty, min, max, status, list } = rateOriginOf(catalog, record, view)
  const isSetHere = from === catalog.records.code(record)
  const lines = [`${(view ?? catalog).rateText(record)} %${isSetHere ? '' : `, set for ${from}`}`]
  if (view !== undefined)
    lines.push(list === null ? `${view.country.code}: same as the common tariff` : `${view.country.code}: list of ${list}`)
  if (view !== undefined && status !== 'normal') lines.push(STATUSES[status])
  if (source !== null) lines.push(`${certainty}: ${source} (${dateOf(catalog, record, view)})`)
  if (min !== max) lines.push(`lines below have ${min} to ${max} %`)
  return lines
}

/** Returns the date of the rule in a country's list, or otherwise the date of the source. */
function dateOf(catalog: Catalog, record: number, view: CountryView | undefined): string | undefined {
  return view?.ruleOf(record)?.date ?? catalog.rateOf(record).source?.date
}

function unitLines(catalog: Catalog, record: number, language: Language): string[] {
  const unit = catalog.unitOf(record)
  if (unit === undefined) return []
  const codes = unit.unece === null ? unit.code : `${unit.code}, UN/ECE ${unit.unece}`
  return [`${unit[language]} (${codes})${unit.certainty === 'published' ? '' : `, ${unit.certainty}`}`]
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

function controlLines(catalog: Catalog, record: number, language: Language, view: CountryView | undefined): string[] {
  return controlsOf(catalog, record, view?.country.code).items.map(({ scope, kind, authority, reason, certainty }) => {
    const by = authority === null ? '' : `, ${authority}`
    return `${kind} (${scope}${by}; ${certainty}): ${reason[language]}`
  })
}

/** Returns the codes of the next edition, or nothing if it changes neither the number nor the scope of the code. */
function laterLines(catalog: Catalog, record: number): string[] {
  const { nextEdition } = catalog
  const subheading = catalog.subheadingOf(record)
  if (subheading < 0 || !nextEdition.changes(subheading)) return []
  return [`${catalog.laterCodes(record).join(', ')} in ${nextEdition.year}, provisional`]
}

/** Returns pairs of name and line; if a fact has several lines, only the first has the name. */
function recordTable(catalog: Catalog, record: number, language: Language, view: CountryView | undefined): string[][] {
  const { records, active } = catalog
  const path = catalog.above(record).reverse()
  const digits = Math.max(0, ...path.map(at => records.code(at).length))
  const above = path.map(at => `${records.code(at).padEnd(digits)}  ${records.description(at)[language]}`)
  const named: [string, string[]][] = [
    ['in', above],
    ['rate', rateLines(catalog, record, view)],
    ['unit', unitLines(catalog, record, language)],
    ['controls', controlLines(catalog, record, language, view)],
    ['below', [belowLine(catalog, record)]],
    ['was', earlierLines(catalog, record)],
    ['becomes', laterLines(catalog, record)],
    ['note', active[record] === 1 ? [] : ['this code is inactive']],
  ]
  return named.flatMap(([name, lines]) => lines.map((line, i) => [i === 0 ? name : '', line]))
}

const HELP = `Usage: hsapi lookup CODE [options]

Shows a code: its description, the codes above it, its rate with the source, its unit and controls, how many codes are below it,
what it was in earlier editions, and what it becomes in HS 2028 if it changes. Dots, spaces and a lost leading zero do not
matter; a corrected code is reported on standard error. If the code does not exist, the exit code is 1, and standard error names
its successors, or the codes it replaces in HS 2028, and the nearest code above it.

  --lang en|ar     the language of the codes above (en)
  --json           print the data of /api/v1/hs-codes/CODE
  --include LIST   with --json: ${LOOKUP_INCLUDES.join(', ')},
                   as in the API
  ${COUNTRY_HELP}
  ${SNAPSHOT_HELP}`

export const lookupCommand: Command = {
  help: HELP,
  flags: { ...SNAPSHOT_FLAG, ...INCLUDE_FLAG, ...COUNTRY_FLAGS, lang: text, json: flag },
  words: ['CODE'],
  run: async (values, [code], print) => {
    const language = choiceOf(values, 'lang', LANGUAGES)
    const include = includeOf(values, LOOKUP_INCLUDES)
    const catalog = await openCatalog(values)
    const view = countryOf(values, catalog)
    const record = findWritten(catalog, code)
    if (values.json === true) return print(recordJson(catalog, record, include && { ...include, day: isoDay(Date.now()) }, view))
    const { en, ar } = catalog.records.description(record)
    print(bold(catalog.records.code(record)))
    for (const words of [en, ar]) if (words !== '') print(escapeControls(words))
    printTable([{}, {}], recordTable(catalog, record, language, view), print)
  },
}
