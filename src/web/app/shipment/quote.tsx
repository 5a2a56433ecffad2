/** The shipment as a quote to print, in English and Arabic, whatever the page's language. Loaded when it is printed. */
import { type ComponentChildren, render, type VNode } from 'preact'
import type { Control } from '../../../answers/shapes.js'
import { ask, type Code } from '../data/api.js'
import { facts } from '../data/facts.js'
import { query } from '../data/query.js'
import { agreementText, chargeName, leftOut, minimumText } from '../estimate/estimate-sheet.js'
import { both, countryName, filled, own } from '../estimate/sheet.js'
import type { ExactEstimate } from '../estimate/shipment.js'
import type { Words } from '../shared/language.js'
import { leftToRight, showCode, showIn } from '../ui/parts.js'
import { estimateOf, isGood, type Sum, totalsOf } from './estimate-request.js'
import { codeOf, recordOf } from './row.js'
import { shipmentStrings } from './shipment-strings.js'
import type { ExactCharge, Row, RowEstimate, Shipment } from './state.js'
import { amountText } from './view-rows.js'

/** Each costs a request. */
const CONTROLS_MAX = 60

type Name =
  | 'no'
  | 'duty'
  | 'excise'
  | 'vat'
  | 'landed'
  | 'quoteReference'
  | 'quoteFrom'
  | 'quoteTo'
  | 'controls'
  | 'title'
  | 'words'
  | 'value'
const mine = (name: Name): Words => ({ en: shipmentStrings.en[name], ar: shipmentStrings.ar[name] })

const stacked = ({ en, ar }: Words) => (
  <>
    <div lang="en">{en}</div>
    {ar !== en && (
      <div lang="ar" dir="rtl">
        {ar}
      </div>
    )}
  </>
)

const inline = ({ en, ar }: Words) => (
  <>
    {showIn('en', en)}
    {ar !== '' && ar !== en && [' · ', showIn('ar', ar)]}
  </>
)

type Fact = readonly [label: Words, value: ComponentChildren]

/** Label, value, and the label in Arabic at the other end, as customs forms have them. */
const factTable = (list: readonly (Fact | null)[]) => (
  <table class="sheet-facts">
    <tbody>
      {list.map(
        fact =>
          fact && (
            <tr key={fact[0].en}>
              <th scope="row">{showIn('en', fact[0].en)}</th>
              <td>{fact[1]}</td>
              <th scope="row">{showIn('ar', fact[0].ar)}</th>
            </tr>
          ),
      )}
    </tbody>
  </table>
)

function sentences(title: Words, list: readonly Words[]) {
  if (list.length === 0) return null
  return (
    <section class="sheet-sentences">
      {(['en', 'ar'] as const).map(lang => (
        <div key={lang} lang={lang} dir={lang === 'ar' ? 'rtl' : 'ltr'}>
          <h2>{title[lang]}</h2>
          <ul>
            {list.map(words => (
              <li key={words.en}>{words[lang] || words.en}</li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}

interface Line {
  row: Row
  number: number
  estimate: RowEstimate | null
}

/** Each sentence once, with the rows that it is about. */
function byRows(lines: readonly Line[], textsOf: (line: Line) => readonly Words[]): Words[] {
  const found = new Map<string, { text: Words; rows: number[] }>()
  for (const line of lines)
    for (const text of textsOf(line)) {
      const entry = found.get(text.en) ?? { text, rows: [] }
      if (!entry.rows.includes(line.number)) entry.rows.push(line.number)
      found.set(text.en, entry)
    }
  return [...found.values()].map(({ text, rows }) =>
    rows.length === lines.length
      ? text
      : filled(
          own(words => (rows.length === 1 ? words.ofRow : words.ofRows)),
          { rows: rows.join(', '), text },
        ),
  )
}

/** Of an estimate for a country; others have no charges. */
const inCountry = ({ estimate }: Line): ExactEstimate[] =>
  estimate?.charges === undefined ? [] : [estimate as unknown as ExactEstimate]

function controlText({ kind, authority, reason }: Control): Words {
  const kinds = both(words => words.controlKinds[kind] ?? kind)
  const by = authority === null ? '' : ` (${authority})`
  return { en: `${kinds.en}: ${reason.en}${by}`, ar: `${kinds.ar}: ${reason.ar}${by}` }
}

/** Permits and certificates by code; what could not be asked for is missing. */
async function controlsOf(codes: readonly string[]): Promise<ReadonlyMap<string, readonly Control[]>> {
  const found = new Map<string, readonly Control[]>()
  for (const code of codes.slice(0, CONTROLS_MAX)) {
    const answer = await ask<Code>(query(`hs-codes/${code}`, { include: 'controls' }))
    if (answer.kind === 'ok') found.set(code, answer.data.controls?.items ?? [])
    else if (answer.kind !== 'missing') break
  }
  return found
}

/** Numbers what the charges name, each source once. */
class Sources {
  readonly #list: string[] = []

  mark(source: string | null | undefined): ComponentChildren {
    if (!source) return null
    if (!this.#list.includes(source)) this.#list.push(source)
    return <sup>[{this.#list.indexOf(source) + 1}]</sup>
  }

  view(): ComponentChildren {
    if (this.#list.length === 0) return null
    const { en, ar } = own(words => words.sources)
    return (
      <section class="sheet-sources">
        <h2>
          {en} · <span lang="ar">{ar}</span>
        </h2>
        <ol>
          {this.#list.map(source => (
            <li key={source}>{source}</li>
          ))}
        </ol>
      </section>
    )
  }
}

function goodsTable(lines: readonly Line[], sum: Sum, sources: Sources) {
  const { currency } = sum
  const hasExcise = Number(sum.excise_amount) > 0
  const money = (amount: string) => leftToRight(amountText(amount, currency))
  const withRate = (amount: string, rate: string | undefined) => (
    <>
      {money(amount)}
      {rate !== undefined && <div class="sheet-rate">{leftToRight(`${rate} %`)}</div>}
    </>
  )
  const head = [
    mine('no'),
    own(words => words.code),
    both(words => words.calcCif),
    mine('duty'),
    ...(hasExcise ? [mine('excise')] : []),
    mine('vat'),
    mine('landed'),
  ]
  const cells = ({ row, number, estimate }: Line): ComponentChildren[] => {
    const amounts = sum.rows.get(row.id)
    const description = recordOf(row)?.description
    const code = codeOf(row)
    const name = [
      code !== null && <b>{showCode(code)}</b>,
      estimate?.origin && [' · ', leftToRight(estimate.origin.country)],
      estimate?.charges?.map(({ source }) => sources.mark(source)),
      row.text.words.trim() !== '' && (
        <div>
          <bdi>{row.text.words}</bdi>
        </div>
      ),
      description && [
        <div key="en">{showIn('en', description.en)}</div>,
        <div key="ar" dir="rtl">
          {showIn('ar', description.ar)}
        </div>,
      ],
    ]
    if (amounts === undefined) return [number, name]
    return [
      number,
      name,
      money(amounts.declared_value),
      withRate(amounts.import_duty_amount, estimate?.calculation.import_duty_rate),
      ...(hasExcise ? [money(amounts.excise_amount)] : []),
      withRate(amounts.vat_amount, estimate?.calculation.vat_rate),
      money(amounts.landed_cost),
    ]
  }
  return (
    <table class="sheet-amounts sheet-rows">
      <thead>
        <tr>
          {head.map((words, at) => (
            <th key={at} scope="col" class={at > 1 ? 'figure' : undefined}>
              {stacked(words)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map(line => (
          <tr key={line.row.id}>
            {cells(line).map((cell, at) => (
              <td key={at} class={at > 1 ? 'figure' : undefined}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function feeName(fee: ExactCharge, currency: string): Words {
  const [name, minimum] = [chargeName(fee), minimumText(fee, currency)]
  return minimum === null ? name : { en: `${name.en} (${minimum.en})`, ar: `${name.ar} (${minimum.ar})` }
}

function sumTable(sum: Sum, hasCountry: boolean, sources: Sources) {
  const { currency } = sum
  const money = (amount: string) => leftToRight(amountText(amount, currency))
  return (
    <div class="sheet-sums">
      {factTable([
        [both(words => words.calcCif), money(sum.declared_value)],
        [both(words => words.calcDuty), money(sum.import_duty_amount)],
        Number(sum.excise_amount) > 0 ? [both(words => words.calcExcise), money(sum.excise_amount)] : null,
        ...sum.fees.map((fee): Fact => [feeName(fee, currency), [sources.mark(fee.source), ' ', money(fee.amount)]]),
        [both(words => words.calcVatAmount), money(sum.vat_amount)],
        [both(words => (hasCountry ? words.calcCharges : words.calcTotal)), money(sum.total_duties_taxes)],
        [
          both(words => words.calcLanded),
          <b key="landed">
            {money(sum.landed_cost)} {currency}
          </b>,
        ],
      ])}
    </div>
  )
}

const today = () => new Intl.DateTimeFormat('sv').format(new Date())

async function quoteSheet(state: Shipment, link: string): Promise<VNode> {
  const { country } = state.terms
  const { reference, from, to, logo } = state.quote
  const sum = totalsOf(state)
  const sources = new Sources()
  const lines = state.rows.map((row, at): Line => {
    const answer = estimateOf(row, state)
    return { row, number: at + 1, estimate: answer !== null && isGood(answer) ? answer : null }
  })
  const codes = [...new Set(state.rows.map(codeOf).filter(code => code !== null))]
  const [{ edition, version }, controls] = [await facts(), await controlsOf(codes)]
  const left = lines.flatMap(({ number, estimate }) => (estimate === null ? [number] : [])).join(', ')
  const missing =
    left === ''
      ? []
      : [
          filled(
            own(words => words.leftOut),
            { rows: left },
          ),
        ]
  const never =
    country === ''
      ? [own(words => words.noDestination), own(words => words.exemptions)]
      : byRows(lines, line => inCountry(line).flatMap(leftOut))
  const agreements = byRows(lines, line => inCountry(line).flatMap(one => agreementText(one) ?? []))
  const warnings = byRows(lines, line => inCountry(line).flatMap(({ warnings }) => warnings))
  const permits = byRows(lines, ({ row }) => (controls.get(codeOf(row) ?? '') ?? []).map(controlText))
  return (
    <>
      <header>
        <h1>
          {showIn('en', own(words => words.invoiceTitle).en)}
          {showIn('ar', own(words => words.invoiceTitle).ar)}
        </h1>
        {logo !== '' && (
          <p class="sheet-quote">
            <img src={logo} alt="" />
          </p>
        )}
      </header>
      <p class="sheet-estimate">{stacked(own(words => words.estimate))}</p>
      {factTable([
        reference.trim() === '' ? null : [mine('quoteReference'), <bdi key="v">{reference}</bdi>],
        from.trim() === '' ? null : [mine('quoteFrom'), <bdi key="v">{from}</bdi>],
        to.trim() === '' ? null : [mine('quoteTo'), <bdi key="v">{to}</bdi>],
        [both(words => words.calcDestination), inline(countryName(country))],
        sum && [own(words => words.currency), leftToRight(sum.currency)],
      ])}
      {sum !== null && goodsTable(lines, sum, sources)}
      {sum !== null && sumTable(sum, country !== '', sources)}
      {sentences(
        both(words => words.calcWarnings),
        [...missing, ...agreements, ...warnings],
      )}
      {sentences(mine('controls'), permits)}
      {sentences(
        both(words => words.calcNotIncluded),
        never,
      )}
      {sources.view()}
      {factTable([
        [own(words => words.date), leftToRight(today())],
        version === ''
          ? null
          : [
              own(words => words.data),
              inline(
                filled(
                  own(words => words.dataset),
                  { edition, version },
                ),
              ),
            ],
        [own(words => words.address), leftToRight(link || `${location.origin}/shipment`)],
      ])}
    </>
  )
}

/** Paper shows the sheet alone; the page itself is as before once it is printed. */
export async function printQuote(state: Shipment, link: string): Promise<void> {
  const content = await quoteSheet(state, link)
  // the first page in English that shows Arabic words may not have their face yet
  await document.fonts.load('1em Cairo', 'ر')
  document.querySelector('body > .sheet')?.remove()
  const sheet = document.createElement('article')
  Object.assign(sheet, { className: 'sheet', lang: 'en', dir: 'ltr' })
  render(content, sheet)
  document.body.append(sheet)
  const root = document.documentElement
  root.dataset.print = 'sheet'
  const end = () => {
    render(null, sheet)
    sheet.remove()
    delete root.dataset.print
  }
  window.addEventListener('afterprint', end, { once: true })
  window.print()
}
