/** Applies country layers to a compiled snapshot: adds or replaces their countries and leaves everything else as it is. */
import { Records } from '../../src/catalog/records.js'
import { layOutColumns } from '../../src/snapshot/columns.js'
import type { Snapshot } from '../../src/snapshot/decode.js'
import type { CompiledDocument } from '../../src/snapshot/format.js'
import { FEES_FILE, THRESHOLDS_FILE } from '../dataset/countries/charges.js'
import type { Layer } from '../dataset/countries/layers.js'
import { TAXES_FILE } from '../dataset/countries/taxes.js'
import { type CommonTariff, LineRuns } from './code-runs.js'
import { assembleCountries, type CompiledCountry, compileLayer } from './countries.js'

export function commonTariffOf({ columns, meta }: Snapshot): CommonTariff {
  const records = new Records(columns, meta.rates)
  return {
    codes: Array.from({ length: meta.records }, (_, record) => records.code(record)),
    rate: columns.rate,
    low: columns.rateLow,
    high: columns.rateHigh,
    rates: meta.rates.slice(0, meta.commonRates),
    isLine: record => columns.childCount[record] === 0,
  }
}

/** A country of the snapshot, in the form that the compiler returns. */
function compiledCountry({ columns, meta }: Snapshot, index: number): CompiledCountry {
  const country = meta.countries[index]
  const { records } = meta
  const [firstRule, endRule] = [columns.ruleAt[index], columns.ruleAt[index + 1]]
  return {
    meta: country,
    rates: meta.rates,
    lists: country.lists.map(({ at }) => {
      const [start, end] = [at * records, (at + 1) * records]
      return {
        rate: columns.countryRate.subarray(start, end),
        low: columns.countryLow.subarray(start, end),
        high: columns.countryHigh.subarray(start, end),
        rule: columns.countryRule.subarray(start, end),
      }
    }),
    rules: {
      rulePrefix: columns.rulePrefix.subarray(firstRule, endRule),
      ruleRate: columns.ruleRate.subarray(firstRule, endRule),
      ruleStatus: columns.ruleStatus.subarray(firstRule, endRule),
      ruleCertainty: columns.ruleCertainty.subarray(firstRule, endRule),
      ruleDate: columns.ruleDate.subarray(firstRule, endRule),
      ruleSource: columns.ruleSource.subarray(firstRule, endRule),
    },
    tax: columns.countryTax.subarray(index * records, (index + 1) * records),
  }
}

/** If a layer has no table of taxes, fees or thresholds, the table of the snapshot stays. */
function withMissingTables(
  compiled: CompiledCountry,
  known: CompiledCountry | undefined,
  missing: readonly string[],
): CompiledCountry {
  if (known === undefined) return compiled
  const sources = [...compiled.meta.sources]
  const placeOf = (text: string) => (sources.includes(text) ? sources.indexOf(text) : sources.push(text) - 1)
  const moved = <Row extends { source: number }>(row: Row): Row => ({ ...row, source: placeOf(known.meta.sources[row.source]) })
  const meta = { ...compiled.meta, sources }
  let { tax } = compiled
  if (missing.includes(TAXES_FILE)) {
    meta.taxes = known.meta.taxes.map(moved)
    meta.taxSets = known.meta.taxSets
    tax = known.tax
  }
  if (missing.includes(FEES_FILE)) meta.fees = known.meta.fees.map(moved)
  if (missing.includes(THRESHOLDS_FILE)) meta.thresholds = known.meta.thresholds.map(moved)
  return { ...compiled, meta, tax }
}

/** The layers must have been checked against the codes of `common`. */
export function applyLayers(base: Snapshot, layers: readonly Layer[], common: CommonTariff): CompiledDocument {
  const lines = new LineRuns(common)
  const known = base.meta.countries.map((_, i) => compiledCountry(base, i))
  const applied = layers.map(layer => {
    const same = known.find(country => country.meta.code === layer.code)
    return withMissingTables(compileLayer(layer, common, lines), same, layer.missing)
  })
  const kept = known.filter(country => !layers.some(({ code }) => code === country.meta.code))
  const { meta, columns } = assembleCountries([...kept, ...applied], common.rates)
  return {
    ...layOutColumns({ ...base.columns, ...columns }),
    meta: { ...base.meta, ...meta },
    vocabulary: base.vocabulary,
  }
}
