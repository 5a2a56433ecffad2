/** Duty, VAT, excise and controls of a code in every country, side by side. */
import type { Catalog } from '../catalog/catalog.js'
import type { Country } from '../catalog/countries.js'
import { isExcise, vatOf } from '../questions/shipment/vat.js'
import { type CountryTax, taxUnitUnece } from '../snapshot/country-format.js'
import { rateOriginOf } from './rate-origin.js'
import type { CountryTerms, ExciseTerm } from './shapes.js'

const numberOrNull = (text: string) => (text === '' ? null : Number(text))

function exciseTerm({ goods, rate, amount, unit, applies }: CountryTax, currency: string): ExciseTerm {
  const per = { unit_amount: numberOrNull(amount), unit: unit || null, unit_unece: taxUnitUnece(unit || null) }
  return { goods, rate: numberOrNull(rate), ...per, currency, applies }
}

function termsOf(catalog: Catalog, record: number, country: Country, day: string): CountryTerms {
  const view = country.newest
  const { rows, differBelow } = country.taxesOf(record, day)
  const vat = vatOf(rows, view, '')
  const controls = catalog.controls.of(record, ['GCC', country.code])
  return {
    country: country.code,
    tariff_rate: Number(view.rateText(record)),
    rate: rateOriginOf(catalog, record, view),
    vat_rate: vat.rate.toNumber(),
    vat_may_differ: vat.perhaps.length > 0,
    excise: rows.filter(isExcise).map(row => exciseTerm(row, country.meta.currency)),
    taxes_differ: differBelow,
    controls: [...new Set(controls.map(({ kind }) => kind))],
  }
}

/** The terms of a code in every country, with the taxes in force on the day. */
export function countryTermsOf(catalog: Catalog, record: number, day: string): CountryTerms[] {
  return catalog.countries.codes.map(code => termsOf(catalog, record, catalog.countries.find(code) as Country, day))
}
