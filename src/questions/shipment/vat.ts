import { Decimal } from '../../catalog/amount.js'
import type { CountryView } from '../../catalog/countries.js'
import type { CountryTax } from '../../snapshot/country-format.js'

export interface VatTerms {
  rate: Decimal
  /** The row of taxes that makes the goods VAT-free; undefined if the standard rate or the caller's applies. */
  row: CountryTax | undefined
  isOwn: boolean
  perhaps: readonly CountryTax[]
}

export const NO_VAT: VatTerms = { rate: new Decimal(0), row: undefined, isOwn: true, perhaps: [] }

export const isExcise = ({ tax }: CountryTax) => tax === 'excise'

export function vatOf(rows: readonly CountryTax[], { country }: CountryView, ownRate: string): VatTerms {
  if (ownRate !== '') return { rate: new Decimal(ownRate), row: undefined, isOwn: true, perhaps: [] }
  const vat = rows.filter(row => !isExcise(row))
  const row = vat.find(({ applies }) => applies === 'yes')
  const perhaps = row === undefined ? vat.filter(({ applies }) => applies === 'perhaps') : []
  return { rate: new Decimal(row?.rate ?? country.meta.vat.rate), row, isOwn: false, perhaps }
}
