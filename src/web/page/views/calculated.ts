/** An estimate by the common tariff: duty and VAT. */
import { placesOf } from '../amounts.js'
import { type Child, fill, h } from '../dom.js'
import { t } from '../language.js'
import { Figures } from './figures.js'

export interface Calculated {
  calculation: { currency: string }
  notes: string
}

/** Figures as the API wrote them: a float would round the last digits of a large one. */
// regexp-ignore: dataset text, an answer of ours
const literal = (text: string, name: string) => new RegExp(`"${name}":(-?[0-9.]+)`).exec(text)?.[1] ?? '0'

export function calculatedView({ calculation: { currency }, notes }: Calculated, text: string): Child {
  const figures = new Figures(currency, placesOf(currency))
  const row = (label: string, name: string, rate?: string) =>
    h(
      'div',
      { class: name === 'landed_cost' ? 'landed' : null },
      h('dt', {}, label, rate !== undefined && [' ', h('bdi', { dir: 'ltr' }, `${literal(text, rate)} %`)]),
      h('dd', { 'data-figure': name }, figures.amount(literal(text, name))),
    )
  // regexp-ignore: dataset text, notes of ours
  const range = /carry ([\d.]+) to ([\d.]+) percent/.exec(notes)
  return [
    h(
      'dl',
      {},
      row(t.calcDuty, 'import_duty_amount', 'import_duty_rate'),
      row(t.calcVatAmount, 'vat_amount', 'vat_rate'),
      row(t.calcTotal, 'total_duties_taxes'),
      row(t.calcLanded, 'landed_cost'),
    ),
    figures.exactSwitch(),
    range && h('p', { class: 'warning' }, fill(t.rateRange, { from: range[1], to: range[2] })),
    h('p', { class: 'hint' }, t.calcNote),
  ]
}
