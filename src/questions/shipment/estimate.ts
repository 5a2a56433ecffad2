/**
 * The cost of a shipment in a country: duty, excise, fees and VAT, each with its base and source, and what the estimate leaves
 * out.
 */
import { Decimal, decimal } from '../../catalog/amount.js'
import type { Catalog } from '../../catalog/catalog.js'
import { type CountryView, isFor } from '../../catalog/countries.js'
import { computeLandedCost, type LandedCost } from '../../catalog/landed-cost.js'
import type { CountryThreshold } from '../../snapshot/country-format.js'
import { type LeftOut, NEVER_INCLUDED, type Warning, warning } from '../../warnings.js'
import { Refusal } from '../refusal.js'
import { estimate } from '../tariff.js'
import { type Charge, chargesOf } from './charges.js'
import { type Converted, convertedTo } from './converted.js'
import { type ExciseInputs, exciseFor, type ToDeclared } from './excise.js'
import { type FeeCharge, feesFor } from './fees.js'
import { type Preference, preferenceFor } from './preference.js'
import { readShipment, type Shipment, type ShipmentText } from './read.js'
import { isExcise, NO_VAT, vatOf } from './vat.js'

const ZERO = new Decimal(0)

export interface ShipmentQuestion {
  code: string
  /** The text of a JSON number. */
  value: string
  currency: string | undefined
  /** VAT is included unless this is false; null means that the parameter `include_vat` was invalid. */
  withVat: boolean | null | undefined
  vatRate: string
  convert: boolean | null | undefined
  shipment: ShipmentText
}

/** Where and when the shipment is imported. */
export interface Destination {
  view: CountryView
  /** A day such as 2026-11-17; taxes, fees, thresholds and anti-dumping duties in force on this day apply. */
  day: string
}

export interface ShipmentEstimate {
  record: number
  destination: Destination
  currency: string
  shipment: Shipment
  goodsValue: Decimal
  dutyRate: string
  vatRate: Decimal
  cost: LandedCost
  charges: readonly Charge[]
  exciseInputs: ExciseInputs | null
  preference: Preference | undefined
  /** The rule that makes a parcel of this value duty-free; the amounts do not take it into account. */
  threshold: CountryThreshold | undefined
  converted: Converted | undefined
  warnings: readonly Warning[]
  notIncluded: readonly LeftOut[]
}

/** With `isPart`, leaves out the fees, which are charged once per invoice. */
export function estimateShipment(
  catalog: Catalog,
  destination: Destination,
  question: ShipmentQuestion,
  isPart = false,
): ShipmentEstimate | Refusal {
  const { view, day } = destination
  const { country } = view
  // the same checks as for an estimate without a country, in the same order
  const plain = estimate(catalog, question.code, question.value, question.currency, question.withVat, question.vatRate)
  if (plain instanceof Refusal) return plain
  const shipment = readShipment(question.shipment)
  if (shipment instanceof Refusal) return shipment
  const { record, currency } = plain
  const { meta } = country
  const toDeclared: ToDeclared = amount => catalog.currencies.convert(amount, meta.currency, currency)

  const taxes = country.taxesOf(record, day)
  const excise = exciseFor(meta, taxes.rows.filter(isExcise), shipment, currency, toDeclared)
  if (excise instanceof Refusal) return excise
  const fees = feesFor(meta, country.feesOn(day), currency, toDeclared)
  const ownFees = isPart ? [] : fees.charges
  const preference = shipment.origin === undefined ? undefined : preferenceFor(catalog, view, record, shipment.origin)
  const dutyRate = preference?.isFree ? '0' : view.rateText(record)
  const vat = question.withVat === false ? NO_VAT : vatOf(taxes.rows, view, question.vatRate)

  const cost = computeLandedCost({
    value: plain.amounts.declaredValue,
    freight: shipment.freight,
    insurance: shipment.insurance,
    dutyRate: new Decimal(dutyRate),
    excise: excise.charge?.terms,
    fees: ownFees.map(({ terms }) => terms),
    vatRate: vat.rate,
    vatBase: meta.vat.base,
  })
  const converted = convertedTo(catalog, meta, currency, cost, question.convert)
  if (converted instanceof Refusal) return converted

  return {
    record,
    destination,
    currency,
    shipment,
    goodsValue: decimal(plain.amounts.declaredValue),
    dutyRate,
    vatRate: vat.rate,
    cost,
    charges: chargesOf(catalog, view, record, cost, { dutyRate, preference, excise: excise.charge, fees: ownFees, vat }),
    exciseInputs: excise.inputs,
    preference,
    threshold: thresholdFor(catalog, destination, record, currency, cost, shipment),
    converted,
    warnings: [
      ...rateWarnings(catalog, view, record, preference?.isFree ?? false),
      ...(taxes.differBelow ? [warning('taxes_differ')] : []),
      ...excise.warnings,
      ...vat.perhaps.map(row => warning('vat_may_differ', row)),
      ...(preference?.warnings ?? []),
      ...antiDumpingWarnings(catalog, destination, record, shipment.origin),
    ],
    notIncluded: [...excise.notIncluded, ...fees.notIncluded, ...(preference?.notIncluded ?? []), ...NEVER_INCLUDED],
  }
}

/** The fees of a declaration with several items, charged once on their customs value. */
export function declarationFees(catalog: Catalog, { view, day }: Destination, currency: string): FeeCharge[] {
  const { country } = view
  const toDeclared: ToDeclared = amount => catalog.currencies.convert(amount, country.meta.currency, currency)
  return feesFor(country.meta, country.feesOn(day), currency, toDeclared).charges
}

function rateWarnings(catalog: Catalog, view: CountryView, record: number, isFree: boolean): Warning[] {
  const { meta } = view.country
  const [low, high] = [view.lowIndex(record), view.highIndex(record)]
  const status = view.statusOf(record)
  const warnings: Warning[] = []
  if (status === 'prohibited') warnings.push(warning('prohibited', meta))
  else if (hasProhibitedLine(catalog, view, record)) warnings.push(warning('partly_prohibited', meta))
  // if an agreement makes the goods duty-free, the amounts do not depend on the tariff's rate
  if (isFree) return warnings
  if (status === 'unknown') warnings.push(warning('rate_unknown', meta))
  if (low !== high) warnings.push(warning('rates_differ', catalog.meta.rates[low], catalog.meta.rates[high]))
  if (meta.coverage === 'some' && view.ruleOf(record) === undefined) warnings.push(warning('common_rate_used', meta))
  return warnings
}

function hasProhibitedLine({ lines }: Catalog, view: CountryView, record: number): boolean {
  if (lines.longest === 0) return false
  const { first, end } = lines.below(record, lines.longest)
  return lines.order.subarray(first, end).some(line => view.ruleOf(line)?.status === 'prohibited')
}

function antiDumpingWarnings(
  catalog: Catalog,
  { view, day }: Destination,
  record: number,
  origin: string | undefined,
): Warning[] {
  if (origin === undefined) return []
  const code = catalog.records.code(record)
  return catalog.countries.antiDumping(view.country.code, origin, code, day).map(row => warning('anti_dumping', row))
}

function thresholdFor(
  catalog: Catalog,
  { view, day }: Destination,
  record: number,
  currency: string,
  { customsValue }: LandedCost,
  { insurance = ZERO }: Shipment,
): CountryThreshold | undefined {
  const { country } = view
  const code = catalog.records.code(record)
  const isBelow = ({ basis, below }: CountryThreshold) => {
    const counted = basis === 'goods_freight' ? customsValue.minus(decimal(insurance)) : customsValue
    return catalog.currencies.convert(counted, currency, country.meta.currency)?.lessThan(below) ?? false
  }
  return country.thresholdsOn(day).find(threshold => isBelow(threshold) && isFor(threshold, code))
}
