/** The shipment as a quote to print, in English and Arabic. Loaded when it is printed. */
import type { ComponentChildren, VNode } from 'preact'
import type { Control, Description } from '../../../answers/shapes.js'
import { ask, type Code } from '../data/api.js'
import { query } from '../data/query.js'
import { agreementText, chargeName, controlText, leftOut, minimumText } from '../estimate/estimate-sheet.js'
import {
  amountTable,
  both,
  countryName,
  type Fact,
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
  textsOf,
} from '../estimate/sheet.js'
import type { ExactCharge, ExactEstimate } from '../estimate/shipment.js'
import { showCode, showIn } from '../ui/parts.js'
import { estimateOf, isGood, type Sum, totalsOf } from './estimate-request.js'
import { codeOf, recordOf } from './row.js'
import { shipmentStrings } from './shipment-strings.js'
import type { Row, RowEstimate, Shipment } from './state.js'

/** Maximum number of codes whose controls are looked up; each needs a request. */
const CONTROLS_MAX = 60

const shipmentText = textsOf(shipmentStrings)

interface Line {
  row: Row
  number: number
  estimate: RowEstimate | null
}

/** Lists each sentence once, with the numbers of the rows that it applies to. */
function byRows(lines: readonly Line[], textsOf: (line: Line) => readonly Description[]): Description[] {
  const found = new Map<string, { text: Description; rows: Set<number> }>()
  for (const line of lines)
    for (const text of textsOf(line)) {
      const entry = found.get(text.en) ?? { text, rows: new Set() }
      entry.rows.add(line.number)
      found.set(text.en, entry)
    }
  return [...found.values()].map(({ text, rows }) => {
    if (rows.size === lines.length) return text
    const sentence = own(words => (rows.size === 1 ? words.ofRow : words.ofRows))
    return filled(sentence, { rows: [...rows].join(', '), text })
  })
}

/** The charges of an estimate for a country; other estimates have none. */
const inCountry = ({ estimate }: Line): ExactEstimate[] =>
  estimate?.charges === undefined ? [] : [estimate as unknown as ExactEstimate]

/** Permits and certificates by code; codes whose request failed are missing. */
async function controlsOf(codes: readonly string[]): Promise<ReadonlyMap<string, readonly Control[]>> {
  const found = new Map<string, readonly Control[]>()
  for (const code of codes.slice(0, CONTROLS_MAX)) {
    const answer = await ask<Code>(query(`hs-codes/${code}`, { include: 'controls' }))
    if (answer.kind === 'ok') found.set(code, answer.data.controls?.items ?? [])
    else if (answer.kind !== 'missing') break
  }
  return found
}

function nameCell({ row, estimate }: Line, sources: Sources): ComponentChildren {
  const code = codeOf(row)
  const description = recordOf(row)?.description
  return (
    <>
      {code !== null && <b>{showCode(code)}</b>}
      {estimate?.origin && <> · {leftToRight(estimate.origin.country)}</>}
      {estimate?.charges?.map(({ source }) => sources.mark(source))}
      {row.text.words.trim() !== '' && (
        <div>
          <bdi>{row.text.words}</bdi>
        </div>
      )}
      {description && (
        <>
          <div>{showIn('en', description.en)}</div>
          <div dir="rtl">{showIn('ar', description.ar)}</div>
        </>
      )}
    </>
  )
}

function goodsTable(lines: readonly Line[], { currency, rows, excise_amount }: Sum, sources: Sources) {
  const hasExcise = Number(excise_amount) > 0
  const withRate = (amount: string, rate: string | undefined) => (
    <>
      {money(amount, currency)}
      {rate !== undefined && <div class="sheet-rate">{leftToRight(`${rate} %`)}</div>}
    </>
  )
  const head = [
    shipmentText('no'),
    own('code'),
    both('calcCif'),
    shipmentText('duty'),
    ...(hasExcise ? [shipmentText('excise')] : []),
    shipmentText('vat'),
    shipmentText('landed'),
  ]
  const cells = (line: Line): ComponentChildren[] => {
    const { row, number, estimate } = line
    const amounts = rows.get(row.id)
    const first = [number, nameCell(line, sources)]
    if (amounts === undefined) return first
    return [
      ...first,
      money(amounts.declared_value, currency),
      withRate(amounts.import_duty_amount, estimate?.calculation.import_duty_rate),
      ...(hasExcise ? [money(amounts.excise_amount, currency)] : []),
      withRate(amounts.vat_amount, estimate?.calculation.vat_rate),
      money(amounts.landed_cost, currency),
    ]
  }
  return amountTable('sheet-rows', head, 2, lines.map(cells))
}

function feeName(fee: ExactCharge, currency: string): Description {
  const [name, minimum] = [chargeName(fee), minimumText(fee, currency)]
  return minimum === null ? name : { en: `${name.en} (${minimum.en})`, ar: `${name.ar} (${minimum.ar})` }
}

function sums(sum: Sum, hasCountry: boolean, sources: Sources) {
  const { currency } = sum
  const row = (label: Description, amount: string, mark: ComponentChildren = null) => ({
    label,
    amount: [mark, mark && ' ', money(amount, currency)],
  })
  return sumTable([
    row(both('calcCif'), sum.declared_value),
    row(both('calcDuty'), sum.import_duty_amount),
    ...(Number(sum.excise_amount) > 0 ? [row(both('calcExcise'), sum.excise_amount)] : []),
    ...sum.fees.map(fee => row(feeName(fee, currency), fee.amount, sources.mark(fee.source))),
    row(both('calcVatAmount'), sum.vat_amount),
    row(
      both(words => (hasCountry ? words.calcCharges : words.calcTotal)),
      sum.total_duties_taxes,
    ),
    {
      label: both('calcLanded'),
      amount: (
        <b>
          {money(sum.landed_cost, currency)} {currency}
        </b>
      ),
    },
  ])
}

const typed = (label: Description, text: string): Fact | null => (text.trim() === '' ? null : { label, value: <bdi>{text}</bdi> })

export async function quoteSheet(state: Shipment, link: string): Promise<VNode> {
  const { country } = state.terms
  const { reference, from, to, logo } = state.quote
  const sum = totalsOf(state)
  const sources = new Sources()
  const lines = state.rows.map((row, at): Line => {
    const answer = estimateOf(row, state)
    return { row, number: at + 1, estimate: answer !== null && isGood(answer) ? answer : null }
  })
  const controls = await controlsOf([...new Set(state.rows.map(codeOf).filter(code => code !== null))])
  const left = lines.flatMap(({ number, estimate }) => (estimate === null ? [number] : [])).join(', ')
  const missing = filled(own('leftOut'), { rows: left })
  const agreements = byRows(lines, line => inCountry(line).flatMap(one => agreementText(one) ?? []))
  const warnings = byRows(lines, line => inCountry(line).flatMap(({ warnings }) => warnings))
  const notIncluded =
    country === '' ? [own('noDestination'), own('exemptions')] : byRows(lines, line => inCountry(line).flatMap(leftOut))
  return sheet(
    { title: own('invoiceTitle'), address: link || `${location.origin}/shipment`, logo },
    factTable([
      typed(shipmentText('quoteReference'), reference),
      typed(shipmentText('quoteFrom'), from),
      typed(shipmentText('quoteTo'), to),
      { label: both('calcDestination'), value: inline(countryName(country)) },
      sum && { label: own('currency'), value: leftToRight(sum.currency) },
    ]),
    sum && goodsTable(lines, sum, sources),
    sum && sums(sum, country !== '', sources),
    sentences(both('calcWarnings'), [...(left === '' ? [] : [missing]), ...agreements, ...warnings]),
    sentences(
      shipmentText('controls'),
      byRows(lines, ({ row }) => (controls.get(codeOf(row) ?? '') ?? []).map(controlText)),
    ),
    sentences(both('calcNotIncluded'), notIncluded),
    sources.view(),
  )
}
