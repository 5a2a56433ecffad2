/**
 * Turns country layers into columns and tables of a snapshot. Each layer is compiled separately, so that it can be replaced in
 * a snapshot.
 */
import { OperatorError } from '../../src/errors.js'
import {
  COUNTRY_CERTAINTIES,
  COUNTRY_CODES,
  type CountryMeta,
  RULE_STATUSES,
  TAXES_DIFFER_BELOW,
} from '../../src/snapshot/country-format.js'
import type { SnapshotMeta } from '../../src/snapshot/format.js'
import type { Columns } from '../../src/snapshot/schema.js'
import type { Layer } from '../dataset/countries/layers.js'
import type { RateRow } from '../dataset/countries/rates.js'
import { SourceTable } from '../dataset/countries/sources.js'
import { type CommonTariff, LineRuns } from './code-runs.js'
import { type ListRates, ratesOfList, rateTable } from './country-rates.js'
import { compileTaxes } from './country-taxes.js'

type RuleColumns = Pick<Columns, 'rulePrefix' | 'ruleRate' | 'ruleStatus' | 'ruleCertainty' | 'ruleDate' | 'ruleSource'>

/** One compiled country. Rates are indices into `rates`, which starts with the rates of the common tariff. */
export interface CompiledCountry {
  meta: CountryMeta
  rates: readonly string[]
  lists: ListRates[]
  rules: RuleColumns
  tax: Uint16Array
}

/** The greatest numbers that the columns can hold. */
const RATES_MAX = 0x100
const RULES_MAX = 0xffff
const TAX_SETS_MAX = TAXES_DIFFER_BELOW

const ascending = (a: string, b: string) => Number(a) - Number(b)

/** The rates of the common tariff, then the rates that only countries have. */
function extendRates(common: readonly string[], own: Iterable<string>): string[] {
  const added = [...new Set(own)].filter(rate => !common.includes(rate)).sort(ascending)
  return [...common, ...added]
}

function refuseTooMany(what: string, count: number, max: number): void {
  if (count > max) throw new OperatorError(`countries: ${count} ${what}, but a snapshot holds ${max}`)
}

export function compileLayer(layer: Layer, common: CommonTariff, lines = new LineRuns(common)): CompiledCountry {
  const { code, country, rates: rules, fees, thresholds } = layer
  const table = rateTable(
    extendRates(
      common.rates,
      rules.flatMap(({ rate, status }) => (status === 'allowed' ? [rate] : [])),
    ),
  )
  refuseTooMany(`rows in the rates of ${code}`, rules.length, RULES_MAX)
  refuseTooMany('different rates', table.rates.length, RATES_MAX)
  const sources = new SourceTable(layer.sources)
  const sourced = <Row extends { source: string }>({ source, ...row }: Row) => ({ ...row, source: sources.place(source) })
  const unplaced = <Row extends { source: string; line: number }>({ line: _, ...row }: Row) => sourced(row)
  const { taxes, taxSets, tax } = compileTaxes(layer.taxes, sources, common, lines)
  refuseTooMany(`different sets of taxes in ${code}`, taxSets.length, TAX_SETS_MAX)
  const meta: CountryMeta = {
    code,
    name: country.name,
    currency: country.currency,
    decimals: country.decimals,
    peg: country.peg === null ? null : sourced(country.peg),
    coverage: country.coverage,
    vat: sourced(country.vat),
    lists: country.lists.map(list => ({ ...sourced(list), at: 0 })),
    taxes,
    taxSets,
    fees: fees.map(unplaced),
    thresholds: thresholds.map(unplaced),
    sources: sources.texts,
  }
  return {
    meta,
    rates: table.rates,
    lists: country.lists.map(({ date }) => ratesOfList(date, rules, common, lines, table)),
    rules: ruleColumns(rules, sources, rate => table.indexOf(rate)),
    tax,
  }
}

function ruleColumns(rules: readonly RateRow[], sources: SourceTable, rateIndex: (rate: string) => number): RuleColumns {
  return {
    rulePrefix: Float64Array.from(rules, ({ prefix }) => Number(`1${prefix}`)),
    ruleRate: Uint16Array.from(rules, ({ rate, status }) => (status === 'allowed' ? rateIndex(rate) : 0)),
    ruleStatus: Uint8Array.from(rules, ({ status }) => RULE_STATUSES.indexOf(status)),
    ruleCertainty: Uint8Array.from(rules, ({ certainty }) => COUNTRY_CERTAINTIES.indexOf(certainty)),
    ruleDate: Uint32Array.from(rules, ({ date }) => Number(date.replaceAll('-', ''))),
    ruleSource: Uint16Array.from(rules, ({ source }) => sources.place(source)),
  }
}

const ALLOWED = RULE_STATUSES.indexOf('allowed')

function ownRates({ rates, rules }: CompiledCountry): string[] {
  const used = new Set(rules.ruleRate.filter((_, i) => rules.ruleStatus[i] === ALLOWED))
  return [...used].map(rate => rates[rate])
}

export type CountryColumns = Pick<
  Columns,
  'countryRate' | 'countryLow' | 'countryHigh' | 'countryRule' | 'countryTax' | 'ruleAt' | keyof RuleColumns
>

export interface AssembledCountries {
  meta: Pick<SnapshotMeta, 'rates' | 'commonRates' | 'countries'>
  columns: CountryColumns
}

/** Joins the countries in the order of `COUNTRY_CODES`, with one table of rates. */
export function assembleCountries(compiled: readonly CompiledCountry[], common: readonly string[]): AssembledCountries {
  const countries = [...compiled].sort((a, b) => COUNTRY_CODES.indexOf(a.meta.code) - COUNTRY_CODES.indexOf(b.meta.code))
  const rates = extendRates(common, countries.flatMap(ownRates))
  refuseTooMany('different rates', rates.length, RATES_MAX)
  const { indexOf } = rateTable(rates)
  let at = 0
  const lists = countries.flatMap(country => country.lists.map(list => ({ list, places: country.rates.map(indexOf) })))
  const rateColumn = (name: 'rate' | 'low' | 'high') =>
    joined(
      Uint8Array,
      lists.map(({ list, places }) => list[name].map(rate => places[rate])),
    )
  const ruleCounts = countries.map(({ rules }) => rules.rulePrefix.length)
  return {
    meta: {
      rates,
      commonRates: common.length,
      countries: countries.map(({ meta }) => ({ ...meta, lists: meta.lists.map(list => ({ ...list, at: at++ })) })),
    },
    columns: {
      countryRate: rateColumn('rate'),
      countryLow: rateColumn('low'),
      countryHigh: rateColumn('high'),
      countryRule: joined(
        Uint16Array,
        lists.map(({ list }) => list.rule),
      ),
      countryTax: joined(
        Uint16Array,
        countries.map(({ tax }) => tax),
      ),
      ruleAt: Uint32Array.from([0, ...ruleCounts.map((_, i) => sum(ruleCounts.slice(0, i + 1)))]),
      rulePrefix: joined(
        Float64Array,
        countries.map(({ rules }) => rules.rulePrefix),
      ),
      ruleRate: joined(
        Uint16Array,
        countries.map(({ rules, rates: own }) => rules.ruleRate.map(rate => indexOf(own[rate]))),
      ),
      ruleStatus: joined(
        Uint8Array,
        countries.map(({ rules }) => rules.ruleStatus),
      ),
      ruleCertainty: joined(
        Uint8Array,
        countries.map(({ rules }) => rules.ruleCertainty),
      ),
      ruleDate: joined(
        Uint32Array,
        countries.map(({ rules }) => rules.ruleDate),
      ),
      ruleSource: joined(
        Uint16Array,
        countries.map(({ rules }) => rules.ruleSource),
      ),
    },
  }
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

interface Numbers extends ArrayLike<number> {
  set(part: ArrayLike<number>, at: number): void
}

function joined<Column extends Numbers>(Type: new (length: number) => Column, parts: readonly ArrayLike<number>[]): Column {
  const column = new Type(sum(parts.map(({ length }) => length)))
  let at = 0
  for (const part of parts) {
    column.set(part, at)
    at += part.length
  }
  return column
}
