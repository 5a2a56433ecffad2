import { Decimal as BaseDecimal } from 'decimal.js'

/**
 * Wide enough that no product here is ever rounded: 15 digits of value, 8 of a rate, 7 of VAT. A clone, since
 * decimal.js keeps its precision in the constructor.
 */
const Decimal = BaseDecimal.clone({ precision: 60, rounding: BaseDecimal.ROUND_DOWN })
type Decimal = InstanceType<typeof Decimal>

const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
/** What people declare, such as 1000 and 1234.56: short enough to be computed as whole numbers. */
const EVERYDAY = /^(?:0|[1-9][0-9]{0,8})(?:\.[0-9]{1,3})?$/
const VALUE_MIN = new Decimal('0.01')
const VALUE_MAX = new Decimal('999999999999.99')
const SIGNIFICANT_DIGITS_MAX = 15
const POWERS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8] as const

/** A decimal as a whole number and how many of its digits stand behind the point. */
interface Scaled {
  digits: number
  places: number
}

export type Value = Scaled | Decimal

function scaled(text: string): Scaled {
  const point = text.indexOf('.')
  if (point < 0) return { digits: Number(text), places: 0 }
  return { digits: Number(text.slice(0, point) + text.slice(point + 1)), places: text.length - point - 1 }
}

/** A declared value, or undefined where it is no number, too small, too large or too precise. */
export function parseValue(text: string): Value | undefined {
  if (EVERYDAY.test(text)) {
    const value = scaled(text)
    return value.digits * 100 >= (POWERS[value.places] as number) ? value : undefined
  }
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

export function computeTariff(value: Value, dutyRate: string, vatRate: string): Tariff {
  if (value instanceof Decimal) return computeAtLength(value, dutyRate, vatRate)
  return (
    computeAsWholeNumbers(value, dutyRate, vatRate) ??
    computeAtLength(new Decimal(plain(value.digits, value.places)), dutyRate, vatRate)
  )
}

function computeAtLength(value: Decimal, dutyRate: string, vatRate: string): Tariff {
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

/** Exact below 2^53, and a tenth of the cost; undefined where a number would pass that. */
function computeAsWholeNumbers(value: Scaled, dutyRate: string, vatRate: string): Tariff | undefined {
  const duty = scaled(dutyRate)
  const vat = scaled(vatRate)
  // a percentage stands two places further behind the point
  const dutyShift = POWERS[duty.places + 2]
  const vatShift = POWERS[vat.places + 2]
  if (dutyShift === undefined || vatShift === undefined) return undefined
  const base = value.digits * dutyShift
  const dutyDigits = value.digits * duty.digits
  const vatDigits = (base + dutyDigits) * vat.digits
  const totalDigits = dutyDigits * vatShift + vatDigits
  const landedDigits = base * vatShift + totalDigits
  // the largest of all; where it is a safe integer, so were the others on the way
  if (landedDigits > Number.MAX_SAFE_INTEGER) return undefined
  const dutyPlaces = value.places + duty.places + 2
  const places = dutyPlaces + vat.places + 2
  return {
    declaredValue: plain(value.digits, value.places),
    dutyRate,
    dutyAmount: plain(dutyDigits, dutyPlaces),
    vatRate,
    vatAmount: plain(vatDigits, places),
    totalDutiesTaxes: plain(totalDigits, places),
    landedCost: plain(landedDigits, places),
  }
}

/** Plain shortest form of digits × 10^-places. */
function plain(digits: number, places: number): string {
  if (places === 0) return String(digits)
  const text = String(digits).padStart(places + 1, '0')
  const point = text.length - places
  let end = text.length
  while (end > point && text.charCodeAt(end - 1) === 48) end--
  return end === point ? text.slice(0, point) : `${text.slice(0, point)}.${text.slice(point, end)}`
}
