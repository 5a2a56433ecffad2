/** Where the rate of a code comes from. */
import type { Catalog } from '../catalog/catalog.js'
import type { CountryView } from '../catalog/countries.js'
import type { RateOrigin } from './shapes.js'

/** The origin of the common tariff's rate or, with a view, of the country's rate. */
export function rateOriginOf(catalog: Catalog, record: number, view?: CountryView): RateOrigin {
  if (view !== undefined) return countryRateOf(catalog, record, view)
  const { meta, rateLow, rateHigh } = catalog
  const { from, source } = catalog.rateOf(record)
  return {
    from,
    source: source?.source ?? null,
    certainty: source?.certainty ?? null,
    min: Number(meta.rates[rateLow[record]]),
    max: Number(meta.rates[rateHigh[record]]),
    status: catalog.estimateNoteOf(record).isProhibited ? 'prohibited' : 'normal',
  }
}

/** If the country's list does not name the goods, their rate has the source of the common tariff. */
function countryRateOf(catalog: Catalog, record: number, view: CountryView): RateOrigin {
  const { rates } = catalog.meta
  const common = catalog.rateOf(record)
  const rule = view.ruleOf(record)
  const source = rule ?? common.source
  return {
    from: rule === undefined ? common.from : view.codeOf(rule, record),
    source: source?.source ?? null,
    certainty: source?.certainty ?? null,
    min: Number(rates[view.lowIndex(record)]),
    max: Number(rates[view.highIndex(record)]),
    status: view.statusOf(record),
    country: view.country.code,
    list: rule === undefined ? null : view.list,
    date: rule?.date ?? null,
  }
}
