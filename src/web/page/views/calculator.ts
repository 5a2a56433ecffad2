/** Duty, VAT and landed cost, following what is typed. The API calculates; nothing is calculated here. */
import { grouped, placesOf, type Reading, readAmount, readPercent, rounded } from '../amounts.js'
import { ask, type Code, query } from '../api.js'
import { type Child, fill, h, isolated, replace } from '../dom.js'
import { facts } from '../facts.js'
import { t } from '../language.js'
import { pause } from '../search-box.js'
import { Slot } from '../slot.js'
import { button } from '../states.js'

const CURRENCIES = ['AED', 'SAR', 'QAR', 'KWD', 'BHD', 'OMR', 'USD', 'EUR', 'GBP', 'CNY', 'INR']
const KEPT = 'hsapi-calculator'
const CURRENCY = /^[a-z]{3}$/i
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

/** Rounded amounts hide digits that someone may need; the choice stays for the next code. */
let isExact = false

/** Figures as the API wrote them: a float would round the last digits of a large one. */
// regexp-ignore: of names of ours, over an answer of ours
const literal = (text: string, name: string) => new RegExp(`"${name}":(-?[0-9.]+)`).exec(text)?.[1] ?? '0'

export class Calculator {
  readonly element: HTMLElement
  readonly #one: Code
  readonly #note: (typed: Typed) => void
  readonly #known: readonly string[]
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
    this.#known = CURRENCIES.includes(currency) ? CURRENCIES : [currency, ...CURRENCIES]
    replace(
      this.#currency,
      this.#known.map(code => h('option', { selected: code === currency }, code)),
    )
    this.#currency.addEventListener('change', () => this.#choose())
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
      maxlength: 40,
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

  #read(): Reading {
    return readAmount(this.#value.value, this.#currency.value, this.#known)
  }

  /** A currency chosen from the list replaces one that the amount names. */
  #choose(): void {
    const chosen = this.#currency.value
    const reading = this.#read()
    if (reading.kind === 'amount' && reading.currency !== null) this.#value.value = grouped(reading.value)
    this.#currency.value = chosen
    this.#changed()
  }

  #changed(): void {
    const reading = this.#read()
    if (reading.kind === 'amount' && reading.currency !== null) this.#currency.value = reading.currency
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

  /** Two readings of what was typed; the chosen one is written so that it can be read one way only. */
  #askWhich(amounts: Extract<Reading, { kind: 'unclear' }>): void {
    this.#slot.stop()
    const choice = (text: string, label: string) =>
      button(h('span', {}, fill(label, { amount: h('bdi', { dir: 'ltr' }, text) })), () => {
        this.#value.value = text
        this.#value.focus()
        this.#changed()
      })
    replace(
      this.#out,
      h('p', { class: 'complaint' }, fill(t.calcWhich, { typed: isolated(this.#value.value.trim()) })),
      h('div', { class: 'ways' }, choice(amounts.grouped, t.calcThousands), choice(amounts.decimal, t.calcDecimals)),
    )
  }

  #load(): void {
    const reading = this.#read()
    const vat = readPercent(this.#vat.value)
    this.#value.removeAttribute('aria-invalid')
    this.#vat.removeAttribute('aria-invalid')
    if (reading.kind === 'empty') {
      this.#slot.stop()
      return replace(this.#out, h('p', { class: 'hint' }, t.calcEnter))
    }
    if (reading.kind === 'unclear') return this.#askWhich(reading)
    if (reading.kind === 'bad') return this.#complain(this.#value, t.calcBad)
    if (vat === null || !VAT.test(vat || '0')) return this.#complain(this.#vat, t.calcBadVat)
    const path = query('tariff/calculate', {
      hs_code: this.#one.hs_code,
      value: reading.value,
      currency: reading.currency ?? this.#currency.value,
      vat_rate: vat || '0',
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
    const places = placesOf(currency)
    const figures = new Map<HTMLElement, string>()
    const row = (label: string, name: string, rate?: string) => {
      const figure = h('span')
      figures.set(figure, literal(text, name))
      return h(
        'div',
        { class: name === 'landed_cost' ? 'landed' : null },
        h('dt', {}, label, rate !== undefined && [' ', h('bdi', { dir: 'ltr' }, `${literal(text, rate)} %`)]),
        h('dd', { 'data-figure': name }, h('bdi', { dir: 'ltr' }, figure, h('small', {}, currency))),
      )
    }
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
      exactSwitch(figures, places),
      range && h('p', { class: 'warning' }, fill(t.rateRange, { from: range[1], to: range[2] })),
      h('p', { class: 'hint' }, t.calcNote),
    )
  }
}

/** Writes the figures, and offers their exact form where rounding took something away. */
function exactSwitch(figures: ReadonlyMap<HTMLElement, string>, places: number): Child {
  const isRounded = [...figures.values()].some(figure => (figure.split('.')[1]?.length ?? 0) > places)
  const pressed = button(t.calcExact, () => {
    isExact = !isExact
    write()
  })
  const write = () => {
    pressed.setAttribute('aria-pressed', String(isExact))
    for (const [element, figure] of figures) {
      const hasMore = (figure.split('.')[1]?.length ?? 0) > places
      element.textContent = grouped(isExact && hasMore ? figure : rounded(figure, places))
    }
  }
  write()
  return isRounded && h('div', { class: 'ways' }, pressed)
}
