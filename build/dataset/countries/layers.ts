/** dataset/countries: one folder per country (a layer), and tables that all countries share. */
import { COUNTRY_CODES, type CountryCode } from '../../../src/snapshot/country-format.js'
import type { Defect } from '../defect.js'
import { FEES_FILE, type FeeRow, parseFees, parseThresholds, THRESHOLDS_FILE, type ThresholdRow } from './charges.js'
import { COUNTRY_FILE, type CountryFile, parseCountryFile } from './country-file.js'
import {
  AGREEMENTS_FILE,
  type AgreementRow,
  ANTI_DUMPING_FILE,
  type AntiDumpingRow,
  CATEGORIES_FILE,
  type CategoryRow,
  MEMBERS_FILE,
  type MemberRow,
  parseAgreements,
  parseAntiDumping,
  parseCategories,
  parseMembers,
  parseTerms,
  TERMS_FILE,
  type TermRow,
} from './origin.js'
import { parseRates, RATES_FILE, type RateRow } from './rates.js'
import { parseSources, SOURCES_FILE, type SourceRow } from './sources.js'
import { parseTaxes, TAXES_FILE, type TaxRow } from './taxes.js'

export const COUNTRIES = 'countries/'
export const LAYER_FILES = [COUNTRY_FILE, RATES_FILE, TAXES_FILE, FEES_FILE, THRESHOLDS_FILE, SOURCES_FILE]
export const SHARED_FILES = [SOURCES_FILE, AGREEMENTS_FILE, MEMBERS_FILE, CATEGORIES_FILE, TERMS_FILE, ANTI_DUMPING_FILE]

export interface Layer {
  code: CountryCode
  /** Prefix of the layer's file names in reports. */
  folder: string
  country: CountryFile
  rates: RateRow[]
  taxes: TaxRow[]
  fees: FeeRow[]
  thresholds: ThresholdRow[]
  /** By key: the country's own sources and the shared ones. */
  sources: ReadonlyMap<string, string>
  /** The layer's own file of sources. */
  sourceRows: SourceRow[]
  /** Names of tables that the layer does not have. */
  missing: string[]
}

export interface OriginTables {
  agreements: AgreementRow[]
  members: MemberRow[]
  categories: CategoryRow[]
  terms: TermRow[]
  antiDumping: AntiDumpingRow[]
}

export interface CountryTables {
  /** In the order of `COUNTRY_CODES`. */
  layers: Layer[]
  origin: OriginTables
  /** The sources that all layers share. */
  sources: SourceRow[]
}

/** Undefined if there is no such file. */
export type TextOf = (file: string) => string | undefined

type Parse<Row> = (text: string, file: string, defects: Defect[]) => Row[]

const sourceTexts = (rows: readonly SourceRow[]): [string, string][] => rows.map(({ source, text }) => [source, text])

export function parseLayer(
  code: CountryCode,
  folder: string,
  textOf: TextOf,
  shared: readonly SourceRow[],
  defects: Defect[],
): Layer {
  const table = <Row>(name: string, parse: Parse<Row>): Row[] => {
    const text = textOf(`${folder}${name}`)
    return text === undefined ? [] : parse(text, `${folder}${name}`, defects)
  }
  const countryFile = `${folder}${COUNTRY_FILE}`
  const countryText = textOf(countryFile)
  if (countryText === undefined) defects.push({ file: countryFile, line: 1, message: 'the file is missing' })
  const sourceRows = table(SOURCES_FILE, parseSources)
  return {
    code,
    folder,
    country: parseCountryFile(countryText ?? '{}', countryFile, countryText === undefined ? [] : defects),
    rates: table(RATES_FILE, parseRates),
    taxes: table(TAXES_FILE, parseTaxes),
    fees: table(FEES_FILE, parseFees),
    thresholds: table(THRESHOLDS_FILE, parseThresholds),
    sources: new Map([...sourceTexts(shared), ...sourceTexts(sourceRows)]),
    sourceRows,
    missing: LAYER_FILES.filter(name => textOf(`${folder}${name}`) === undefined),
  }
}

/** Undefined if there are no country files. */
export function parseCountries(files: readonly string[], textOf: TextOf, defects: Defect[]): CountryTables | undefined {
  const own = files.filter(name => name.startsWith(COUNTRIES)).map(name => name.slice(COUNTRIES.length))
  if (own.length === 0) return undefined
  for (const name of own) {
    const problem = problemWith(name)
    if (problem !== undefined) defects.push({ file: `${COUNTRIES}${name}`, line: 1, message: problem })
  }
  const table = <Row>(name: string, parse: Parse<Row>): Row[] => {
    const text = textOf(`${COUNTRIES}${name}`)
    return text === undefined ? [] : parse(text, `${COUNTRIES}${name}`, defects)
  }
  const sources = table(SOURCES_FILE, parseSources)
  const present = COUNTRY_CODES.filter(code => own.some(name => name.startsWith(`${code}/`)))
  return {
    layers: present.map(code => parseLayer(code, `${COUNTRIES}${code}/`, textOf, sources, defects)),
    origin: {
      agreements: table(AGREEMENTS_FILE, parseAgreements),
      members: table(MEMBERS_FILE, parseMembers),
      categories: table(CATEGORIES_FILE, parseCategories),
      terms: table(TERMS_FILE, parseTerms),
      antiDumping: table(ANTI_DUMPING_FILE, parseAntiDumping),
    },
    sources,
  }
}

/** Refuses unknown files, because a table with a misspelt name would be ignored. */
function problemWith(name: string): string | undefined {
  const [folder, file] = name.includes('/') ? name.split('/') : ['', name]
  if (folder === '') return SHARED_FILES.includes(file) ? undefined : `unknown file; known are ${SHARED_FILES.join(', ')}`
  if (!(COUNTRY_CODES as readonly string[]).includes(folder))
    return `${folder} is not a country of the dataset: ${COUNTRY_CODES.join(', ')}`
  return problemInLayer(file)
}

export function problemInLayer(file: string): string | undefined {
  return LAYER_FILES.includes(file) ? undefined : `unknown file; known are ${LAYER_FILES.join(', ')}`
}
