/** One row of an invoice: what was typed, and what became of it. */
import { toCheck, toCode, toSearch } from '../data/address.js'
import type { Resolved } from '../data/api.js'
import { type Child, fill, fillText, h, icon, replace } from '../dom/dom.js'
import { code, codeLink, inLang, ourWords } from '../dom/parts.js'
import { button } from '../dom/states.js'
import { type Needs, needsOf } from '../estimate/shipment.js'
import { ours, t, type Words } from '../shared/language.js'
import { grouped, placesOf, rounded } from '../text/amounts.js'
import { lacksExcise, type Outcome, type RowEstimate } from './invoice-answer.js'
import { bareQuantity, FIELDS, type Field, type Problem, type RowText, splitMeasure } from './invoice-text.js'
import { words } from './invoice-words.js'

/** Shared by all rows. */
export const ORIGINS_ID = 'invoice-origins'
/** Columns of the table, for notes that go across. */
const WIDTH = 10
const CANDIDATES_MAX = 3

export interface RowEvents {
  changed: (row: InvoiceRow) => void
  removed: (row: InvoiceRow) => void
  /** A fix was chosen: the invoice is calculated again. */
  fixed: (row: InvoiceRow) => void
}

const LABELS: Readonly<Record<Field, string>> = {
  code: t.thCode,
  value: words.value,
  quantity: words.quantity,
  origin: words.origin,
  sugar: words.sugar,
  excise: words.excise,
}

const amount = (exact: string, currency: string) => h('bdi', { dir: 'ltr' }, grouped(rounded(exact, placesOf(currency))))

export class InvoiceRow {
  readonly element: HTMLElement
  readonly #events: RowEvents
  readonly #inputs: Readonly<Record<Field, HTMLInputElement>>
  readonly #number = h('td', { class: 'inv-no' })
  readonly #remove = h('button', { type: 'button', class: 'quiet square' }, icon('close'))
  readonly #sugar: HTMLElement
  readonly #excise: HTMLElement
  readonly #exciseLabel = h('span')
  /** In which the quantity for excise is meant; '' before it is known. */
  #unit = ''
  readonly #figures = { duty: h('td'), excise: h('td'), vat: h('td'), landed: h('td') }
  readonly #note = h('div', { class: 'inv-note' })
  readonly #noteRow: HTMLElement
  #outcome: Outcome | null = null
  #id = 0

  constructor(text: RowText, events: RowEvents) {
    this.#events = events
    const inputs = FIELDS.map(name => [name, this.#input(name, text[name])])
    this.#inputs = Object.fromEntries(inputs) as Record<Field, HTMLInputElement>
    const [amount, unit] = splitMeasure(text.excise)
    this.#inputs.excise.value = amount
    this.#excise = h('label', { class: 'inv-sugar', hidden: text.excise === '' }, this.#exciseLabel, this.#inputs.excise)
    this.#setUnit(unit)
    this.#sugar = h('label', { class: 'inv-sugar', hidden: text.sugar === '' }, h('span', {}, words.sugar), this.#inputs.sugar)
    // the fields stay where they are while the words beside them change: one may have the focus
    const isNoted = !this.#excise.hidden || !this.#sugar.hidden
    this.#noteRow = h('tr', { hidden: !isNoted }, h('td', { colspan: WIDTH }, this.#note, this.#excise, this.#sugar))
    this.#remove.addEventListener('click', () => events.removed(this))
    const cell = (name: Exclude<Field, 'sugar' | 'excise'>) =>
      h('td', { class: `inv-${name}`, 'data-label': LABELS[name] }, this.#inputs[name])
    const figure = (name: 'duty' | 'excise' | 'vat' | 'landed') => {
      const element = this.#figures[name]
      element.className = `inv-figure inv-${name}`
      element.dataset.label = words[name]
      return element
    }
    this.element = h(
      'tbody',
      { class: 'inv-row' },
      h(
        'tr',
        {},
        this.#number,
        cell('code'),
        cell('value'),
        cell('quantity'),
        cell('origin'),
        figure('duty'),
        figure('excise'),
        figure('vat'),
        figure('landed'),
        h('td', { class: 'inv-remove' }, this.#remove),
      ),
      this.#noteRow,
    )
  }

  #input(name: Field, value: string): HTMLInputElement {
    return h('input', {
      type: 'text',
      dir: name === 'origin' ? 'auto' : 'ltr',
      inputmode: name === 'origin' || name === 'quantity' ? null : 'decimal',
      list: name === 'origin' ? ORIGINS_ID : null,
      autocomplete: 'off',
      maxlength: 60,
      'data-field': name,
      value,
      oninput: () => {
        this.show(null, '')
        this.#events.changed(this)
      },
    })
  }

  get text(): RowText {
    const texts = Object.fromEntries(FIELDS.map(name => [name, this.#inputs[name].value])) as RowText
    const excise = texts.excise.trim()
    return { ...texts, excise: excise === '' ? '' : `${excise} ${this.#unit}` }
  }

  /** A number in another unit means something else: it is not kept. */
  #setUnit(unit: string): void {
    if (this.#unit !== '' && this.#unit !== unit) this.#inputs.excise.value = ''
    this.#unit = unit
    replace(this.#exciseLabel, words.exciseQuantity[unit] ?? '')
    this.#nameInput('excise')
  }

  #nameInput(name: Field): void {
    const label = name === 'excise' ? (words.exciseQuantity[this.#unit] ?? '') : LABELS[name]
    this.#inputs[name].setAttribute('aria-label', words.inRow(label, this.#id))
  }

  /** Amounts alone; what is said of the row stays. */
  clearFigures(): void {
    for (const element of Object.values(this.#figures)) replace(element)
  }

  set number(n: number) {
    this.#id = n
    this.#number.textContent = String(n)
    this.#remove.setAttribute('aria-label', words.remove(n))
    for (const name of FIELDS) this.#nameInput(name)
  }

  focus(field: Field = 'code'): void {
    this.#inputs[field].focus()
  }

  /** Null while nothing is known. */
  show(outcome: Outcome | null, currency: string, description: Words | null = null): void {
    this.#outcome = outcome
    for (const input of Object.values(this.#inputs)) {
      input.removeAttribute('aria-invalid')
      input.removeAttribute('aria-describedby')
    }
    this.clearFigures()
    this.element.dataset.outcome = outcome?.kind ?? ''
    if (outcome === null) return this.#say(null)
    if (outcome.kind === 'problem') return this.#complain(outcome.problem.field, this.#problemText(outcome.problem, currency))
    if (outcome.kind === 'refused') return this.#showRefusal(outcome)
    this.#showEstimate(outcome.estimate, currency, description)
  }

  #say(...children: Child[]): void {
    const isEmpty = children.every(child => child === null)
    this.#noteRow.hidden = isEmpty && this.#sugar.hidden && this.#excise.hidden
    replace(this.#note, ...children)
  }

  #complain(field: Field, ...children: Child[]): void {
    const id = `inv-complaint-${this.#id}`
    const input = this.#inputs[field]
    input.setAttribute('aria-invalid', 'true')
    input.setAttribute('aria-describedby', id)
    this.#say(h('div', { class: 'complaint', id }, children))
  }

  #put(field: Field, text: string): void {
    this.#inputs[field].value = text
    this.#events.fixed(this)
  }

  #problemText(problem: Problem, currency: string): Child {
    switch (problem.kind) {
      case 'unclear': {
        const choice = (text: string, label: string) =>
          button(h('span', {}, fill(label, { amount: h('bdi', { dir: 'ltr' }, text) })), () => this.#put(problem.field, text))
        return [
          h('p', {}, fill(t.calcWhich, { typed: h('bdi', {}, this.#inputs[problem.field].value.trim()) })),
          h('div', { class: 'ways' }, choice(problem.grouped, t.calcThousands), choice(problem.decimal, t.calcDecimals)),
        ]
      }
      case 'otherCurrency':
        return fillText(words.otherCurrency, { currency: problem.currency, other: currency })
      case 'badValue':
        return t.calcBad
      case 'badSugar':
        return t.calcBadSugar
      default:
        return words[problem.kind]
    }
  }

  #showRefusal({ code: reason, message }: Extract<Outcome, { kind: 'refused' }>): void {
    const typed = this.#inputs.code.value
    if (reason === 'not_found')
      return this.#complain(
        'code',
        h('p', {}, fill(words.unknown, { code: h('bdi', { dir: 'ltr' }, typed) })),
        h('div', { class: 'ways' }, h('a', { class: 'button', href: toCheck(typed.replaceAll(',', ' ')) }, words.look)),
      )
    if (reason === 'invalid_code') return this.#complain('code', words.badCode)
    if (reason === 'invalid_value') return this.#complain('value', t.calcBad)
    this.#complain('value', fill(words.refused, { message: h('bdi', { lang: 'en' }, message) }))
  }

  /** What the code may have been meant as, one tap each. */
  offer({ hs_code, candidates, nearest }: Resolved): void {
    if (this.#outcome?.kind !== 'refused') return
    const codes = [...new Set([hs_code, ...candidates].filter(one => one !== null))].slice(0, CANDIDATES_MAX)
    const ways = this.#note.querySelector('.ways')
    if (ways === null) return
    ways.prepend(
      ...codes.map(one => button(h('span', {}, fill(words.useCode, { code: code(one) })), () => this.#put('code', one))),
    )
    const look = ways.querySelector('a')
    if (look !== null) look.href = codes.length > 0 ? toCode(codes[0] as string) : toSearch(nearest ?? '')
  }

  #showEstimate(estimate: RowEstimate, currency: string, description: Words | null): void {
    const { calculation, rounded: sums, warnings = [] } = estimate
    const rate = (text: string) => h('small', {}, h('bdi', { dir: 'ltr' }, `${text} %`))
    const { duty, excise, vat, landed } = this.#figures
    const { excise_amount: exciseAmount = '0' } = calculation
    replace(duty, amount(calculation.import_duty_amount, currency), rate(calculation.import_duty_rate))
    replace(excise, amount(exciseAmount, currency))
    replace(vat, amount(calculation.vat_amount, currency), rate(calculation.vat_rate))
    replace(landed, amount(sums?.landed_cost ?? calculation.landed_cost, currency))
    const needs = estimate.excise_inputs ? needsOf({ excise_inputs: estimate.excise_inputs }) : null
    this.#sugar.hidden = needs?.sugar !== true
    this.#excise.hidden = needs === null
    if (needs !== null) this.#setUnit(needs.unit)
    this.#say(
      h(
        'p',
        {},
        codeLink(estimate.hs_code),
        ' ',
        description ? ourWords(description) : inLang({ en: estimate.product, ar: '' }, 'en'),
      ),
      needs !== null && this.#exciseNote(estimate, needs),
      warnings.length > 0 &&
        h(
          'details',
          {},
          h('summary', {}, words.notes(warnings.length)),
          h(
            'ul',
            {},
            warnings.map(text => h('li', {}, ours(text))),
          ),
        ),
    )
  }

  /** On how much excise was charged, or what it lacks. The quantity of the invoice counts only if the visitor says in which unit. */
  #exciseNote(estimate: RowEstimate, needs: Needs): Child {
    const { unit } = needs
    if (!lacksExcise(estimate)) {
      const charge = estimate.charges?.find(({ kind, unit: by }) => kind === 'excise' && by !== null)
      const amount = charge && h('bdi', { dir: 'ltr' }, grouped(charge.basis))
      return amount && h('p', {}, fill(words.exciseOn[unit] ?? '', { amount }))
    }
    const quantity = this.#inputs.excise.value.trim() === '' ? bareQuantity(this.#inputs.quantity.value) : null
    const confirm = quantity !== null && [
      h('p', {}, fill(words.isQuantity[unit] ?? '', { amount: h('bdi', { dir: 'ltr' }, grouped(quantity)) })),
      button(words.yesQuantity, () => this.#put('excise', quantity)),
    ]
    return [
      h('p', { class: 'warning' }, needs.sugar ? words.needsSugar : words.needsQuantity[unit]),
      confirm && h('div', { class: 'ways' }, confirm),
    ]
  }
}
