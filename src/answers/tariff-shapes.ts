/** The shape of an estimate, and of one for an invoice. */
import type { ErrorCode } from './error-shapes.js'

/** As JavaScript numbers, which may be rounded. */
export interface Calculation {
  readonly declared_value: number
  readonly currency: string
  readonly import_duty_rate: number
  readonly import_duty_amount: number
  readonly vat_rate: number
  readonly vat_amount: number
  readonly total_duties_taxes: number
  readonly landed_cost: number
}

export interface TariffEstimate {
  readonly hs_code: string
  /** The English description. */
  readonly product: string
  readonly calculation: Calculation
  /** That rates are indicative, and further notes on this code. */
  readonly notes: string
}

export interface InvoiceItem {
  readonly hs_code: string
  /** As a string where a number would be rounded. */
  readonly value: number | string
}

export interface InvoiceItemError {
  readonly hs_code: string
  readonly error: { readonly code: ErrorCode; readonly message: string }
}

export interface Invoice {
  readonly items: readonly (TariffEstimate | InvoiceItemError)[]
  readonly totals: Omit<Calculation, 'currency' | 'import_duty_rate' | 'vat_rate'>
}
