/** Duty, VAT and landed cost, following what is typed. The API calculates; nothing is calculated here. */
import { ask, type Code, query } from '../api.js'
import { type Child, fill, h, replace } from '../dom.js'
import { facts } from '../facts.js'
import { amount, t } from '../language.js'
import { pause } from '../search-box.js'
import { Slot } from '../slot.js'

const CURRENCIES = ['AED', 'SAR', 'QAR', 'KWD', 'BHD', 'OMR', 'USD', 'EUR', 'GBP', 'CNY', 'INR']
const KEPT = 'hsapi-calculator'
const CURRENCY = /^[a-z]{3}$/i
const NUMBER = /^\d+(\.\d+)?$/
const VAT = /^(100(\.0{1,4})?|\d{1,2}(\.\d{1,4})?)$/

interface Calculated {
  calculation: { currency: string }
  notes: string
}

export interface Typed {
  value: string
  currency: string
  vat: string
}

/** What was typed last stays for the next code. */
let typed: Typed = { value: '1000', currency: 'AED', vat: '' }
try {
  typed = { ...typed, ...JSON.parse(sessionStorage.getItem(KEPT) ?? '{}') }
} catch {}

/** As people write numbers: groups, spaces, Arabic digits and signs. */
export function plainNumber(text: string): string {
  return text
    .replace(/[٠-٩۰-۹]/g, digit => String((digit.codePointAt(0) as number) & 15))
    .replace(/٫/g, '.')
    .replace(/[\s,٬'’_]/g, '')
}

/** Figures as the API wrote them: a float would round the last digits of a large one. */
// regexp-ignore: of names of ours, over an answer of ours
const literal = (text: string, name: string) => new RegExp(`"${name}":(-?[0-9.]+)`).exec(text)?.[1] ?? '0'

export class Calculator {
  readonly element: HTMLElement
  readonly #one: Code
  readonly #note: (typed: Typed) => void
  readonly #value = this.#input('calc-value')
  readonly #vat = this.#input('calc-vat')
  readonly #currency = h('select', { id: 'calc-currency' })
  readonly #out = h('div', { class: 'calc-out', 'aria-live': 'polite' })
  readonly #slot = new Slot(this.#out)
  #timer = 0

  /** `asked` stands in the address and goes before what was typed last. */
  constructor(one: Code, asked: Typed, note: (typed: Typed) => void) {
    this.#one = one
    this.#note = note
    this.#value.value = asked.value || typed.value
    this.#vat.value = asked.vat || typed.vat
    const currency = CURRENCY.test(asked.currency) ? asked.currency.toUpperCase() : typed.currency
    const choice = CURRENCIES.includes(currency) ? CURRENCIES : [currency, ...CURRENCIES]
    replace(
      this.#currency,
      choice.map(code => h('option', { selected: code === currency }, code)),
    )
    this.#currency.addEventListener('change', () => this.#changed())
    const field = (id: string, label: string, control: Child) =>
      h('div', { class: 'field' }, h('label', { for: id }, label), control)
    this.element = h(
      'section',
      { class: 'part part-calc', 'aria-labelledby': 'part-calc' },
      h('h2', { id: 'part-calc' }, t.calcTitle),
      h(
        'div',
        { class: 'fields' },
        field('calc-value', t.calcValue, this.#value),
        field('calc-currency', t.calcCurrency, this.#currency),
        field('calc-vat', t.calcVat, this.#vat),
      ),
      this.#out,
    )
  }

  #input(id: string): HTMLInputElement {
    return h('input', {
      id,
      type: 'text',
      inputmode: 'decimal',
      dir: 'ltr',
      autocomplete: 'off',
      maxlength: 24,
      oninput: () => this.#changed(),
    })
  }

  start(): void {
    void facts().then(({ vatRate }) => {
      if (this.#vat.value === '' && vatRate !== null) this.#vat.value = String(vatRate)
      this.#load()
    })
  }

  leave(): void {
    clearTimeout(this.#timer)
    this.#slot.stop()
  }

  #changed(): void {
    typed = { value: this.#value.value, currency: this.#currency.value, vat: this.#vat.value }
    try {
      sessionStorage.setItem(KEPT, JSON.stringify(typed))
    } catch {}
    this.#note(typed)
    clearTimeout(this.#timer)
    const wait = pause(false) ?? 600
    if (wait === 0) this.#load()
    else this.#timer = window.setTimeout(() => this.#load(), wait)
  }

  #complain(input: HTMLInputElement, text: string): void {
    this.#slot.stop()
    input.setAttribute('aria-invalid', 'true')
    replace(this.#out, h('p', { class: 'complaint' }, text))
  }

  #load(): void {
    const value = plainNumber(this.#value.value)
    const vat = plainNumber(this.#vat.value) || '0'
    this.#value.removeAttribute('aria-invalid')
    this.#vat.removeAttribute('aria-invalid')
    if (value === '') {
      this.#slot.stop()
      return replace(this.#out, h('p', { class: 'hint' }, t.calcEnter))
    }
    if (!NUMBER.test(value)) return this.#complain(this.#value, t.calcBad)
    if (!VAT.test(vat)) return this.#complain(this.#vat, t.calcBadVat)
    const path = query('tariff/calculate', {
      hs_code: this.#one.hs_code,
      value,
      currency: this.#currency.value,
      vat_rate: vat,
    })
    this.#slot.load<Calculated>({
      ask: signal => ask(path, { signal }),
      show: (data, { text }) => this.#show(data, text),
      trouble: trouble => {
        if (trouble.kind !== 'refused') return undefined
        this.#value.setAttribute('aria-invalid', 'true')
        return h('p', { class: 'complaint' }, t.calcBad)
      },
    })
  }

  #show({ calculation: { currency }, notes }: Calculated, text: string): void {
    const row = (label: string, name: string, rate?: string) =>
      h(
        'div',
        { class: name === 'landed_cost' ? 'landed' : null },
        h('dt', {}, label, rate !== undefined && [' ', h('bdi', { dir: 'ltr' }, `${literal(text, rate)} %`)]),
        h('dd', { 'data-figure': name }, h('bdi', { dir: 'ltr' }, amount(literal(text, name)), h('small', {}, currency))),
      )
    // regexp-ignore: over notes of ours
    const range = /carry ([\d.]+) to ([\d.]+) percent/.exec(notes)
    replace(
      this.#out,
      h(
        'dl',
        {},
        row(t.calcDuty, 'import_duty_amount', 'import_duty_rate'),
        row(t.calcVatAmount, 'vat_amount', 'vat_rate'),
        row(t.calcTotal, 'total_duties_taxes'),
        row(t.calcLanded, 'landed_cost'),
      ),
      range && h('p', { class: 'warning' }, fill(t.rateRange, { from: range[1], to: range[2] })),
      h('p', { class: 'hint' }, t.calcNote),
    )
  }
}
