/** Exact amounts of money: short ones as scaled integers, all others as decimals. */
import { Decimal as BaseDecimal } from 'decimal.js'
import { VALUE_DIGITS_MAX, VALUE_MAX, VALUE_MIN } from '../limits.js'

/** Enough digits to multiply a value (15 digits at most), a rate (8) and a VAT rate (7) exactly. */
export const Decimal = BaseDecimal.clone({ precision: 60, rounding: BaseDecimal.ROUND_DOWN })
export type Decimal = InstanceType<typeof Decimal>

const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
const SMALLEST = new Decimal(VALUE_MIN)
const LARGEST = new Decimal(VALUE_MAX)
export const POWERS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8] as const

/** Maximum digits before and after the point of a value that is computed as an integer. */
const SHORT_INTEGER_DIGITS = 9
const SHORT_PLACES = 3
const ZERO = 48
const NINE = 57
const POINT = 46

/** `digits` divided by 10 to the power `places`. */
export interface Scaled {
  digits: number
  places: number
}

export type Amount = Scaled | Decimal

/** Parses a rate in percent, spelled as in the dataset. */
export function parseRate(text: string): Scaled {
  const point = text.indexOf('.')
  if (point < 0) return { digits: Number(text), places: 0 }
  return { digits: Number(text.slice(0, point) + text.slice(point + 1)), places: text.length - point - 1 }
}

/** Parses a short plain decimal; undefined for any other text. */
function parseShort(text: string): Scaled | undefined {
  const length = text.length
  let digits = 0
  let point = length
  for (let i = 0; i < length; i++) {
    const c = text.charCodeAt(i)
    if (c === POINT && point === length) point = i
    else if (c >= ZERO && c <= NINE) digits = digits * 10 + c - ZERO
    else return undefined
    if (i - point > SHORT_PLACES || (i >= SHORT_INTEGER_DIGITS && point === length)) return undefined
  }
  if (point === 0 || point === length - 1) return undefined
  if (point > 1 && text.charCodeAt(0) === ZERO) return undefined
  return { digits, places: point === length ? 0 : length - point - 1 }
}

/** Parses a declared value; undefined if the text is not a number, or if the number is out of range or too precise. */
export function parseValue(text: string): Amount | undefined {
  if (text === '') return undefined
  const short = parseShort(text)
  if (short !== undefined) return short.digits * 100 >= POWERS[short.places] ? short : undefined
  if (!JSON_NUMBER.test(text)) return undefined
  const value = new Decimal(text)
  if (value.lessThan(SMALLEST) || value.greaterThan(LARGEST)) return undefined
  return value.precision() <= VALUE_DIGITS_MAX ? value : undefined
}

/** The amount in its shortest plain form: no exponent, no trailing zeros. */
export function amountText(amount: Amount): string {
  return decimal(amount).toFixed()
}

export function isScaled(amount: Amount): amount is Scaled {
  return !(amount instanceof Decimal)
}

export function decimal(amount: Amount): Decimal {
  if (amount instanceof Decimal) return amount
  return new Decimal(`${amount.digits}e-${amount.places}`)
}
