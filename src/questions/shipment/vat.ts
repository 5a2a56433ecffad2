import { Decimal } from '../../catalog/amount.js'
import type { CountryView } from '../../catalog/countries.js'
import type { CountryTax } from '../../snapshot/country-format.js'

export interface VatTerms {
  rate: Decimal
  /** The row that sets the rate for the goods; undefined if the standard rate or the caller's rate applies. */
  row: CountryTax | undefined
  isFromCaller: boolean
  /** Rows that set another rate on conditions that the code alone does not show. */
  perhaps: readonly CountryTax[]
}

export const NO_VAT: VatTerms = { rate: new Decimal(0), row: undefined, isFromCaller: true, perhaps: [] }

export const isExcise = ({ tax }: CountryTax) => tax === 'excise'

export function vatOf(rows: readonly CountryTax[], { country }: CountryView, callersRate: string): VatTerms {
  if (callersRate !== '') return { rate: new Decimal(callersRate), row: undefined, isFromCaller: true, perhaps: [] }
  const vat = rows.filter(row => !isExcise(row))
  const row = vat.find(({ applies }) => applies === 'yes')
  const perhaps = row === undefined ? vat.filter(({ applies }) => applies === 'perhaps') : []
  return { rate: new Decimal(row?.rate ?? country.meta.vat.rate), row, isFromCaller: false, perhaps }
}
