import { amountText, parseRate, parseValue, type Scaled } from '../catalog/amount.js'
import type { Catalog } from '../catalog/catalog.js'
import { addTariffs, computeTariff, parseVatRate, type Tariff } from '../catalog/tariff.js'
import { isCode } from '../codes/code.js'
import { CURRENCY_DEFAULT, VAT_RATE_MAX, VAT_RATE_PLACES_MAX } from '../limits.js'
import type { EstimateNote } from '../snapshot/format.js'
import { ANY_CODE, malformedCode, unknownCode } from './codes.js'
import { invalidParameter, Refusal } from './refusal.js'

export interface Estimate {
  record: number
  currency: string
  withVat: boolean
  ownVatRate: Scaled | undefined
  amounts: Tariff
}

export const INDICATIVE = 'Rates are indicative only and must be verified with the customs authority for an official assessment.'
const PROHIBITED = 'The dataset lists these goods as prohibited for import into the GCC states.'

export function estimateNotes(note: EstimateNote): string {
  return [INDICATIVE, ...cautions(note)].join(' ')
}

/** Notes that apply to this code, but not to all codes. */
export function cautions({ isActive, low, high, isProhibited }: EstimateNote): string[] {
  return [
    ...(isActive ? [] : ['This HS code is inactive.']),
    ...(low === high ? [] : [`Lines below this code carry ${low} to ${high} percent.`]),
    ...(isProhibited ? [PROHIBITED] : []),
  ]
}

export function notesOf(catalog: Catalog, record: number): string {
  return estimateNotes(catalog.estimateNoteOf(record))
}

export function vatRateText({ meta }: Catalog, { withVat, ownVatRate }: Estimate): string {
  if (!withVat) return '0'
  return ownVatRate === undefined ? meta.vatRate : amountText(ownVatRate)
}

const NO_VAT: Scaled = parseRate('0')
const THREE_LETTERS = /^[A-Za-z]{3}$/
const VAT_RATE_RULE = `must be a percentage from 0 to ${VAT_RATE_MAX} with at most ${VAT_RATE_PLACES_MAX} decimals`

/**
 * Duty, VAT and landed cost. `value` is the text of a JSON number. `vatRate` replaces the dataset's VAT rate and implies VAT
 * unless `withVat` is false; `withVat` is null if the parameter `include_vat` was invalid.
 */
export function estimate(
  catalog: Catalog,
  code: string,
  value: string,
  currency?: string,
  withVat?: boolean | null,
  vatRate = '',
): Estimate | Refusal {
  const record = catalog.trie.find(code)
  // an unknown code is refused after the other parameters are checked, a malformed one before
  if (record < 0 && !isCode(code)) return malformedCode(code, ANY_CODE)
  const declared = parseValue(value)
  if (declared === undefined) return new Refusal('invalidValue')
  if (currency !== undefined && !THREE_LETTERS.test(currency))
    return invalidParameter('currency', 'must be three letters, such as AED')
  if (withVat === null) return invalidParameter('include_vat', 'must be 1, true, 0 or false')
  const ownVatRate = vatRate === '' ? undefined : parseVatRate(vatRate)
  if (vatRate !== '' && ownVatRate === undefined) return invalidParameter('vat_rate', VAT_RATE_RULE)
  if (record < 0) return unknownCode(catalog, code)
  const duty = catalog.rates[catalog.rateIndex(record)]
  const hasVat = withVat ?? ownVatRate !== undefined
  const amounts = computeTariff(declared, duty, hasVat ? (ownVatRate ?? catalog.vatRate) : NO_VAT)
  return {
    record,
    currency: currency?.toUpperCase() ?? CURRENCY_DEFAULT,
    withVat: hasVat,
    ownVatRate,
    amounts,
  }
}

export interface InvoiceItem {
  code: string
  /** The text of a JSON number. */
  value: string
}

export interface InvoiceTerms {
  currency?: string | undefined
  withVat?: boolean | undefined
  vatRate?: string | undefined
}

export interface Invoice {
  /** In the order sent; an item without an estimate is a refusal. */
  items: readonly (Estimate | Refusal)[]
  /** Sums over the items that have an estimate. */
  totals: Tariff
}

/** Estimates each item. A refused item does not affect the others. */
export function invoice(
  catalog: Catalog,
  items: readonly InvoiceItem[],
  { currency, withVat, vatRate = '' }: InvoiceTerms = {},
): Invoice | Refusal {
  const answers: (Estimate | Refusal)[] = []
  for (const { code, value } of items) {
    const answer = estimate(catalog, code, value, currency, withVat, vatRate)
    // the terms apply to every item, so the whole invoice is refused if a term is invalid
    if (answer instanceof Refusal && answer.name === 'invalidParameter') return answer
    answers.push(answer)
  }
  const amounts = answers.flatMap(answer => (answer instanceof Refusal ? [] : [answer.amounts]))
  return { items: answers, totals: addTariffs(amounts) }
}
