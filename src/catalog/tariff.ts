import { Decimal as BaseDecimal } from 'decimal.js'
import { VALUE_DIGITS_MAX, VALUE_MAX, VALUE_MIN, VAT_RATE_MAX, VAT_RATE_PLACES_MAX } from '../limits.js'

/** Wide enough that no product is rounded: 15 digits of value, 8 of a rate, 7 of VAT. */
const Decimal = BaseDecimal.clone({ precision: 60, rounding: BaseDecimal.ROUND_DOWN })
type Decimal = InstanceType<typeof Decimal>

const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
const SMALLEST = new Decimal(VALUE_MIN)
const LARGEST = new Decimal(VALUE_MAX)
const POWERS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8] as const

/** Short values such as 1234.56 are computed as integers. */
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

/** A rate in percent, as the dataset spells it. */
export function parseRate(text: string): Scaled {
  const point = text.indexOf('.')
  if (point < 0) return { digits: Number(text), places: 0 }
  return { digits: Number(text.slice(0, point) + text.slice(point + 1)), places: text.length - point - 1 }
}

/** Undefined for anything but a short plain decimal. */
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

/** A declared value; undefined if not a number, out of range or too precise. */
export function parseValue(text: string): Amount | undefined {
  if (text === '') return undefined
  const short = parseShort(text)
  if (short !== undefined) return short.digits * 100 >= POWERS[short.places] ? short : undefined
  if (!JSON_NUMBER.test(text)) return undefined
  const value = new Decimal(text)
  if (value.lessThan(SMALLEST) || value.greaterThan(LARGEST)) return undefined
  return value.precision() <= VALUE_DIGITS_MAX ? value : undefined
}

export interface Tariff {
  declaredValue: Amount
  dutyAmount: Amount
  vatAmount: Amount
  totalDutiesTaxes: Amount
  landedCost: Amount
}

// regexp-ignore: anchored, and each repetition has a bound
const VAT_RATE = new RegExp(`^(?:0|[1-9][0-9]{0,2})(?:\\.[0-9]{1,${VAT_RATE_PLACES_MAX}})?$`)

/** A caller's VAT rate in percent; undefined if invalid. */
export function parseVatRate(text: string): Scaled | undefined {
  return VAT_RATE.test(text) && Number(text) <= VAT_RATE_MAX ? parseRate(text) : undefined
}

export function addTariffs(tariffs: readonly Tariff[]): Tariff {
  const sum = (amount: (tariff: Tariff) => Amount) =>
    tariffs.reduce((total, tariff) => total.plus(decimal(amount(tariff))), new Decimal(0))
  return {
    declaredValue: sum(tariff => tariff.declaredValue),
    dutyAmount: sum(tariff => tariff.dutyAmount),
    vatAmount: sum(tariff => tariff.vatAmount),
    totalDutiesTaxes: sum(tariff => tariff.totalDutiesTaxes),
    landedCost: sum(tariff => tariff.landedCost),
  }
}

export function computeTariff(value: Amount, dutyRate: Scaled, vatRate: Scaled): Tariff {
  if (!(value instanceof Decimal)) {
    const tariff = computeIntegers(value, dutyRate, vatRate)
    if (tariff !== undefined) return tariff
  }
  return computeDecimals(decimal(value), decimal(dutyRate), decimal(vatRate))
}

/** Plain shortest form: no exponent, no zeros at the end. */
export function amountText(amount: Amount): string {
  return decimal(amount).toFixed()
}

export function isScaled(amount: Amount): amount is Scaled {
  return !(amount instanceof Decimal)
}

function decimal(amount: Amount): Decimal {
  if (amount instanceof Decimal) return amount
  return new Decimal(`${amount.digits}e-${amount.places}`)
}

function computeDecimals(value: Decimal, dutyRate: Decimal, vatRate: Decimal): Tariff {
  const duty = value.times(dutyRate).dividedBy(100)
  const vat = value.plus(duty).times(vatRate).dividedBy(100)
  const total = duty.plus(vat)
  return {
    declaredValue: value,
    dutyAmount: duty,
    vatAmount: vat,
    totalDutiesTaxes: total,
    landedCost: value.plus(total),
  }
}

/** Exact below 2^53 at a tenth of the cost; undefined where a result would exceed that. */
function computeIntegers(value: Scaled, duty: Scaled, vat: Scaled): Tariff | undefined {
  // two more places, because rates are in percent
  const dutyShift = POWERS[duty.places + 2]
  const vatShift = POWERS[vat.places + 2]
  if (dutyShift === undefined || vatShift === undefined) return undefined
  const base = value.digits * dutyShift
  const dutyDigits = value.digits * duty.digits
  const vatDigits = (base + dutyDigits) * vat.digits
  const totalDigits = dutyDigits * vatShift + vatDigits
  const landedDigits = base * vatShift + totalDigits
  // the largest result: if it is a safe integer, so are the others
  if (landedDigits > Number.MAX_SAFE_INTEGER) return undefined
  const dutyPlaces = value.places + duty.places + 2
  const places = dutyPlaces + vat.places + 2
  return {
    declaredValue: value,
    dutyAmount: { digits: dutyDigits, places: dutyPlaces },
    vatAmount: { digits: vatDigits, places },
    totalDutiesTaxes: { digits: totalDigits, places },
    landedCost: { digits: landedDigits, places },
  }
}
