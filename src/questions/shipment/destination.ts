/** Where and when a shipment is imported, read from the caller's terms. */
import type { Catalog } from '../../catalog/catalog.js'
import { type CountryTerms, readCountry } from '../country.js'
import { Refusal } from '../refusal.js'
import type { Destination } from './estimate.js'

/** Undefined without a country. `today` is used without `asOf`. */
export function readDestination(catalog: Catalog, terms: CountryTerms, today: string): Destination | undefined | Refusal {
  const view = readCountry(catalog, terms)
  if (view === undefined || view instanceof Refusal) return view
  return { view, day: terms.asOf || today }
}
