/** country.json of a country: names, currency, VAT, and which lists of rates it has. */
import { COUNTRY_CERTAINTIES, type CountryCertainty, VAT_BASES, type VatBase } from '../../../src/snapshot/country-format.js'
import type { Defect } from '../defect.js'
import { RowChecks } from './row-checks.js'

export const COUNTRY_FILE = 'country.json'

export interface CountryFile {
  name: { en: string; ar: string }
  currency: string
  decimals: number
  peg: { usd: string; source: string; certainty: CountryCertainty } | null
  coverage: 'all' | 'some'
  lists: { date: string; source: string }[]
  vat: { rate: string; base: VatBase[]; source: string; date: string; certainty: CountryCertainty }
}

const KEYS = ['name', 'currency', 'decimals', 'peg', 'coverage', 'lists', 'vat']
const DECIMALS_MAX = 4
const NO_COUNTRY: CountryFile = {
  name: { en: '', ar: '' },
  currency: '',
  decimals: 0,
  peg: null,
  coverage: 'some',
  lists: [],
  vat: { rate: '0', base: [], source: '', date: '', certainty: 'uncertain' },
}

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The first line with the key, or the first of the file. */
function lineOf(text: string, key: string): number {
  const at = text.indexOf(`"${key}"`)
  return at < 0 ? 1 : text.slice(0, at).split('\n').length
}

export function parseCountryFile(text: string, file: string, defects: Defect[]): CountryFile {
  const at = (key: string) => new RowChecks(file, lineOf(text, key), defects)
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch (error) {
    new RowChecks(file, 1, defects).report(`this is not JSON: ${(error as Error).message}`)
    return NO_COUNTRY
  }
  if (!isObject(raw)) {
    new RowChecks(file, 1, defects).report('this is not a JSON object')
    return NO_COUNTRY
  }
  for (const key of Object.keys(raw)) if (!KEYS.includes(key)) at(key).report(`unknown field "${key}"`)
  return {
    name: readName(raw.name, at('name')),
    currency: readCurrency(raw.currency, at('currency')),
    decimals: readDecimals(raw.decimals, at('decimals')),
    peg: readPeg(raw.peg, at('peg')),
    coverage: readCoverage(raw.coverage, at('coverage')),
    lists: readLists(raw.lists, at('lists')),
    vat: readVat(raw.vat, at('vat')),
  }
}

function readName(value: unknown, checks: RowChecks): CountryFile['name'] {
  const name = isObject(value) ? value : {}
  const [en, ar] = [textOf(name.en), textOf(name.ar)]
  checks.bilingual('name', en, ar)
  return { en, ar }
}

function readCurrency(value: unknown, checks: RowChecks): string {
  const currency = textOf(value)
  if (!/^[A-Z]{3}$/.test(currency)) checks.report('currency must be three capital letters, such as SAR')
  return currency
}

function readDecimals(value: unknown, checks: RowChecks): number {
  const isCount = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= DECIMALS_MAX
  if (!isCount) checks.report(`decimals must be a whole number from 0 to ${DECIMALS_MAX}`)
  return isCount ? value : 0
}

function readPeg(value: unknown, checks: RowChecks): CountryFile['peg'] {
  if (value === null) return null
  if (!isObject(value)) {
    checks.report('peg must be null or an object with usd, source and certainty')
    return null
  }
  const [usd, source, certainty] = [textOf(value.usd), textOf(value.source), textOf(value.certainty)]
  checks.filled('rate of the peg', usd)
  checks.decimal('rate of the peg', usd)
  checks.oneOf('certainty', certainty, COUNTRY_CERTAINTIES)
  return { usd, source, certainty: certainty as CountryCertainty }
}

function readCoverage(value: unknown, checks: RowChecks): CountryFile['coverage'] {
  checks.oneOf('coverage', textOf(value), ['all', 'some'])
  return value === 'all' ? 'all' : 'some'
}

function readLists(value: unknown, checks: RowChecks): CountryFile['lists'] {
  if (!Array.isArray(value)) {
    checks.report('lists must be a list of objects with date and source')
    return []
  }
  const lists = value.map(list => ({ date: textOf(list?.date), source: textOf(list?.source) }))
  lists.forEach(({ date }, i) => {
    checks.date('date of a list', date)
    if (i > 0 && date <= lists[i - 1].date) checks.report(`lists must be in the order of their dates: ${date} comes too late`)
  })
  return lists
}

function readVat(value: unknown, checks: RowChecks): CountryFile['vat'] {
  if (!isObject(value)) {
    checks.report('vat must be an object with rate, base, source, date and certainty')
    return NO_COUNTRY.vat
  }
  const [rate, source, date, certainty] = [value.rate, value.source, value.date, value.certainty].map(textOf)
  checks.filled('VAT rate', rate)
  checks.percent('VAT rate', rate)
  checks.date('date of the VAT rate', date)
  checks.oneOf('certainty', certainty, COUNTRY_CERTAINTIES)
  const base: unknown[] = Array.isArray(value.base) ? value.base : []
  if (!Array.isArray(value.base) || !base.every(part => (VAT_BASES as readonly unknown[]).includes(part)))
    checks.report(`the base of the VAT must be a list of ${VAT_BASES.join(', ')}`)
  return { rate, base: base as VatBase[], source, date, certainty: certainty as CountryCertainty }
}
