/** An invoice: rows typed, pasted or read from a file; duty and tax of each by one request, and in total. */
import { INVOICE_ITEMS_MAX } from '../../../limits.js'
import { type InvoiceTerms, type Route, toInvoice } from '../data/address.js'
import type { Trouble } from '../data/answer.js'
import { ask, limits, type Resolved, refreshLimits } from '../data/api.js'
import { COMMON, country, withCountry } from '../data/country.js'
import { announce, type Child, h, replace } from '../dom/dom.js'
import { Slot } from '../dom/slot.js'
import { button } from '../dom/states.js'
import { type Needs, needsOf } from '../estimate/shipment.js'
import { t, type Words } from '../shared/language.js'
import type { Page, View } from '../shared/page.js'
import { estimatesOf, type InvoiceAnswer, type Line, outcomeOf, readAnswer, requestBody, type Terms } from './invoice-answer.js'
import { otherInvoices } from './invoice-others.js'
import { InvoicePaste } from './invoice-paste.js'
import { InvoicePieces } from './invoice-pieces.js'
import { invoiceResult } from './invoice-result.js'
import { InvoiceRows } from './invoice-rows.js'
import { NO_TERMS, TermsFields, type TermTexts } from './invoice-terms.js'
import { currencyNamed, isBlank, NO_ROW, packRows, type RowText, readRow, splitMeasure, unpackRows } from './invoice-text.js'
import { words } from './invoice-words.js'
import { type Work, works } from './kept-invoices.js'

/** Few enough for an address that mail programs leave whole. */
const ADDRESS_MAX = 1200
/** Rates change with the dataset: older answers are asked for again. */
const ANSWER_MS = 24 * 3600_000
/** Words of codes are not worth a longer wait. */
const WORDS_WAIT_S = 120

type InvoiceRoute = Extract<Route, { page: 'invoice' }>

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

const hasAmounts = ({ rows, terms }: Work) =>
  [terms.freight, terms.insurance, ...rows.map(({ value }) => value)].some(text => text.trim() !== '')

/** The words of codes; they stay for the next invoice. */
const descriptions = new Map<string, Words>()

class InvoicePage {
  readonly #page: Page
  readonly #country = country()
  /** What excise in this country asks for, by code. */
  readonly #needs = new Map<string, Needs>()
  readonly #terms = new TermsFields(() => this.#changed())
  readonly #rows = new InvoiceRows(this.#country !== '', INVOICE_ITEMS_MAX, {
    changed: () => {
      this.#paste.closeColumns()
      this.#changed()
    },
    fixed: () => {
      this.#isLink = false
      this.#calculate(true)
    },
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
  readonly #others = h('div', { role: 'status' })
  readonly #out = h('div', { class: 'inv-out' })
  readonly #slot = new Slot(this.#out)
  #isCurrencyChosen = false
  /** Rows of a link that the visitor has not changed: they are shown, and replace no work. */
  #isLink = false
  #answer: Work['answer'] = null
  /** Counts what the visitor and the address did, so that what comes late from storage replaces neither. */
  #turn = 0

  constructor(page: Page) {
    this.#page = page
    replace(
      page.main,
      h('header', { class: 'page-head' }, h('h1', {}, words.title), h('p', {}, words.text)),
      this.#others,
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
    if (work !== undefined) {
      this.#restore(work, terms)
      void this.#showOthers()
      return
    }
    this.#show(unpackRows(terms.rows), terms, terms.currency !== '', terms.rows !== '')
    // amounts of a link keep their currency when the destination changes
    if (this.#isLink && terms.currency === '') this.#page.note(toInvoice({ ...terms, currency: this.#terms.texts.currency }))
    const turn = ++this.#turn
    void works.find(address).then(found => {
      void this.#showOthers()
      if (turn !== this.#turn) return
      if (found !== undefined) this.#restore(found, terms)
      else if (this.#isLink) this.#calculate(false)
    })
  }

  async #showOthers(): Promise<void> {
    const others = (await works.others()).filter(({ rows }) => rows.length > 0)
    const open = (work: Work) => {
      works.take(work)
      history.pushState({ work: work.id }, '', toInvoice())
      this.#page.note(toInvoice())
      this.open({ page: 'invoice', terms: { rows: '', ...NO_TERMS } })
    }
    const remove = (work: Work) => {
      works.remove(work.id)
      void this.#showOthers()
    }
    replace(this.#others, otherInvoices(others, this.#isLink, open, remove))
  }

  leave(): void {
    this.#turn++
    this.#slot.stop()
  }

  #show(rows: readonly RowText[], terms: TermTexts, isCurrencyChosen: boolean, isLink = false): void {
    this.#isLink = isLink
    this.#rows.texts = rows.slice(0, INVOICE_ITEMS_MAX)
    this.#terms.texts = terms
    this.#isCurrencyChosen = isCurrencyChosen
    this.#answer = null
    this.#paste.closeColumns()
    this.#complaint.textContent = rows.length > INVOICE_ITEMS_MAX ? words.tooMany(rows.length, INVOICE_ITEMS_MAX) : ''
    this.#startOver.hidden = rows.length === 0 || isLink
    replace(this.#out)
  }

  /** What the address says of currency and VAT goes before what was typed. */
  #restore(work: Work, asked: InvoiceTerms): void {
    const isSame = work.country === this.#country
    const isKept = work.isCurrencyChosen || isSame || hasAmounts(work)
    const currency = asked.currency || (isKept ? work.terms.currency : '')
    const vat = asked.vat || (isSame ? work.terms.vat : '')
    const terms = { ...work.terms, currency, vat }
    // rows of earlier versions had no quantity for excise: the invoice's own was taken for it
    const isOld = work.rows.some(({ excise }) => excise === undefined)
    this.#show(
      work.rows.map(row => ({ ...NO_ROW, ...row })),
      terms,
      work.isCurrencyChosen,
    )
    if (work.answer === null) return
    const isCurrent = !isOld && Date.now() - work.answer.atMs < ANSWER_MS
    const isAnswered = isSame && isCurrent && currency === work.terms.currency && vat === work.terms.vat
    if (isAnswered) this.#calculate(false, work.answer)
    else this.#calculate(false)
  }

  /** Amounts of before are not shown beside what was typed since, and the address no longer names other rows. */
  #changed(): void {
    this.#slot.stop()
    if (this.#out.hasChildNodes()) replace(this.#out, h('p', { class: 'hint' }, words.changed))
    for (const row of this.#rows.rows) row.clearFigures()
    if (location.search.includes('rows=')) this.#page.note(toInvoice())
    this.#isLink = false
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
    const pieces = new InvoicePieces(requestBody(items, terms, this.#needs))
    this.#slot.load({
      ask: signal => pieces.ask(signal),
      show: (_, { text }) => {
        this.#showAnswer(lines, terms, text, Date.now())
        if (isByHand) this.#out.scrollIntoView({ block: 'nearest' })
      },
      trouble: trouble => this.#refused(trouble),
      progress: () => {
        if (pieces.items.length === 0) return ''
        this.#take(lines, pieces.items)
        this.#draw(lines)
        return words.partly(pieces.items.length, items.length)
      },
    })
  }

  /** Gives rows what was answered for them; returns the rows that were sent. */
  #take(lines: readonly Line[], answered: InvoiceAnswer['items']): Line[] {
    const sent = lines.filter(({ item }) => item !== null)
    for (const [i, line] of sent.entries()) {
      const one = answered[i]
      if (one !== undefined) line.outcome = outcomeOf(one)
    }
    return sent
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
    if (this.#learnNeeds(this.#take(lines, answer.items))) return this.#calculate(false)
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

  /** True where a quantity or sugar was given that excise goes by: now that is known, and it can be sent. */
  #learnNeeds(sent: readonly Line[]): boolean {
    let isNew = false
    for (const { item, outcome } of sent) {
      if (item === null || outcome?.kind !== 'good' || !outcome.estimate.excise_inputs) continue
      if (this.#needs.has(item.code)) continue
      const needs = needsOf({ excise_inputs: outcome.estimate.excise_inputs })
      this.#needs.set(item.code, needs)
      if (splitMeasure(item.excise)[1] === needs.unit || (needs.sugar && item.sugar !== '')) isNew = true
    }
    return isNew
  }

  /** Words in both languages, and what unknown codes may have been meant as. Without them the rows stay as they are. */
  async #findWords(lines: readonly Line[], draw: () => void): Promise<void> {
    const missing = lines.filter(line => line.item !== null && line.description === null)
    // unknown codes first: their rows cannot go on without
    missing.sort((a, b) => Number(a.outcome?.kind === 'good') - Number(b.outcome?.kind === 'good'))
    let codes = [...new Set(missing.map(({ item }) => item?.code ?? ''))]
    const turn = this.#turn
    const isOver = () => turn !== this.#turn || this.#answer === null
    const found = new Map<string, Resolved>()
    while (codes.length > 0) {
      if (codes.length > limits.remaining) await refreshLimits(AbortSignal.timeout(WORDS_WAIT_S * 1000))
      const piece = codes.slice(0, Math.max(1, Math.min(limits.remaining, limits.remainingDay)))
      if (isOver()) return
      const answer = await ask<Resolved[]>('resolve', { body: { codes: piece } })
      if (isOver()) return
      if (answer.kind === 'limit' && answer.seconds <= WORDS_WAIT_S) {
        await new Promise(resolve => setTimeout(resolve, answer.seconds * 1000))
        continue
      }
      if (answer.kind !== 'ok') return
      for (const [i, one] of answer.data.entries()) found.set(piece[i] as string, one)
      this.#showWords(missing, found, draw)
      codes = codes.slice(piece.length)
    }
  }

  #showWords(missing: readonly Line[], found: ReadonlyMap<string, Resolved>, draw: () => void): void {
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
    if (this.#isLink) return
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
    works.forgetShown()
    this.#page.note(toInvoice())
    this.#show([], NO_TERMS, false)
    void this.#showOthers()
    this.#paste.focus()
  }
}
