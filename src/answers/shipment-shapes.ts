/** The shape of an estimate for a country. */
import type { CountryCode, Description } from './record-shapes.js'
import type { Calculation, InvoiceItem, InvoiceItemError, TariffEstimate } from './tariff-shapes.js'

/** What an estimate for a country may know of a shipment. */
export interface ShipmentTerms {
  /** ISO code of the country of origin. */
  readonly origin?: string
  readonly freight?: number | string
  readonly insurance?: number | string
  /** For excise by litre, piece or gram. */
  readonly quantity?: number | string
  readonly unit?: 'l' | 'u' | 'g'
  /** Grams in 100 ml. */
  readonly sugar?: number | string
}

export interface ShipmentItem extends InvoiceItem, ShipmentTerms {}

/** What an estimate for a country adds. */
export interface CountryCalculation extends Calculation {
  readonly excise_amount: number
  readonly fees_amount: number
  /** The value as sent; only where freight or insurance was sent too, which `declared_value` then includes. */
  readonly goods_value?: number
  readonly freight?: number
  readonly insurance?: number
}

export type CostAmounts = Omit<
  CountryCalculation,
  'currency' | 'import_duty_rate' | 'vat_rate' | 'goods_value' | 'freight' | 'insurance'
>

export interface Charge {
  readonly kind: 'duty' | 'excise' | 'fee' | 'vat'
  /** Agreement, goods or fee; null where the kind says it all. */
  readonly name: Description | null
  /** Percent of `basis`; null for an amount by unit and for a flat fee. */
  readonly rate: number | null
  /** For each `unit` of `basis`, in the declared currency. */
  readonly unit_amount: number | null
  readonly unit: 'l' | 'u' | 'g' | null
  /** Of a fee's amount, in the declared currency; null without such a limit. */
  readonly minimum: number | null
  readonly maximum: number | null
  readonly basis: number
  readonly amount: number
  /** Source, certainty and date are null where the caller chose the rate. */
  readonly source: string | null
  readonly certainty: string | null
  readonly date: string | null
}

export interface OriginAnswer {
  /** ISO code. */
  readonly country: string
  /** Null where no agreement is calculated for this origin. */
  readonly agreement: {
    readonly name: Description
    /** Null where the agreement treats all goods alike or does not know these. */
    readonly category: string | null
    readonly treatment: 'free' | 'common' | 'outside' | 'prohibited' | 'doubtful'
    /** Proof of origin that customs asks for. */
    readonly proof: Description
    readonly source: string
    readonly certainty: string
  } | null
}

/** Under which a parcel of this value is free of duty; the amounts do not assume that it is a parcel. */
export interface Threshold {
  readonly below: number
  readonly currency: string
  readonly duty: 'free'
  readonly vat: 'free' | 'charged' | 'none'
  readonly rule: Description
  readonly source: string
  readonly certainty: string
}

export interface Converted extends CostAmounts {
  readonly currency: string
  /** What one unit of the declared currency is. */
  readonly rate: number
  readonly sources: readonly string[]
  readonly certainty: string
}

export interface CountryEstimate extends TariffEstimate {
  readonly calculation: CountryCalculation
  readonly country: CountryCode
  /** Date of the country's list; null where it has none. */
  readonly list: string | null
  readonly charges: readonly Charge[]
  /** What excise depends on beside the value: a quantity in this unit, and sugar; null where it does not. */
  readonly excise_inputs: { readonly unit: 'l' | 'u' | 'g'; readonly sugar: boolean } | null
  readonly origin: OriginAnswer | null
  readonly threshold: Threshold | null
  /** As the declared currency has it; totals are sums of rounded amounts. */
  readonly rounded: CostAmounts
  /** Only with `convert`. */
  readonly converted?: Converted
  readonly warnings: readonly Description[]
  readonly not_included: readonly Description[]
}

export interface CountryInvoice {
  readonly items: readonly (CountryEstimate | InvoiceItemError)[]
  readonly totals: CostAmounts
  /** Fees of the declaration, charged once; `totals` include them and their VAT. */
  readonly fees: readonly Charge[]
  readonly rounded: CostAmounts
}
