/** Duty, VAT and landed cost without a country. Short values are computed as integers, which is faster. */
import { VAT_RATE_MAX, VAT_RATE_PLACES_MAX } from '../limits.js'
import { type Amount, Decimal, decimal, POWERS, parseRate, type Scaled } from './amount.js'

export interface Tariff {
  declaredValue: Amount
  dutyAmount: Amount
  vatAmount: Amount
  totalDutiesTaxes: Amount
  landedCost: Amount
}

const VAT_RATE = /^(?:0|[1-9][0-9]{0,2})(?:\.([0-9]+))?$/

/** Parses a caller's VAT rate in percent; undefined if invalid. */
export function parseVatRate(text: string): Scaled | undefined {
  const found = VAT_RATE.exec(text)
  if (found === null || (found[1]?.length ?? 0) > VAT_RATE_PLACES_MAX) return undefined
  return Number(text) <= VAT_RATE_MAX ? parseRate(text) : undefined
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

/** Ten times as fast as decimals; undefined if a result would exceed 2^53, above which integers are not exact. */
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
  // the largest result: if this is a safe integer, so are the others
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
