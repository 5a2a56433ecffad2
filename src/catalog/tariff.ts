import { Decimal as BaseDecimal } from 'decimal.js'

/**
 * Wide enough that no product here is ever rounded: 15 digits of value, 8 of a rate, 7 of VAT. A clone, since
 * decimal.js keeps its precision in the constructor.
 */
const Decimal = BaseDecimal.clone({ precision: 60, rounding: BaseDecimal.ROUND_DOWN })
type Decimal = InstanceType<typeof Decimal>

const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
const VALUE_MIN = new Decimal('0.01')
const VALUE_MAX = new Decimal('999999999999.99')
const SIGNIFICANT_DIGITS_MAX = 15

/** A declared value, or undefined where it is no number, too small, too large or too precise. */
export function parseValue(text: string): Decimal | undefined {
  if (!JSON_NUMBER.test(text)) return undefined
  const value = new Decimal(text)
  if (value.lessThan(VALUE_MIN) || value.greaterThan(VALUE_MAX)) return undefined
  return value.precision() <= SIGNIFICANT_DIGITS_MAX ? value : undefined
}

/** All amounts as plain decimal text: exact, never rounded, never with an exponent. */
export interface Tariff {
  declaredValue: string
  dutyRate: string
  dutyAmount: string
  vatRate: string
  vatAmount: string
  totalDutiesTaxes: string
  landedCost: string
}

export function computeTariff(value: Decimal, dutyRate: string, vatRate: string): Tariff {
  const duty = value.times(dutyRate).dividedBy(100)
  const vat = value.plus(duty).times(vatRate).dividedBy(100)
  const total = duty.plus(vat)
  return {
    declaredValue: value.toFixed(),
    dutyRate,
    dutyAmount: duty.toFixed(),
    vatRate,
    vatAmount: vat.toFixed(),
    totalDutiesTaxes: total.toFixed(),
    landedCost: value.plus(total).toFixed(),
  }
}
