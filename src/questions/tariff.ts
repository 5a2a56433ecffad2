import type { Catalog } from '../catalog/catalog.js'
import { computeTariff, parseRate, parseValue, type Scaled, type Tariff } from '../catalog/tariff.js'
import { isCode } from '../hs-code.js'
import { CURRENCY_DEFAULT } from '../limits.js'
import { ANY_CODE, malformedCode, unknownCode } from './codes.js'
import { invalidParameter, Refusal } from './refusal.js'

export interface Estimate {
  record: number
  currency: string
  withVat: boolean
  amounts: Tariff
}

const NOTES =
  'Rates are indicative only and must be verified with the customs authority for an official assessment.'

/** Rates in percent, as the dataset spells them. */
export interface RateRange {
  low: string
  high: string
}

/** What every estimate says of itself; `range` where the lines below its code differ. */
export function estimateNotes(isActive: boolean, range?: RateRange): string {
  const sentences = [NOTES]
  if (!isActive) sentences.push('This HS code is inactive.')
  if (range !== undefined)
    sentences.push(`Lines below this code carry ${range.low} to ${range.high} percent.`)
  return sentences.join(' ')
}

const NO_VAT: Scaled = parseRate('0')
const THREE_LETTERS = /^[A-Za-z]{3}$/

/**
 * What does it cost to bring goods of this code and value in? `value` is a decimal as JSON writes it. `withVat` is
 * null where the caller said something that is neither yes nor no.
 */
export function estimate(
  catalog: Catalog,
  code: string,
  value: string,
  currency?: string,
  withVat: boolean | null = false,
): Estimate | Refusal {
  const record = catalog.trie.find(code)
  // an unknown code is told only after the other parameters, a malformed one before them
  if (record < 0 && !isCode(code)) return malformedCode(code, ANY_CODE)
  const declared = parseValue(value)
  if (declared === undefined) return new Refusal('invalidValue')
  if (currency !== undefined && !THREE_LETTERS.test(currency))
    return invalidParameter('currency', 'must be three letters, such as AED')
  if (withVat === null) return invalidParameter('include_vat', 'must be 1, true, 0 or false')
  if (record < 0) return unknownCode(catalog, code)
  const duty = catalog.rates[catalog.rateIndex(record)] as Scaled
  const amounts = computeTariff(declared, duty, withVat ? catalog.vatRate : NO_VAT)
  return { record, currency: currency?.toUpperCase() ?? CURRENCY_DEFAULT, withVat, amounts }
}
