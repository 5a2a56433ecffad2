/** Adds up several items of one declaration. Fees are charged once, on the customs value of all items. */
import { Decimal } from '../../catalog/amount.js'
import type { Catalog } from '../../catalog/catalog.js'
import { feeOf, type LandedCost, percentOf } from '../../catalog/landed-cost.js'
import { CURRENCY_DEFAULT } from '../../limits.js'
import { Refusal } from '../refusal.js'
import { type Charge, feeCharge } from './charges.js'
import { type Destination, declarationFees, estimateShipment, type ShipmentEstimate, type ShipmentQuestion } from './estimate.js'

/** Sums over the items that have an estimate. */
export type InvoiceCost = Pick<
  LandedCost,
  'customsValue' | 'dutyAmount' | 'exciseAmount' | 'feesAmount' | 'vatAmount' | 'totalDutiesTaxes' | 'landedCost'
>

export interface ShipmentInvoice {
  /** In the order sent; an item without an estimate is a refusal. */
  items: readonly (ShipmentEstimate | Refusal)[]
  fees: readonly Charge[]
  totals: InvoiceCost
  currency: string
}

/** Parameters of the whole invoice: if one is invalid, the whole invoice is refused. */
const SHARED = new Set(['currency', 'include_vat', 'vat_rate', 'convert'])

/** One item, without the fees of the declaration. */
export function estimateItem(catalog: Catalog, destination: Destination, question: ShipmentQuestion): ShipmentEstimate | Refusal {
  return estimateShipment(catalog, destination, question, true)
}

/** Whether an item is refused for a reason that applies to the whole invoice. */
export function refusesAll(item: ShipmentEstimate | Refusal): item is Refusal {
  return item instanceof Refusal && SHARED.has(item.details?.parameter ?? '')
}

/** `first` can be any question of the invoice, because all have the same `withVat` and `vatRate`. */
export function sumUp(
  catalog: Catalog,
  destination: Destination,
  first: ShipmentQuestion,
  items: readonly (ShipmentEstimate | Refusal)[],
): ShipmentInvoice {
  const estimates = items.flatMap(item => (item instanceof Refusal ? [] : [item]))
  const currency = estimates[0]?.currency ?? CURRENCY_DEFAULT
  const sum = (amount: (cost: LandedCost) => Decimal) =>
    estimates.reduce((total, { cost }) => total.plus(amount(cost)), new Decimal(0))

  const customsValue = sum(cost => cost.customsValue)
  const feeRows = estimates.length === 0 ? [] : declarationFees(catalog, destination, currency)
  const fees = feeRows.map(row => feeCharge(destination.view, row, customsValue, feeOf(row.terms, customsValue)))
  const feesAmount = fees.reduce((total, { amount }) => total.plus(amount), new Decimal(0))
  const dutyAmount = sum(cost => cost.dutyAmount)
  const exciseAmount = sum(cost => cost.exciseAmount)
  const vatAmount = sum(cost => cost.vatAmount).plus(vatOnFees(destination, first, feesAmount))
  const totalDutiesTaxes = dutyAmount.plus(exciseAmount).plus(feesAmount).plus(vatAmount)
  const landedCost = customsValue.plus(totalDutiesTaxes)
  return {
    items,
    fees,
    totals: { customsValue, dutyAmount, exciseAmount, feesAmount, vatAmount, totalDutiesTaxes, landedCost },
    currency,
  }
}

/** VAT on the fees, at the caller's rate or at the standard rate. */
function vatOnFees({ view }: Destination, { withVat, vatRate }: ShipmentQuestion, feesAmount: Decimal): Decimal {
  const { vat } = view.country.meta
  if (withVat === false || !vat.base.includes('fees')) return new Decimal(0)
  return percentOf(feesAmount, new Decimal(vatRate === '' ? vat.rate : vatRate))
}
