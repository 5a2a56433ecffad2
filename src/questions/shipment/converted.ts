import type { Decimal } from '../../catalog/amount.js'
import type { Catalog } from '../../catalog/catalog.js'
import { roundHalfUp } from '../../catalog/currencies.js'
import type { LandedCost } from '../../catalog/landed-cost.js'
import type { CountryCertainty, CountryMeta } from '../../snapshot/country-format.js'
import { invalidParameter, type Refusal } from '../refusal.js'
import { type RoundedCost, roundedCost } from './rounded.js'

export interface Converted {
  currency: string
  /** Units of the country's currency for one unit of the declared currency, to six decimals. */
  rate: Decimal
  sources: readonly string[]
  certainty: CountryCertainty
  amounts: RoundedCost
}

const RATE_PLACES = 6

export function convertedTo(
  catalog: Catalog,
  { currency, decimals }: CountryMeta,
  declared: string,
  cost: LandedCost,
  convert: boolean | null | undefined,
): Converted | undefined | Refusal {
  if (convert === null) return invalidParameter('convert', 'must be 1, true, 0 or false')
  if (convert !== true) return undefined
  const fixed = catalog.currencies.fixedRate(declared, currency)
  if (fixed === undefined)
    return invalidParameter('convert', `is not possible from ${declared} to ${currency}: there is no fixed rate between them`)
  return {
    currency,
    rate: roundHalfUp(fixed.rate, RATE_PLACES),
    sources: fixed.sources,
    certainty: fixed.certainty,
    amounts: roundedCost(cost, decimals, fixed.rate),
  }
}
