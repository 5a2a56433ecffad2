/** An estimate by the common tariff: duty and VAT. */
import type { TariffEstimate } from '../../../answers/shapes.js'
import { type Child, fill, h } from '../dom/dom.js'
import { t } from '../shared/language.js'
import { placesOf } from '../text/amounts.js'
import { Figures } from './figures.js'
import type { Exact } from './shipment.js'

type Estimate = Exact<TariffEstimate>
type Name = keyof Estimate['calculation']

export function calculatedView({ calculation, notes }: Estimate): Child {
  const { currency } = calculation
  const figures = new Figures(currency, placesOf(currency))
  const row = (label: string, name: Name, rate?: Name) =>
    h(
      'div',
      { class: name === 'landed_cost' ? 'landed' : null },
      h('dt', {}, label, rate !== undefined && [' ', h('bdi', { dir: 'ltr' }, `${calculation[rate]} %`)]),
      h('dd', { 'data-figure': name }, figures.amount(calculation[name])),
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
