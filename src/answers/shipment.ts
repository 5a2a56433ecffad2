/** An estimate for a country, with exact decimals. HTTP writes every digit; the library returns JavaScript numbers instead. */
import { Decimal, decimal } from '../catalog/amount.js'
import type { Catalog } from '../catalog/catalog.js'
import { decimalsOf } from '../catalog/currencies.js'
import type { LandedCost } from '../catalog/landed-cost.js'
import type { Charge as ChargeValue } from '../questions/shipment/charges.js'
import type { ShipmentEstimate } from '../questions/shipment/estimate.js'
import type { Preference } from '../questions/shipment/preference.js'
import { type RoundedCost, roundedCost } from '../questions/shipment/rounded.js'
import { estimateNotes } from '../questions/tariff.js'
import { taxUnitUnece } from '../snapshot/country-format.js'
import { WARNINGS } from '../warnings.js'
import type { Charge, Converted, CostAmounts, CountryEstimate, ExactCostAmounts, OriginAnswer, Threshold } from './shapes.js'

const ZERO = new Decimal(0)

/** `T` with exact decimals in place of numbers. */
export type Exact<T> = T extends number
  ? Decimal
  : T extends string | null | undefined
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Exact<Item>[]
      : { readonly [Name in keyof T]: Exact<T[Name]> }

/** `isExact` adds the amounts as decimal strings. */
export function exactShipment(catalog: Catalog, answer: ShipmentEstimate, isExact = false): Exact<CountryEstimate> {
  const { record, currency, cost, destination } = answer
  const { view } = destination
  return {
    hs_code: catalog.records.code(record),
    product: catalog.records.description(record).en,
    calculation: {
      declared_value: cost.customsValue,
      currency,
      import_duty_rate: new Decimal(answer.dutyRate),
      import_duty_amount: cost.dutyAmount,
      vat_rate: answer.vatRate,
      vat_amount: cost.vatAmount,
      total_duties_taxes: cost.totalDutiesTaxes,
      landed_cost: cost.landedCost,
      excise_amount: cost.exciseAmount,
      fees_amount: cost.feesAmount,
      ...partsOfValue(answer),
    },
    notes: notesFor(catalog, answer),
    country: view.country.code,
    list: view.list || null,
    charges: answer.charges.map(exactCharge),
    excise_inputs: answer.exciseInputs,
    origin: originAnswer(catalog, answer.preference),
    threshold: thresholdAnswer(answer),
    rounded: costAmounts(roundedCost(cost, decimalsOf(currency))),
    ...(answer.converted !== undefined && { converted: convertedAnswer(answer.converted) }),
    warnings: answer.warnings,
    not_included: answer.notIncluded,
    ...(isExact && { exact: decimalTexts({ ...costAmounts(cost), ...partsOfValue(answer) }) }),
  }
}

/** Goods value, freight and insurance; empty if the caller sent neither freight nor insurance. */
function partsOfValue({ goodsValue, shipment: { freight, insurance } }: ShipmentEstimate) {
  if (freight === undefined && insurance === undefined) return {}
  return { goods_value: goodsValue, freight: decimal(freight ?? ZERO), insurance: decimal(insurance ?? ZERO) }
}

function notesFor(catalog: Catalog, { record, destination }: ShipmentEstimate): string {
  const { view } = destination
  const { rates } = catalog.meta
  const { isActive } = catalog.estimateNoteOf(record)
  const range = { low: rates[view.lowIndex(record)], high: rates[view.highIndex(record)] }
  const notes = estimateNotes({ isActive, ...range, isProhibited: false })
  return view.statusOf(record) === 'prohibited' ? `${notes} ${WARNINGS.prohibited.text(view.country.meta).en}` : notes
}

export function exactCharge({ unitAmount, ...charge }: ChargeValue): Exact<Charge> {
  const { kind, name, rate, unit, minimum, maximum, basis, amount, source, certainty, date } = charge
  const terms = { rate, unit_amount: unitAmount, unit, unit_unece: taxUnitUnece(unit), minimum, maximum }
  return { kind, name, ...terms, basis, amount, source, certainty, date }
}

/**
 * Text such as ", at least 15", to explain an amount that differs from the percentage. A maximum is named only if it is
 * reached.
 */
export function limitsText({ minimum, maximum, amount }: Exact<Charge>): string {
  const least = minimum === null ? '' : `, at least ${minimum.toFixed()}`
  return maximum === null || amount.lessThan(maximum) ? least : `${least}, at most ${maximum.toFixed()}`
}

export function costAmounts(cost: RoundedCost | LandedCost): Exact<CostAmounts> {
  return {
    declared_value: cost.customsValue,
    import_duty_amount: cost.dutyAmount,
    vat_amount: cost.vatAmount,
    total_duties_taxes: cost.totalDutiesTaxes,
    landed_cost: cost.landedCost,
    excise_amount: cost.exciseAmount,
    fees_amount: cost.feesAmount,
  }
}

function originAnswer(catalog: Catalog, preference: Preference | undefined): Exact<OriginAnswer> | null {
  if (preference === undefined) return null
  const { origin, applied } = preference
  if (applied === undefined) return { country: origin, agreement: null }
  const { agreement, term, certainty } = applied
  return {
    country: origin,
    agreement: {
      name: agreement.name,
      category: term?.category || null,
      treatment: term?.treatment ?? 'doubtful',
      proof: agreement.proof,
      source: catalog.countries.originSource(agreement.source),
      certainty,
    },
  }
}

function thresholdAnswer({ threshold, destination }: ShipmentEstimate): Exact<Threshold> | null {
  if (threshold === undefined) return null
  const { country } = destination.view
  const { below, duty, vat, rule, source, certainty } = threshold
  const { currency } = country.meta
  return { below: new Decimal(below), currency, duty, vat, rule, source: country.source(source), certainty }
}

function convertedAnswer({
  currency,
  rate,
  sources,
  certainty,
  amounts,
}: NonNullable<ShipmentEstimate['converted']>): Exact<Converted> {
  return { currency, rate, sources, certainty, ...costAmounts(amounts) }
}

export function decimalTexts(amounts: Readonly<Record<string, Decimal>>): ExactCostAmounts {
  const texts: object = Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, amount.toFixed()]))
  return texts as ExactCostAmounts
}

type Leaf = string | number | boolean | null | Decimal
type Tree = Leaf | readonly Tree[] | { readonly [name: string]: Tree | undefined }

/** JSON with every digit of the decimals. */
export function exactText(value: unknown): string {
  const tree = value as Tree
  if (tree instanceof Decimal) return tree.toFixed()
  if (Array.isArray(tree)) return `[${tree.map(exactText).join()}]`
  if (typeof tree !== 'object' || tree === null) return JSON.stringify(tree)
  const fields = Object.entries(tree).filter(([, field]) => field !== undefined)
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${exactText(field)}`).join()}}`
}

/** The value with JavaScript numbers, which may lose digits, in place of decimals. */
export function rounded<T>(value: Exact<T>): T {
  return JSON.parse(exactText(value)) as T
}
