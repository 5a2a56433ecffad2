/** A calculated invoice as a sheet to print. Loaded when one is printed. */
import { type ComponentChildren, h, type VNode } from 'preact'
import type { Charge } from '../data/api.js'
import { agreementText, chargeName, leftOut, minimumText } from '../estimate/estimate-sheet.js'
import {
  amountTable,
  both,
  countryName,
  factTable,
  filled,
  inline,
  leftToRight,
  money,
  own,
  Sources,
  sentences,
  sheet,
  sumTable,
} from '../estimate/sheet.js'
import type { Exact, ExactEstimate } from '../estimate/shipment.js'
import type { Words } from '../shared/language.js'
import { showCode, showIn } from '../ui/parts.js'
import { type CalculatedInvoice, estimatesOf, type Line, type RowEstimate } from './invoice-answer.js'
import { invoiceStrings } from './invoice-strings.js'

const mine = (name: 'no' | 'duty' | 'excise' | 'vat' | 'landed' | 'origin'): Words => ({
  en: invoiceStrings.en[name],
  ar: invoiceStrings.ar[name],
})

/** Each sentence once, with the rows that it is about. */
function byRows(lines: readonly Line[], textsOf: (estimate: ExactEstimate) => readonly Words[]): Words[] {
  const rows = new Map<string, { text: Words; rows: number[] }>()
  for (const { at, outcome } of lines) {
    if (outcome?.kind !== 'good' || outcome.estimate.charges === undefined) continue
    for (const text of textsOf(outcome.estimate as unknown as ExactEstimate)) {
      const entry = rows.get(text.en) ?? { text, rows: [] }
      if (!entry.rows.includes(at + 1)) entry.rows.push(at + 1)
      rows.set(text.en, entry)
    }
  }
  const all = estimatesOf(lines).length
  return [...rows.values()].map(({ text, rows }) => {
    if (rows.length === all) return text
    const sentence = own(words => (rows.length === 1 ? words.ofRow : words.ofRows))
    return filled(sentence, { rows: rows.join(', '), text })
  })
}

const withRate = (amount: VNode, rate: string) => [amount, h('div', { class: 'sheet-rate' }, leftToRight(`${rate} %`))]

function lineRow(
  { at, description }: Line,
  estimate: RowEstimate,
  { currency }: CalculatedInvoice,
  hasExcise: boolean,
  sources: Sources,
): ComponentChildren[] {
  const { calculation, charges = [] } = estimate
  const marks = charges.map(({ source }) => sources.mark(source))
  const origin = estimate.origin?.country
  return [
    at + 1,
    [
      h('b', {}, showCode(estimate.hs_code)),
      origin && [' · ', leftToRight(origin)],
      marks,
      h('div', {}, showIn('en', estimate.product)),
      description?.ar && h('div', { dir: 'rtl' }, showIn('ar', description.ar)),
    ],
    money(calculation.declared_value, currency),
    withRate(money(calculation.import_duty_amount, currency), calculation.import_duty_rate),
    ...(hasExcise ? [money(calculation.excise_amount ?? '0', currency)] : []),
    withRate(money(calculation.vat_amount, currency), calculation.vat_rate),
    money(estimate.rounded?.landed_cost ?? calculation.landed_cost, currency),
  ]
}

/** With its minimum where that was charged. */
function feeName(fee: Exact<Charge>, currency: string): Words {
  const [name, minimum] = [chargeName(fee), minimumText(fee, currency)]
  return minimum === null ? name : { en: `${name.en} (${minimum.en})`, ar: `${name.ar} (${minimum.ar})` }
}

export function invoiceSheet(calculated: CalculatedInvoice): Promise<VNode> {
  const { country, currency, lines, answer, link } = calculated
  const { totals, fees } = answer
  const sources = new Sources()
  const hasExcise = Number(totals.excise_amount ?? '0') > 0
  const bad = lines.filter(({ outcome }) => outcome?.kind !== 'good').map(({ at }) => at + 1)
  const rows = lines.flatMap(line =>
    line.outcome?.kind === 'good' ? [lineRow(line, line.outcome.estimate, calculated, hasExcise, sources)] : [],
  )
  const missing =
    bad.length === 0
      ? []
      : [
          filled(
            own(words => words.leftOut),
            { rows: bad.join(', ') },
          ),
        ]
  const never = country === '' ? [own(words => words.noDestination), own(words => words.exemptions)] : byRows(lines, leftOut)
  const agreements = byRows(lines, estimate => {
    const text = agreementText(estimate)
    return text === null ? [] : [text]
  })
  return sheet(
    own(words => words.invoiceTitle),
    link || `${location.origin}/invoice`,
    factTable([
      {
        label: both(words => words.calcDestination),
        value: inline(countryName(country)),
      },
      { label: own(words => words.currency), value: leftToRight(currency) },
    ]),
    amountTable(
      'sheet-rows',
      [
        mine('no'),
        own(words => words.code),
        both(words => words.calcCif),
        mine('duty'),
        ...(hasExcise ? [mine('excise')] : []),
        mine('vat'),
        mine('landed'),
      ],
      2,
      rows,
    ),
    sumTable([
      { label: both(words => words.calcCif), amount: money(totals.declared_value, currency) },
      { label: both(words => words.calcDuty), amount: money(totals.import_duty_amount, currency) },
      ...(hasExcise ? [{ label: both(words => words.calcExcise), amount: money(totals.excise_amount ?? '0', currency) }] : []),
      ...fees.map(fee => ({
        label: feeName(fee, currency),
        amount: h('span', {}, sources.mark(fee.source), ' ', money(fee.amount, currency)),
      })),
      { label: both(words => words.calcVatAmount), amount: money(totals.vat_amount, currency) },
      {
        label: both(words => (country === '' ? words.calcTotal : words.calcCharges)),
        amount: money(totals.total_duties_taxes, currency),
      },
      { label: both(words => words.calcLanded), amount: h('b', {}, money(totals.landed_cost, currency), ` ${currency}`) },
    ]),
    sentences(
      both(words => words.calcWarnings),
      [...missing, ...agreements, ...byRows(lines, ({ warnings }) => warnings)],
    ),
    sentences(
      both(words => words.calcNotIncluded),
      never,
    ),
    sources.view(),
  )
}
