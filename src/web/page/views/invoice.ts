/** An invoice: rows typed, pasted or read from a file; duty and tax of each by one request, and in total. */
import { INVOICE_ITEMS_MAX } from '../../../limits.js'
import { type InvoiceTerms, type Route, toInvoice } from '../address.js'
import { ask, type Resolved, type Trouble } from '../api.js'
import { COMMON, country, withCountry } from '../country.js'
import { announce, type Child, h, replace } from '../dom.js'
import { estimatesOf, type Line, outcomeOf, readAnswer, requestBody, type Terms } from '../invoice-answer.js'
import { currencyNamed, isBlank, packRows, type RowText, readRow, unpackRows } from '../invoice-text.js'
import { t, type Words } from '../language.js'
import type { Page, View } from '../page.js'
import { Slot } from '../slot.js'
import { button } from '../states.js'
import { type Stored, WorkStore } from '../work-store.js'
import { InvoicePaste } from './invoice-paste.js'
import { invoiceResult } from './invoice-result.js'
import { InvoiceRows } from './invoice-rows.js'
import { words } from './invoice-strings.js'
import { NO_TERMS, TermsFields, type TermTexts } from './invoice-terms.js'
import { type Needs, needsOf } from './shipment.js'

/** Few enough for an address that mail programs leave whole. */
const ADDRESS_MAX = 1200
/** Rates change with the dataset: older answers are asked for again. */
const ANSWER_MS = 24 * 3600_000

type InvoiceRoute = Extract<Route, { page: 'invoice' }>

interface Work extends Stored {
  rows: readonly RowText[]
  terms: TermTexts
  /** Whether the visitor chose the currency; otherwise it is the destination's. */
  isCurrencyChosen: boolean
  country: string
  /** The last answer, as long as nothing has changed since. */
  answer: { atMs: number; text: string } | null
}

const works = new WorkStore<Work>({ database: 'hsapi-invoice', store: 'invoice', tab: 'hsapi-invoice' })
const flush = () => works.flush()

/** Currency and VAT change with the destination, the work does not. */
const addressOf = ({ rows, freight, insurance, origin }: Omit<InvoiceTerms, 'currency' | 'vat'>) =>
  rows === '' ? '' : [rows, freight, insurance, origin].join(' ')

export function invoiceView(page: Page, first: InvoiceRoute): View {
  const invoice = new InvoicePage(page)
  invoice.open(first)
  window.addEventListener('pagehide', flush)
  return {
    title: words.title,
    update: route => {
      if (route.page !== 'invoice') return false
      invoice.open(route)
      return true
    },
    leave: () => {
      invoice.leave()
      flush()
      window.removeEventListener('pagehide', flush)
    },
  }
}

/** What excise asks for and the words of codes, by code; they stay for the next invoice. */
const needs = new Map<string, Needs>()
const descriptions = new Map<string, Words>()

class InvoicePage {
  readonly #page: Page
  readonly #country = country()
  readonly #terms = new TermsFields(() => this.#changed())
  readonly #rows = new InvoiceRows(this.#country !== '', INVOICE_ITEMS_MAX, {
    changed: () => {
      this.#paste.closeColumns()
      this.#changed()
    },
    fixed: () => this.#calculate(true),
    pasted: text => this.#paste.take(text),
  })
  readonly #paste = new InvoicePaste({
    before: () => this.#rows.texts.filter(row => !isBlank(row)),
    fill: (rows, isAnyNew) => this.#fill(rows, isAnyNew),
    complain: text => {
      this.#complaint.textContent = text
    },
  })
  readonly #complaint = h('p', { class: 'complaint', role: 'alert' })
  readonly #startOver = h(
    'div',
    { class: 'row start-over', hidden: true },
    button(t.checkStartOver, () => this.#clear()),
    h('p', { class: 'hint' }, t.checkKept),
  )
  readonly #out = h('div', { class: 'inv-out' })
  readonly #slot = new Slot(this.#out)
  #isCurrencyChosen = false
  #answer: Work['answer'] = null
  /** Counts what the visitor and the address did, so that what comes late from storage replaces neither. */
  #turn = 0

  constructor(page: Page) {
    this.#page = page
    replace(
      page.main,
      h('header', { class: 'page-head' }, h('h1', {}, words.title), h('p', {}, words.text)),
      this.#form(),
      this.#out,
    )
  }

  #form(): HTMLElement {
    const form = h(
      'form',
      { class: 'check-form inv-form' },
      this.#terms.element,
      this.#paste.element,
      this.#rows.element,
      this.#complaint,
      h('div', { class: 'row' }, h('button', { class: 'button button-strong' }, words.go)),
      this.#startOver,
    )
    form.addEventListener('submit', event => {
      event.preventDefault()
      this.#calculate(true)
    })
    form.addEventListener('change', event => {
      if ((event.target as HTMLElement).id === 'inv-currency') this.#isCurrencyChosen = true
    })
    form.addEventListener('dragover', event => event.preventDefault())
    form.addEventListener('drop', event => {
      if (!event.dataTransfer?.files.length) return
      event.preventDefault()
      void this.#paste.takeFile(event.dataTransfer.files[0])
    })
    return form
  }

  /** Shows the visitor's own work if it is what the address names, and otherwise the rows of the address. */
  open({ terms }: InvoiceRoute): void {
    this.leave()
    const address = addressOf(terms)
    const work = works.current(address)
    if (work !== undefined) return this.#restore(work, terms)
    this.#show(unpackRows(terms.rows), terms, terms.currency !== '')
    const turn = ++this.#turn
    void works.find(address).then(found => {
      if (turn !== this.#turn) return
      if (found !== undefined) this.#restore(found, terms)
      else if (terms.rows !== '') this.#calculate(false)
    })
  }

  leave(): void {
    this.#turn++
    this.#slot.stop()
  }

  #show(rows: readonly RowText[], terms: TermTexts, isCurrencyChosen: boolean): void {
    this.#rows.texts = rows.slice(0, INVOICE_ITEMS_MAX)
    this.#terms.texts = terms
    this.#isCurrencyChosen = isCurrencyChosen
    this.#answer = null
    this.#paste.closeColumns()
    this.#complaint.textContent = rows.length > INVOICE_ITEMS_MAX ? words.tooMany(rows.length, INVOICE_ITEMS_MAX) : ''
    this.#startOver.hidden = rows.length === 0
    replace(this.#out)
  }

  /** What the address says of currency and VAT goes before what was typed. */
  #restore(work: Work, asked: InvoiceTerms): void {
    const isSame = work.country === this.#country
    const currency = asked.currency || (work.isCurrencyChosen || isSame ? work.terms.currency : '')
    const vat = asked.vat || (isSame ? work.terms.vat : '')
    const terms = { ...work.terms, currency, vat }
    this.#show(work.rows, terms, work.isCurrencyChosen)
    if (work.answer === null) return
    const isCurrent = Date.now() - work.answer.atMs < ANSWER_MS
    const isAnswered = isSame && isCurrent && currency === work.terms.currency && vat === work.terms.vat
    if (isAnswered) this.#calculate(false, work.answer)
    else this.#calculate(false)
  }

  /** Amounts of before are not shown beside what was typed since. */
  #changed(): void {
    this.#slot.stop()
    if (this.#answer !== null) replace(this.#out, h('p', { class: 'hint' }, words.changed))
    this.#answer = null
    this.#complaint.textContent = ''
    this.#save('')
  }

  /** False where they are none or too many. */
  #fill(rows: readonly RowText[], isAnyNew: boolean): boolean {
    if (rows.length > INVOICE_ITEMS_MAX || !isAnyNew) {
      this.#complaint.textContent = isAnyNew ? words.tooMany(rows.length, INVOICE_ITEMS_MAX) : words.nothingRead
      return false
    }
    this.#rows.texts = rows
    const named = currencyNamed(rows, this.#terms.known)
    if (named !== '') {
      this.#terms.texts = { ...this.#terms.texts, currency: named }
      this.#isCurrencyChosen = true
    }
    this.#changed()
    return true
  }

  #lines(currency: string): Line[] {
    return this.#rows.texts.flatMap((text, at) => {
      if (isBlank(text)) return []
      const read = readRow(text, currency, this.#terms.known)
      const isProblem = 'kind' in read
      const description = isProblem ? null : (descriptions.get(read.code) ?? null)
      const outcome = isProblem ? ({ kind: 'problem', problem: read } as const) : null
      return [{ at, text, item: isProblem ? null : read, outcome, description }]
    })
  }

  #calculate(isByHand: boolean, known: Work['answer'] = null): void {
    const terms = this.#terms.read()
    this.#complaint.textContent = ''
    const lines = this.#lines(this.#terms.texts.currency)
    this.#draw(lines)
    if (lines.length === 0) this.#complaint.textContent = words.noRows
    const items = lines.flatMap(({ item }) => (item === null ? [] : [item]))
    if (terms === null || items.length === 0) {
      replace(this.#out)
      return this.#save('')
    }
    if (known !== null) return this.#showAnswer(lines, terms, known.text, known.atMs)
    this.#turn++
    const body = requestBody(items, terms, needs)
    this.#slot.load({
      ask: signal => ask('tariff/calculate', { body, signal }),
      show: (_, { text }) => {
        this.#showAnswer(lines, terms, text, Date.now())
        if (isByHand) this.#out.scrollIntoView({ block: 'nearest' })
      },
      trouble: trouble => this.#refused(trouble),
    })
  }

  /** Of the whole invoice; rows that are refused come with the answer. */
  #refused(trouble: Trouble): Child | undefined {
    if (trouble.kind !== 'refused') return undefined
    if (trouble.parameter === 'vat_rate') this.#terms.complain('vat', t.calcBadVat)
    else this.#complaint.textContent = trouble.message
    return []
  }

  #draw(lines: readonly Line[]): void {
    const { currency } = this.#terms.texts
    const byRow = new Map(lines.map(line => [line.at, line]))
    for (const [at, row] of this.#rows.rows.entries()) {
      const line = byRow.get(at)
      row.show(line?.outcome ?? null, currency, line?.description ?? null)
    }
    this.#rows.showExcise(estimatesOf(lines).some(({ calculation }) => Number(calculation.excise_amount ?? '0') > 0))
  }

  #showAnswer(lines: Line[], terms: Terms, text: string, atMs: number): void {
    const answer = readAnswer(text)
    const sent = lines.filter(({ item }) => item !== null)
    for (const [i, line] of sent.entries()) {
      const one = answer.items[i]
      if (one !== undefined) line.outcome = outcomeOf(one)
    }
    if (this.#learnNeeds(sent)) return this.#calculate(false)
    const packed = packRows(lines.map(({ item, text }) => item ?? text))
    const { vat, freight, insurance, origin, currency } = this.#terms.texts
    const shared = { rows: packed, currency, vat, freight, insurance, origin }
    const address = toInvoice(shared)
    const isShort = address.length <= ADDRESS_MAX
    const link = isShort ? location.origin + withCountry(address, terms.country || COMMON) : ''
    this.#answer = { atMs, text }
    this.#page.note(isShort ? address : toInvoice())
    this.#save(isShort ? addressOf(shared) : '')
    const { country: code } = terms
    const draw = () => {
      this.#draw(lines)
      replace(this.#out, invoiceResult({ country: code, currency, lines, answer, link }))
    }
    draw()
    const [first] = estimatesOf(lines)
    if (terms.vat === '' && first !== undefined && code !== '') this.#terms.showVat(first.calculation.vat_rate)
    announce(`${t.calcLanded} ${this.#out.querySelector('[data-figure=landed_cost]')?.textContent ?? ''}`)
    void this.#findWords(lines, draw)
  }

  /** True where a quantity was typed that excise goes by: now its unit is known, and it can be sent. */
  #learnNeeds(sent: readonly Line[]): boolean {
    let isNew = false
    for (const { item, outcome } of sent) {
      if (item === null || outcome?.kind !== 'good' || !outcome.estimate.excise_inputs) continue
      if (needs.has(item.code)) continue
      needs.set(item.code, needsOf({ excise_inputs: outcome.estimate.excise_inputs }))
      if (item.quantity !== '') isNew = true
    }
    return isNew
  }

  /** Words in both languages, and what unknown codes may have been meant as. Without them the rows stay as they are. */
  async #findWords(lines: readonly Line[], draw: () => void): Promise<void> {
    const missing = lines.filter(line => line.item !== null && line.description === null)
    const codes = [...new Set(missing.map(({ item }) => item?.code ?? ''))]
    if (codes.length === 0) return
    const turn = this.#turn
    const answer = await ask<Resolved[]>('resolve', { body: { codes } })
    if (answer.kind !== 'ok' || turn !== this.#turn || this.#answer === null) return
    const found = new Map(answer.data.map((one, i) => [codes[i] as string, one]))
    for (const line of missing) {
      const one = found.get(line.item?.code ?? '')
      if (line.outcome?.kind !== 'good' || !one?.record) continue
      descriptions.set(one.record.hs_code, one.record.description)
      line.description = one.record.description
    }
    draw()
    for (const { at, item, outcome } of missing) {
      const one = found.get(item?.code ?? '')
      if (outcome?.kind === 'refused' && one !== undefined) this.#rows.rows[at]?.offer(one)
    }
  }

  #save(address: string): void {
    this.#turn++
    const rows = this.#rows.texts.filter(row => !isBlank(row))
    this.#startOver.hidden = rows.length === 0
    works.save({
      address,
      rows,
      terms: this.#terms.texts,
      isCurrencyChosen: this.#isCurrencyChosen,
      country: this.#country,
      answer: this.#answer,
    })
  }

  #clear(): void {
    this.leave()
    works.forget()
    this.#page.note(toInvoice())
    this.#show([], NO_TERMS, false)
    this.#paste.focus()
  }
}
