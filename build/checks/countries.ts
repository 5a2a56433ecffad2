/** Checks the country tables against each other, the codes of the dataset and the sources. */

import { FEES_FILE, THRESHOLDS_FILE } from '../dataset/countries/charges.js'
import { COUNTRY_FILE } from '../dataset/countries/country-file.js'
import { COUNTRIES, type CountryTables, type Layer, type OriginTables } from '../dataset/countries/layers.js'
import type { CategoryRow, TermRow } from '../dataset/countries/origin.js'
import { AGREEMENTS_FILE, ANTI_DUMPING_FILE, CATEGORIES_FILE, MEMBERS_FILE, TERMS_FILE } from '../dataset/countries/origin.js'
import { RATES_FILE, type RateRow } from '../dataset/countries/rates.js'
import { SOURCES_FILE } from '../dataset/countries/sources.js'
import { TAXES_FILE } from '../dataset/countries/taxes.js'
import type { Defect } from '../dataset/defect.js'

/** The codes of the dataset that a country layer refers to. */
export class CodeList {
  readonly #beginnings = new Set([''])

  /** `lines`: codes that are not subdivided. */
  constructor(readonly lines: readonly string[]) {
    for (const line of lines) for (let n = 2; n <= line.length; n++) this.#beginnings.add(line.slice(0, n))
  }

  hasBeginning(prefix: string): boolean {
    return this.#beginnings.has(prefix)
  }
}

interface PrefixRow {
  prefix: string
  line: number
}

/** Collects defects of one file. */
type Report = (line: number, message: string) => void

function checkPrefixes(rows: readonly PrefixRow[], codes: CodeList, report: Report): void {
  for (const { prefix, line } of rows) if (!codes.hasBeginning(prefix)) report(line, `no code begins with ${prefix}`)
}

/** A country's own list may add subheadings and lines to the dataset, but no headings. */
const OWN_DIGITS_MIN = 6

export function checkLayer(layer: Layer, codes: CodeList): Defect[] {
  const { folder, country, rates, taxes, fees, thresholds, sources } = layer
  const defects: Defect[] = []
  const reportIn =
    (file: string): Report =>
    (line, message) =>
      defects.push({ file: `${folder}${file}`, line, message })
  const checkSources = (rows: readonly { source: string; line: number }[], file: string) => {
    for (const { source, line } of rows)
      if (!sources.has(source)) reportIn(file)(line, `the source "${source}" is not in ${SOURCES_FILE}`)
  }
  checkSources(sourcesOfCountry(layer), COUNTRY_FILE)
  checkSources(rates, RATES_FILE)
  checkSources(taxes, TAXES_FILE)
  checkSources(fees, FEES_FILE)
  checkSources(thresholds, THRESHOLDS_FILE)
  const isShort = ({ prefix }: PrefixRow) => prefix.length < OWN_DIGITS_MIN
  checkPrefixes(rates.filter(isShort), codes, reportIn(RATES_FILE))
  checkPrefixes(taxes, codes, reportIn(TAXES_FILE))
  const notFor = thresholds.flatMap(({ notFor, line }) => notFor.map(prefix => ({ prefix, line })))
  checkPrefixes(notFor, codes, reportIn(THRESHOLDS_FILE))
  checkLists(layer, reportIn(RATES_FILE))
  if (country.coverage === 'all') {
    if (country.lists.length === 0) reportIn(COUNTRY_FILE)(1, 'coverage is "all", but there is no list')
    for (const { date } of country.lists) checkCoverage(date, rates, codes, reportIn(RATES_FILE))
  }
  return defects
}

function sourcesOfCountry({ country: { peg, lists, vat } }: Layer): { source: string; line: number }[] {
  return [...(peg === null ? [] : [peg]), ...lists, vat].map(({ source }) => ({ source, line: 1 }))
}

function checkLists({ country, rates }: Layer, report: Report): void {
  const dates = country.lists.map(({ date }) => date)
  for (const { list, line } of rates)
    if (!dates.includes(list))
      report(line, `the list "${list}" is not one of the lists in ${COUNTRY_FILE}: ${dates.join(', ') || 'there are none'}`)
}

/** Reports all lines without a rate as one defect for each list, because one missing prefix can affect thousands of lines. */
function checkCoverage(list: string, rates: readonly RateRow[], codes: CodeList, report: Report): void {
  const prefixes = new Set(rates.filter(row => row.list === list).map(({ prefix }) => prefix))
  const lengths = [...new Set([...prefixes].map(({ length }) => length))]
  const open = codes.lines.filter(code => !lengths.some(n => prefixes.has(code.slice(0, n))))
  if (open.length > 0)
    report(1, `${open.length} lines have no row in the list ${list}, though coverage is "all"; the first is ${open[0]}`)
}

/** In a full dataset, a prefix that matches no code is a mistake. */
function checkOwnPrefixes({ folder, rates }: Layer, codes: CodeList): Defect[] {
  const defects: Defect[] = []
  const long = rates.filter(({ prefix }) => prefix.length >= OWN_DIGITS_MIN)
  checkPrefixes(long, codes, (line, message) => defects.push({ file: `${folder}${RATES_FILE}`, line, message }))
  return defects
}

export function checkCountries({ layers, origin, sources }: CountryTables, codes: CodeList): Defect[] {
  return [
    ...layers.flatMap(layer => [...checkLayer(layer, codes), ...checkOwnPrefixes(layer, codes)]),
    ...checkOrigin(origin, new Set(sources.map(({ source }) => source)), codes),
    ...checkUse({ layers, origin, sources }),
  ]
}

/** Reports sources that are not used. */
function checkUse({ layers, origin, sources }: CountryTables): Defect[] {
  const usedIn = (layer: Layer) =>
    [sourcesOfCountry(layer), layer.rates, layer.taxes, layer.fees, layer.thresholds].flatMap(rows =>
      (rows as { source: string }[]).map(({ source }) => source),
    )
  const used = new Set([
    ...layers.flatMap(usedIn),
    ...origin.agreements.map(({ source }) => source),
    ...origin.antiDumping.map(({ source }) => source),
  ])
  const unused = (file: string, rows: readonly { source: string; line: number }[], known: ReadonlySet<string>) =>
    rows
      .filter(({ source }) => !known.has(source))
      .map(({ source, line }) => ({ file, line, message: `no row has the source ${source}` }))
  return [
    ...unused(`${COUNTRIES}${SOURCES_FILE}`, sources, used),
    ...layers.flatMap(layer => unused(`${layer.folder}${SOURCES_FILE}`, layer.sourceRows, new Set(usedIn(layer)))),
  ]
}

function checkOrigin(origin: OriginTables, sources: ReadonlySet<string>, codes: CodeList): Defect[] {
  const { agreements, members, categories, terms, antiDumping } = origin
  const defects: Defect[] = []
  const reportIn =
    (file: string): Report =>
    (line, message) =>
      defects.push({ file: `${COUNTRIES}${file}`, line, message })
  const known = new Set(agreements.map(({ agreement }) => agreement))
  const tables = { [MEMBERS_FILE]: members, [CATEGORIES_FILE]: categories, [TERMS_FILE]: terms }
  for (const [file, rows] of Object.entries(tables))
    for (const { agreement, line } of rows)
      if (!known.has(agreement)) reportIn(file)(line, `the agreement "${agreement}" is not in ${AGREEMENTS_FILE}`)
  for (const [file, rows] of Object.entries({ [AGREEMENTS_FILE]: agreements, [ANTI_DUMPING_FILE]: antiDumping }))
    for (const { source, line } of rows)
      if (!sources.has(source)) reportIn(file)(line, `the source "${source}" is not in ${SOURCES_FILE}`)
  checkPrefixes(categories, codes, reportIn(CATEGORIES_FILE))
  checkPrefixes(antiDumping, codes, reportIn(ANTI_DUMPING_FILE))
  checkTerms(categories, terms, reportIn)
  return defects
}

/** An agreement has either one term for all goods (free by default) or one term per category. */
function checkTerms(categories: readonly CategoryRow[], terms: readonly TermRow[], reportIn: (file: string) => Report): void {
  const hasCategories = new Set(categories.map(({ agreement }) => agreement))
  const known = new Set(terms.map(({ agreement, category }) => `${agreement} ${category}`))
  for (const { agreement, category, line } of categories)
    if (!known.has(`${agreement} ${category}`))
      reportIn(CATEGORIES_FILE)(line, `the category "${category}" of ${agreement} has no row in ${TERMS_FILE}`)
  for (const { agreement, category, line } of terms)
    if (!hasCategories.has(agreement) && category !== '')
      reportIn(TERMS_FILE)(line, `${agreement} has no goods in ${CATEGORIES_FILE}, so the category of its term must be blank`)
}
