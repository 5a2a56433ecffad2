import type { Catalog } from '../catalog/catalog.js'
import type { Country, CountryView } from '../catalog/countries.js'
import { isDay } from '../day.js'
import { invalidParameter, Refusal } from './refusal.js'
import { oneOf } from './wording.js'

/** Parameters as the caller wrote them; '' if absent. */
export interface CountryTerms {
  country?: string | undefined
  asOf?: string | undefined
}

/** The list whose rates are used; undefined for the common tariff. */
export function readCountry(catalog: Catalog, { country = '', asOf = '' }: CountryTerms): CountryView | undefined | Refusal {
  if (country === '' && asOf === '') return catalog.defaultView
  const found = findCountry(catalog, country)
  if (found instanceof Refusal) return found
  return asOf === '' ? found.newest : viewAsOf(found, asOf)
}

function findCountry({ countries, defaultView }: Catalog, code: string): Country | Refusal {
  if (code === '') return defaultView?.country ?? invalidParameter('as_of', 'needs country')
  const found = countries.find(code.toUpperCase())
  if (found !== undefined) return found
  const { codes } = countries
  return invalidParameter(
    'country',
    codes.length === 0 ? 'is not supported: this dataset has no countries' : `must be ${oneOf(codes)}`,
  )
}

function viewAsOf(country: Country, day: string): CountryView | Refusal {
  if (!isDay(day)) return invalidParameter('as_of', 'must be a day, such as 2026-02-25')
  const first = country.meta.lists[0]?.date
  if (first === undefined)
    return invalidParameter('as_of', `is not supported for ${country.code}: the dataset has no list of this country`)
  return (
    country.asOf(day) ??
    invalidParameter('as_of', `must be ${first} or later, because the first list of ${country.code} has this date`)
  )
}
