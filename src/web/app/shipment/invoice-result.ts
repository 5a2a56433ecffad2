/** The sum of an invoice, with its fees, and what can be taken along. */
import type { VNode } from 'preact'
import { type Child, h, icon } from '../dom/dom.js'
import { button } from '../dom/states.js'
import { minimumOf } from '../estimate/figures.js'
import { quoteTools } from '../estimate/quote-tools.js'
import { lang, ours, t } from '../shared/language.js'
import { grouped, placesOf, rounded } from '../text/amounts.js'
import { type CalculatedInvoice, estimatesOf, lacksExcise } from './invoice-answer.js'
import { words } from './invoice-words.js'

async function download(ending: 'csv' | 'xlsx', calculated: CalculatedInvoice): Promise<void> {
  const { csvFile, excelFile } = await import('./invoice-files.js')
  const url = URL.createObjectURL(ending === 'csv' ? csvFile(calculated) : excelFile(calculated, lang === 'ar'))
  h('a', { href: url, download: `invoice-landed-cost.${ending}` }).click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

async function makeSheet(calculated: CalculatedInvoice): Promise<VNode> {
  const { invoiceSheet } = await import('./invoice-sheet.js')
  return invoiceSheet(calculated)
}

export function invoiceResult(calculated: CalculatedInvoice): HTMLElement {
  const { currency, lines, answer, country, link } = calculated
  const { totals, fees } = answer
  const good = estimatesOf(lines)
  const lacking = lines.flatMap(({ at, outcome }) => (outcome?.kind === 'good' && lacksExcise(outcome.estimate) ? [at + 1] : []))
  const complaint = h('p', { class: 'complaint', role: 'alert' })
  const amount = (exact: string) =>
    h('bdi', { dir: 'ltr' }, grouped(rounded(exact, placesOf(currency))), h('small', {}, currency))
  const row = (label: Child, name: string, exact: string) =>
    h(
      'div',
      { class: name === 'landed_cost' ? 'landed' : null },
      h('dt', {}, label),
      h('dd', { 'data-figure': name }, amount(exact)),
    )
  const file = (label: string, ending: 'csv' | 'xlsx') =>
    button([icon('down'), label], () => {
      complaint.textContent = ''
      download(ending, calculated).catch(() => {
        complaint.textContent = t.checkFileFailed
      })
    })
  const excise = totals.excise_amount ?? '0'
  const tools = quoteTools(
    () => link,
    () => makeSheet(calculated),
    file(t.checkExcel, 'xlsx'),
    file(t.checkDownload, 'csv'),
  )
  // an address that mail programs cut is worse than none
  if (link === '') tools.querySelector('[data-copy=link]')?.remove()
  return h(
    'section',
    { class: 'inv-result', 'aria-labelledby': 'inv-result' },
    h('h2', { id: 'inv-result' }, words.result(good.length, lines.length)),
    good.length < lines.length && h('p', { class: 'warning' }, words.leftOut),
    lacking.length > 0 && h('p', { class: 'warning' }, words.exciseLeftOut(lacking.join(', '))),
    h(
      'div',
      { class: 'calc-out' },
      h(
        'dl',
        {},
        row(t.calcCif, 'declared_value', totals.declared_value),
        row(t.calcDuty, 'import_duty_amount', totals.import_duty_amount),
        Number(excise) > 0 && row(t.calcExcise, 'excise_amount', excise),
        fees.map(fee => row([fee.name ? ours(fee.name) : t.calcFees, minimumOf(fee, currency)], 'fees_amount', fee.amount)),
        row(t.calcVatAmount, 'vat_amount', totals.vat_amount),
        row(country === '' ? t.calcTotal : t.calcCharges, 'total_duties_taxes', totals.total_duties_taxes),
        row(t.calcLanded, 'landed_cost', totals.landed_cost),
      ),
    ),
    tools,
    complaint,
    h('p', { class: 'hint' }, country === '' ? t.calcNote : t.calcEstimate),
  )
}
