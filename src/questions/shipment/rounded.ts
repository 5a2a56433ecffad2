/** Amounts rounded to the decimals of their currency. Totals are sums of rounded amounts, so that they add up on paper. */
import { Decimal } from '../../catalog/amount.js'
import { roundHalfUp } from '../../catalog/currencies.js'
import type { LandedCost } from '../../catalog/landed-cost.js'

export interface RoundedCost {
  customsValue: Decimal
  dutyAmount: Decimal
  exciseAmount: Decimal
  feesAmount: Decimal
  vatAmount: Decimal
  totalDutiesTaxes: Decimal
  landedCost: Decimal
}

const ONE = new Decimal(1)

type Parts = Pick<LandedCost, 'customsValue' | 'dutyAmount' | 'exciseAmount' | 'feesAmount' | 'vatAmount'>

export function roundedCost(cost: Parts, decimals: number, rate: Decimal = ONE): RoundedCost {
  const round = (amount: Decimal) => roundHalfUp(amount.times(rate), decimals)
  const customsValue = round(cost.customsValue)
  const dutyAmount = round(cost.dutyAmount)
  const exciseAmount = round(cost.exciseAmount)
  const feesAmount = round(cost.feesAmount)
  const vatAmount = round(cost.vatAmount)
  const totalDutiesTaxes = dutyAmount.plus(exciseAmount).plus(feesAmount).plus(vatAmount)
  return {
    customsValue,
    dutyAmount,
    exciseAmount,
    feesAmount,
    vatAmount,
    totalDutiesTaxes,
    landedCost: customsValue.plus(totalDutiesTaxes),
  }
}
