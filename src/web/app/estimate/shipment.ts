/** An estimate for a country: every charge with its basis and source, then what to know before relying on it. */

import type { CountryEstimate } from '../data/api.js'
import { announce, type Child, fill, fillText, h, icon } from '../dom/dom.js'
import { ours, t, type Words } from '../shared/language.js'
import { grouped, placesOf, rounded } from '../text/amounts.js'
import { Figures } from './figures.js'

/** Numbers as text. */
export type Exact<T> = T extends number
  ? string
  : T extends string | null | undefined
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Exact<Item>[]
      : { readonly [Name in keyof T]: Exact<T[Name]> }

export type ExactEstimate = Exact<CountryEstimate>
type ExactCharge = ExactEstimate['charges'][number]

/** The data of an answer's text. Amounts have every digit where `include=exact` was asked for: a float would round large ones. */
export function readExact<T = CountryEstimate>(text: string): Exact<T> {
  return (JSON.parse(text, (_, part) => (typeof part === 'number' ? String(part) : withExact(part))) as { data: Exact<T> }).data
}

interface WithExact {
  exact?: Readonly<Record<string, string>>
  calculation?: object
  totals?: object
  charges?: readonly ExactCharge[]
}

/** What `exact` has replaces the amounts that it is about: of an estimate, or of an invoice. */
function withExact(part: unknown): unknown {
  const { exact, calculation, totals, charges } = (part ?? {}) as WithExact
  if (exact === undefined) return part
  // the fees of an estimate are one amount there
  const exactCharge = (charge: ExactCharge) =>
    charge.kind === 'fee' ? charge : { ...charge, amount: exact[FIGURE_OF[charge.kind]] }
  return {
    ...(part as object),
    ...(calculation && { calculation: { ...calculation, ...exact } }),
    ...(totals && { totals: { ...totals, ...exact } }),
    ...(charges && { charges: charges.map(exactCharge) }),
  }
}

/** Which fields an excise asks for. */
export interface Needs {
  /** '' where no quantity is asked for. */
  unit: string
  sugar: boolean
}

export function needsOf({ excise_inputs: inputs }: Pick<ExactEstimate, 'excise_inputs'>): Needs {
  return { unit: inputs?.unit ?? '', sugar: inputs?.sugar ?? false }
}

const leftToRight = (text: string) => h('bdi', { dir: 'ltr' }, text)

/** What was opened stays open while the amounts follow the typing. */
const opened = new Set<string>()

export function shipmentView(data: ExactEstimate, needs: Needs): Child {
  const { calculation, charges } = data
  const { currency } = calculation
  const figures = new Figures(currency, placesOf(currency))
  const row = (label: string, name: string, amount: Child) =>
    h('div', { class: name === 'landed_cost' ? 'landed' : null }, h('dt', {}, label), h('dd', { 'data-figure': name }, amount))
  const parts = calculation.goods_value !== undefined && [
    row(t.calcGoods, 'goods_value', figures.amount(calculation.goods_value)),
    row(t.calcFreight, 'freight', figures.amount(calculation.freight ?? '0')),
    row(t.calcInsurance, 'insurance', figures.amount(calculation.insurance ?? '0')),
    row(t.calcCif, 'declared_value', figures.amount(calculation.declared_value)),
  ]
  const total = figures.amount(calculation.total_duties_taxes, data.rounded.total_duties_taxes)
  const landed = figures.amount(calculation.landed_cost, data.rounded.landed_cost)
  const view = [
    parts && h('dl', {}, parts),
    charges.map((charge, at) => chargeRow(charge, `${charge.kind} ${at}`, figures, currency)),
    h('dl', {}, row(t.calcCharges, 'total_duties_taxes', total), row(t.calcLanded, 'landed_cost', landed)),
    figures.exactSwitch(),
    convertedNote(data),
    parcelNote(data),
    originNote(data),
    list('calc-warnings', t.calcWarnings, data.warnings.map(ours)),
    list('calc-not-included', t.calcNotIncluded, notIncluded(data, needs)),
    h('p', { class: 'hint' }, t.calcEstimate),
  ]
  announce(`${t.calcLanded} ${landed.textContent}`)
  return view
}

const FIGURE_OF = { duty: 'import_duty_amount', excise: 'excise_amount', fee: 'fees_amount', vat: 'vat_amount' }

type WithMinimum = Pick<ExactCharge, 'rate' | 'amount'> & { readonly minimum?: string | null }

/** The least amount of a charge, where that was charged instead of the rate. */
export function appliedMinimum({ amount, minimum = null }: WithMinimum): string | null {
  return minimum !== null && Number(minimum) === Number(amount) ? minimum : null
}

/** " 0.15 %, minimum 15.00 SAR": null where the rate alone gave the amount. */
export function minimumOf(charge: WithMinimum, currency: string): Child {
  const minimum = appliedMinimum(charge)
  if (minimum === null) return null
  const amount = leftToRight(`${grouped(rounded(minimum, placesOf(currency)))} ${currency}`)
  return h('small', { class: 'minimum' }, ' ', fill(t.calcMinimum, { rate: leftToRight(`${charge.rate} %`), amount }))
}

function chargeRow(charge: ExactCharge, key: string, figures: Figures, currency: string): HTMLElement {
  const { kind, name, rate, unit, unit_amount } = charge
  const labels = { duty: t.calcDuty, excise: t.calcExcise, fee: name ? ours(name) : t.calcFees, vat: t.calcVatAmount }
  const minimum = minimumOf(charge, currency)
  const perUnit =
    unit !== null && unit_amount !== null && fill(t.calcUnit[unit] ?? '{amount}', { amount: leftToRight(unit_amount) })
  const details = h(
    'details',
    { class: 'charge', 'data-charge': kind, open: opened.has(key) },
    h(
      'summary',
      {},
      h(
        'span',
        { class: 'charge-name' },
        icon('chevron'),
        labels[kind],
        minimum ?? [' ', rate !== null ? leftToRight(`${rate} %`) : perUnit],
      ),
      h('span', { class: 'charge-amount', 'data-figure': FIGURE_OF[kind] }, figures.amount(charge.amount)),
    ),
    h('div', { class: 'charge-how' }, how(charge, kind === 'fee' ? null : name, currency)),
  )
  details.addEventListener('toggle', () => (details.open ? opened.add(key) : opened.delete(key)))
  return details
}

function how({ basis, unit, source, certainty, date }: ExactCharge, name: Words | null, currency: string): Child {
  const measured = unit === null ? `${grouped(basis)} ${currency}` : `${grouped(basis)} ${t.calcQuantity[unit] ?? ''}`
  const sure =
    certainty === null ? null : [h('b', {}, t.certainty[certainty] ?? certainty), ' ', t.certaintyText[certainty] ?? '']
  return [
    name && h('p', {}, ours(name)),
    h('p', {}, fill(t.calcBasis, { basis: h('bdi', {}, measured) })),
    source === null ? h('p', {}, t.calcOwnRate) : sourceText(source, date),
    sure && h('p', {}, sure),
  ]
}

function sourceText(source: string, date: string | null): HTMLElement {
  return h(
    'p',
    {},
    `${t.source}: `,
    h('bdi', { lang: 'en' }, source),
    date !== null && [' ', h('span', {}, '(', fill(t.calcSince, { date: leftToRight(date) }), ')')],
  )
}

/** The landed cost in the country's own currency, and at which rate. */
function convertedNote({ converted }: ExactEstimate): Child {
  if (converted === undefined) return null
  const { currency, rate, landed_cost: landed } = converted
  const amount = `${grouped(rounded(landed, placesOf(currency)))} ${currency}`
  return h(
    'p',
    { class: 'hint calc-converted' },
    fill(t.calcConverted, { amount: leftToRight(amount), rate: leftToRight(`${rate} ${currency}`) }),
  )
}

/** The amounts do not assume that the goods are a parcel. */
function parcelNote({ threshold }: ExactEstimate): Child {
  if (threshold === null) return null
  const { rule, source, certainty } = threshold
  const sure = `${t.certainty[certainty] ?? certainty}. `
  return h(
    'div',
    { class: 'calc-parcel' },
    h('p', {}, ours(rule)),
    h('p', { class: 'hint' }, sure, `${t.source}: `, h('bdi', { lang: 'en' }, source)),
  )
}

function originNote({ origin }: ExactEstimate): Child {
  if (origin === null) return null
  const { agreement } = origin
  if (agreement === null) return h('p', { class: 'hint' }, t.calcNoAgreement)
  const text = fillText(t.calcAgreement[agreement.treatment] ?? '{name}', {
    name: ours(agreement.name),
    proof: ours(agreement.proof),
  })
  return h('p', { class: 'calc-origin' }, text)
}

/** Whether something is left out only because its quantity or sugar was not given. */
export const isInputMissing = ({ code }: { code: string }) => code === 'excise_needs_quantity' || code === 'excise_needs_sugar'

/** The API's sentence names its parameters; here there are fields. */
function notIncluded({ not_included }: ExactEstimate, needs: Needs): string[] {
  return not_included.map(text => {
    if (!isInputMissing(text)) return ours(text)
    return needs.sugar ? t.calcNeedsSugar : t.calcNeedsExcise
  })
}

function list(name: string, title: string, items: readonly string[]): Child {
  if (items.length === 0) return null
  return h(
    'section',
    { class: `calc-list ${name}` },
    h('h3', {}, title),
    h(
      'ul',
      {},
      items.map(text => h('li', {}, text)),
    ),
  )
}
