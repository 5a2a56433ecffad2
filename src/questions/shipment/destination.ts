/** Reads where and when a shipment is imported. */
import type { Catalog } from '../../catalog/catalog.js'
import { type CountryTerms, readCountry } from '../country.js'
import { Refusal } from '../refusal.js'
import type { Destination } from './estimate.js'

/** Undefined if neither the caller nor the server names a country. Without `asOf`, the day is `today`. */
export function readDestination(catalog: Catalog, terms: CountryTerms, today: string): Destination | undefined | Refusal {
  const view = readCountry(catalog, terms)
  if (view === undefined || view instanceof Refusal) return view
  return { view, day: terms.asOf || today }
}
