/** Builds the requests for estimates of rows, and adds up the answers. */
import type { InvoiceItemError, InvoiceRequest, ShipmentItem } from '../../../answers/shapes.js'
import { placesOf } from '../text/amounts.js'
import { apportioned, sharesOf, sumOf } from '../text/decimals.js'
import { originOf } from '../text/origin-names.js'
import { codeOf, currencyOf, goodsValueOf, isBlankRow, measureOf, needsOf, splitMeasure, sugarOf, termOf } from './row.js'
import type { ExactCharge, Row, RowEstimate, Shipment } from './state.js'

type Body = Omit<InvoiceRequest, 'items'> & { readonly currency: string }

interface Asked {
  /** By row id: the item to send, and the key that matches its answer to the row. */
  readonly items: ReadonlyMap<number, { readonly item: ShipmentItem; readonly key: string }>
  readonly body: Body
}

export const isGood = (one: RowEstimate | InvoiceItemError): one is RowEstimate => !('error' in one)

/** Leaves out empty fields. */
function given(parts: Readonly<Record<string, string>>): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, text] of Object.entries(parts)) if (text !== '') kept[name] = text
  return kept
}

/** The terms that apply to all rows; null if one cannot be read. */
function bodyOf(state: Shipment): { body: Body; freight: string; insurance: string } | null {
  const { country } = state.terms
  const [vat, freight, insurance] = [termOf('vat', state), termOf('freight', state), termOf('insurance', state)]
  if (vat === null || freight === null || insurance === null) return null
  const vatRate = vat === '' ? {} : { vat_rate: Number(vat) }
  const shared = { include: ['exact'] as const, currency: currencyOf(state), ...vatRate }
  return { body: country === '' ? { ...shared, include_vat: true } : { ...shared, country }, freight, insurance }
}

/**
 * Freight and insurance are divided by value among all rows that have a value, including rows without a code, so that a row
 * that gets its code later does not change other rows.
 */
function askedFor(state: Shipment): Asked | null {
  const shared = bodyOf(state)
  if (shared === null) return null
  const { country, origin } = state.terms
  const valued = state.rows.flatMap(row => {
    const value = goodsValueOf(row, state)
    return value === null ? [] : [{ row, value }]
  })
  const weights = valued.map(({ value }) => value)
  const shares = (total: string) => (total === '' ? weights.map(() => '') : sharesOf(total, weights))
  const [freights, insurances] = [shares(shared.freight), shares(shared.insurance)]
  const prefix = JSON.stringify(shared.body)
  const items = new Map<number, { item: ShipmentItem; key: string }>()
  for (const [at, { row, value }] of valued.entries()) {
    const code = codeOf(row)
    const own = originOf(row.text.origin)
    if (code === null || own === null) continue
    const item = { hs_code: code, value, ...(country === '' ? {} : partsOf(row, freights[at], insurances[at], own || origin)) }
    items.set(row.id, { item, key: prefix + JSON.stringify(item) })
  }
  return { items, body: shared.body }
}

/** The fields of a row's item. The unit of the quantity for excise is known only after the row's first estimate. */
function partsOf(row: Row, freight = '', insurance = '', origin = ''): Record<string, string> {
  const [amount, unit] = splitMeasure(measureOf(row))
  const isMeasured = row.asks !== null && row.asks.unit !== '' && row.asks.unit === unit
  const quantity = isMeasured ? { quantity: amount, unit } : {}
  return given({ freight, insurance, origin, ...quantity, sugar: row.asks?.sugar ? sugarOf(row) : '' })
}

const known = new WeakMap<Shipment, Asked | null>()

/** Cached for each state, because every row and the totals need it. Null if a term cannot be read. */
export function asked(state: Shipment): Asked | null {
  const before = known.get(state)
  if (before !== undefined) return before
  const made = askedFor(state)
  known.set(state, made)
  return made
}

/** The API's estimate for the current values of a row; null if these values have not been estimated. */
export function estimateOf(row: Row, state: Shipment): RowEstimate | InvoiceItemError | null {
  const key = asked(state)?.items.get(row.id)?.key
  return key !== undefined && row.estimate?.key === key ? row.estimate.answer : null
}

const estimatedRows = (state: Shipment) =>
  state.rows.flatMap(row => {
    const answer = estimateOf(row, state)
    return answer !== null && isGood(answer) ? [{ row, answer }] : []
  })

/** 5.50 and 5.5 are the same value. */
function plain(decimal: string): string {
  if (!decimal.includes('.')) return decimal
  let end = decimal.length
  while (decimal[end - 1] === '0') end--
  return decimal.slice(0, decimal[end - 1] === '.' ? end - 1 : end)
}

/** Fees depend on the customs value of all rows. */
export const feesKey = (body: Body, value: string) => `${JSON.stringify(body)} ${plain(value)}`

/** The request for the fees, with the value of all rows as one item; null if there is nothing to request. */
export function feesQuestion(state: Shipment): { key: string; body: Body; item: ShipmentItem } | null {
  const all = asked(state)
  const good = estimatedRows(state)
  const [first] = good
  if (all === null || first === undefined || state.terms.country === '') return null
  const value = plain(sumOf(good.map(({ answer }) => answer.calculation.declared_value)))
  return { key: feesKey(all.body, value), body: all.body, item: { hs_code: first.answer.hs_code, value } }
}

/** Rounded to the currency's decimals. */
export interface Amounts {
  /** Goods, freight and insurance: the customs value. */
  readonly declared_value: string
  readonly import_duty_amount: string
  readonly excise_amount: string
  readonly vat_amount: string
  readonly total_duties_taxes: string
  readonly landed_cost: string
}

export interface Totals extends Amounts {
  readonly fees_amount: string
}

export interface Sum extends Totals {
  readonly currency: string
  /** By row id. Together with the fees and the VAT on them, they add up to the totals. */
  readonly rows: ReadonlyMap<number, Amounts>
  readonly fees: readonly ExactCharge[]
  readonly feesVat: string
  readonly isComplete: boolean
  /** Numbers of the rows that are missing from the totals, or whose excise is missing. */
  readonly left: readonly number[]
  /** Numbers of the rows whose line is not chosen yet; their rate may change. */
  readonly undecided: readonly number[]
}

const CHARGED = ['declared_value', 'import_duty_amount', 'excise_amount', 'vat_amount'] as const

const summed = new WeakMap<Shipment, Sum | null>()

/** Null while no row has an estimate. */
export function totalsOf(state: Shipment): Sum | null {
  const before = summed.get(state)
  if (before !== undefined) return before
  const made = sumUp(state)
  summed.set(state, made)
  return made
}

/** Each charge is rounded so that the rows add up to its rounded total; a row's total is the sum of its rounded charges. */
function sumUp(state: Shipment): Sum | null {
  const good = estimatedRows(state)
  if (good.length === 0) return null
  const currency = currencyOf(state)
  const places = placesOf(currency)
  const question = feesQuestion(state)
  const fees = question !== null && state.fees?.key === question.key ? state.fees : null
  const charges = fees?.charges ?? []
  const columns = CHARGED.map(name => {
    const exact = good.map(({ answer }) => answer.calculation[name] ?? '0')
    return apportioned(name === 'vat_amount' ? [...exact, fees?.vat ?? '0'] : exact, places)
  })
  const rows = new Map(good.map(({ row }, at) => [row.id, withSums(columns.map(column => column[at] as string))]))
  const feesAmounts = apportioned(
    charges.map(({ amount }) => amount),
    places,
  )
  const total = withSums(columns.map(sumOf), feesAmounts)
  const left: number[] = []
  const undecided: number[] = []
  for (const [at, row] of state.rows.entries()) {
    const needs = needsOf(row, state)
    const isLacking = needs.includes('measure') || needs.includes('sugar')
    if ((!rows.has(row.id) && !isBlankRow(row)) || isLacking) left.push(at + 1)
    if (rows.has(row.id) && needs.includes('line')) undecided.push(at + 1)
  }
  return {
    ...total,
    fees_amount: sumOf(feesAmounts),
    currency,
    rows,
    fees: charges.map((charge, at) => ({ ...charge, amount: feesAmounts[at] as string })),
    feesVat: columns[CHARGED.length - 1]?.at(-1) ?? '0',
    isComplete: left.length + undecided.length === 0 && (question === null || fees !== null),
    left,
    undecided,
  }
}

function withSums(
  [declared_value = '0', duty = '0', excise = '0', vat = '0']: readonly string[],
  fees: readonly string[] = [],
): Amounts {
  const total_duties_taxes = sumOf([duty, excise, ...fees, vat])
  return {
    declared_value,
    import_duty_amount: duty,
    excise_amount: excise,
    vat_amount: vat,
    total_duties_taxes,
    landed_cost: sumOf([declared_value, total_duties_taxes]),
  }
}
