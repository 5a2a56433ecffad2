/** The part of the excise on goods that can be calculated from code, quantity and sugar. */
import { type Amount, Decimal } from '../../catalog/amount.js'
import type { ExciseTerms } from '../../catalog/landed-cost.js'
import type { CountryMeta, CountryTax, TaxUnit } from '../../snapshot/country-format.js'
import { type LeftOut, leftOut, type Warning, warning } from '../../warnings.js'
import { invalidParameter, type Refusal } from '../refusal.js'
import type { Shipment } from './read.js'

export interface ExciseCharge {
  row: CountryTax
  terms: ExciseTerms
}

/** Inputs that excise depends on, in addition to the value of the goods. */
export interface ExciseInputs {
  unit: TaxUnit
  sugar: boolean
}

export interface Excise {
  charge: ExciseCharge | undefined
  /** Null if excise depends only on the value, or if there is none. */
  inputs: ExciseInputs | null
  warnings: Warning[]
  notIncluded: LeftOut[]
}

/** Converts an amount from the country's currency to the declared one; undefined without a fixed rate. */
export type ToDeclared = (amount: Amount) => Amount | undefined

/** `rows` are the excise rows of one prefix that are in force. */
export function exciseFor(
  meta: CountryMeta,
  rows: readonly CountryTax[],
  shipment: Shipment,
  currency: string,
  toDeclared: ToDeclared,
): Excise | Refusal {
  const certain = rows.filter(({ applies }) => applies === 'yes')
  const refusal = refuseUnusedInputs(rows, shipment)
  if (refusal !== undefined) return refusal
  const excise: Excise = { charge: undefined, inputs: inputsOf(certain), warnings: [], notIncluded: [] }
  for (const row of rows) if (row.applies === 'perhaps') excise.notIncluded.push(leftOut('excise_may_apply', row, meta.currency))
  const tier = certain.length > 1 ? certain.find(row => isInTier(row, shipment.sugar)) : certain[0]
  if (tier === undefined) {
    if (certain.length > 0) excise.notIncluded.push(leftOut('excise_needs_sugar', certain[0].goods))
    return excise
  }
  if (tier.rate !== '') {
    excise.charge = { row: tier, terms: byValue(tier, shipment, toDeclared) }
    if (tier.rate !== '0') excise.warnings.push(warning('excise_on_retail_price'))
    return excise
  }
  const amount = toDeclared(new Decimal(tier.amount))
  if (shipment.quantity === undefined && tier.amount !== '0')
    excise.notIncluded.push(leftOut('excise_needs_quantity', tier.goods, tier.unit))
  else if (amount === undefined) excise.notIncluded.push(leftOut('excise_needs_currency', tier.goods, currency))
  else excise.charge = { row: tier, terms: { by: 'quantity', amount, quantity: shipment.quantity?.amount ?? new Decimal(0) } }
  return excise
}

function inputsOf(rows: readonly CountryTax[]): ExciseInputs | null {
  const unit = rows.map(row => row.unit).find(unit => unit !== '')
  return unit === undefined ? null : { unit, sugar: rows.length > 1 }
}

function byValue({ rate, minimum, unit }: CountryTax, { quantity }: Shipment, toDeclared: ToDeclared): ExciseTerms {
  const least = minimum === '' || quantity === undefined ? undefined : toDeclared(new Decimal(minimum).times(quantity.amount))
  return { by: 'value', rate: new Decimal(rate), minimumPrice: quantity?.unit === unit ? least : undefined }
}

function isInTier({ sugarFrom, sugarBelow }: CountryTax, sugar: Decimal | undefined): boolean {
  if (sugar === undefined) return false
  return (sugarFrom === '' || sugar.greaterThanOrEqualTo(sugarFrom)) && (sugarBelow === '' || sugar.lessThan(sugarBelow))
}

/** Refuses a quantity or sugar that no excise needs, because the caller expects a tax that does not exist. */
function refuseUnusedInputs(rows: readonly CountryTax[], { quantity, sugar }: Shipment): Refusal | undefined {
  const units = new Set<string>(rows.map(({ unit }) => unit).filter(Boolean))
  if (quantity !== undefined && !units.has(quantity.unit)) {
    const reason =
      units.size === 0
        ? 'there is no excise by quantity on these goods'
        : `excise on these goods is charged by ${[...units].join(', ')}`
    return invalidParameter('unit', `does not fit: ${reason}`)
  }
  // only amounts by litre have sugar tiers
  if (sugar !== undefined && !units.has('l'))
    return invalidParameter('sugar', 'does not fit: there is no excise by sugar on these goods')
  return undefined
}
