/**
 * The cost of a shipment in one country: customs value, duty, excise, fees and VAT, each on the base that the law names. Exact:
 * nothing is rounded here.
 */
import type { VatBase } from '../snapshot/country-format.js'
import { type Amount, Decimal, decimal } from './amount.js'

export type ExciseTerms =
  /**
   * Percent of the excise price, which is customs value plus duty, or the minimum price set by law for the quantity if that is
   * higher.
   */
  | { by: 'value'; rate: Amount; minimumPrice: Amount | undefined }
  /** An amount per litre or piece. */
  | { by: 'quantity'; amount: Amount; quantity: Amount }

/** Percent of the customs value within limits, or a flat amount. */
export interface FeeTerms {
  rate: Amount | undefined
  amount: Amount | undefined
  minimum: Amount | undefined
  maximum: Amount | undefined
}

export interface CostTerms {
  value: Amount
  freight: Amount | undefined
  insurance: Amount | undefined
  dutyRate: Amount
  excise: ExciseTerms | undefined
  fees: readonly FeeTerms[]
  vatRate: Amount
  vatBase: readonly VatBase[]
}

export interface LandedCost {
  /** Goods, freight and insurance: CIF. */
  customsValue: Decimal
  dutyAmount: Decimal
  exciseBase: Decimal
  exciseAmount: Decimal
  /** The amount of each fee, in the order of the fees. */
  feeAmounts: readonly Decimal[]
  feesAmount: Decimal
  vatBase: Decimal
  vatAmount: Decimal
  totalDutiesTaxes: Decimal
  landedCost: Decimal
}

const ZERO = new Decimal(0)

export function computeLandedCost(terms: CostTerms): LandedCost {
  const customsValue = add(decimal(terms.value), optional(terms.freight), optional(terms.insurance))
  const dutyAmount = percentOf(customsValue, terms.dutyRate)
  const exciseBase = exciseBaseOf(terms.excise, customsValue.plus(dutyAmount))
  const exciseAmount = exciseOf(terms.excise, exciseBase)
  const feeAmounts = terms.fees.map(fee => feeOf(fee, customsValue))
  const feesAmount = add(...feeAmounts)
  const parts = { duty: dutyAmount, excise: exciseAmount, fees: feesAmount }
  const vatBase = add(customsValue, ...terms.vatBase.map(name => parts[name]))
  const vatAmount = percentOf(vatBase, terms.vatRate)
  const totalDutiesTaxes = add(dutyAmount, exciseAmount, feesAmount, vatAmount)
  return {
    customsValue,
    dutyAmount,
    exciseBase,
    exciseAmount,
    feeAmounts,
    feesAmount,
    vatBase,
    vatAmount,
    totalDutiesTaxes,
    landedCost: customsValue.plus(totalDutiesTaxes),
  }
}

export function feeOf({ rate, amount, minimum, maximum }: FeeTerms, customsValue: Decimal): Decimal {
  if (rate === undefined) return optional(amount)
  const fee = percentOf(customsValue, rate)
  if (minimum !== undefined && fee.lessThan(decimal(minimum))) return decimal(minimum)
  if (maximum !== undefined && fee.greaterThan(decimal(maximum))) return decimal(maximum)
  return fee
}

function exciseBaseOf(excise: ExciseTerms | undefined, dutyPaid: Decimal): Decimal {
  if (excise === undefined) return ZERO
  if (excise.by === 'quantity') return decimal(excise.quantity)
  return Decimal.max(dutyPaid, optional(excise.minimumPrice))
}

function exciseOf(excise: ExciseTerms | undefined, base: Decimal): Decimal {
  if (excise === undefined) return ZERO
  return excise.by === 'quantity' ? base.times(decimal(excise.amount)) : percentOf(base, excise.rate)
}

export function percentOf(base: Decimal, rate: Amount): Decimal {
  return base.times(decimal(rate)).dividedBy(100)
}

function optional(amount: Amount | undefined): Decimal {
  return amount === undefined ? ZERO : decimal(amount)
}

function add(...amounts: readonly Decimal[]): Decimal {
  return amounts.reduce((sum, amount) => sum.plus(amount), ZERO)
}
