/** Duty, VAT and landed cost, following what is typed. The API calculates; nothing is calculated here. */
import type { TariffEstimate } from '../../../answers/shapes.js'
import { CALCULATION, type Calculation, toCode } from '../data/address.js'
import type { Trouble } from '../data/answer.js'
import { ask, type Code } from '../data/api.js'
import { COMMON, country, currencyOf, withCountry } from '../data/country.js'
import { facts } from '../data/facts.js'
import { pause } from '../data/pace.js'
import { query } from '../data/query.js'
import { type Child, fill, h, isolated, replace } from '../dom/dom.js'
import { Slot } from '../dom/slot.js'
import { button } from '../dom/states.js'
import { calculatedView } from '../estimate/calculated.js'
import { destinationSelect } from '../estimate/destination.js'
import { originSelect } from '../estimate/origins.js'
import { quoteTools } from '../estimate/quote-tools.js'
import { type Needs, needsOf, readExact, shipmentView } from '../estimate/shipment.js'
import { t } from '../shared/language.js'
import { CURRENCIES, grouped, type Reading, readAmount, readPercent } from '../text/amounts.js'
import { keepTyped, typedFor } from './typed.js'

/** Currency and country between which the dataset has no fixed rate, as met so far. */
const withoutFixedRate = new Set<string>()

const CURRENCY = /^[a-z]{3}$/i
const VAT = /^(100(\.0{1,4})?|\d{1,2}(\.\d{1,4})?)$/

const INPUTS = ['value', 'vat', 'freight', 'insurance', 'quantity', 'sugar'] as const
type InputName = (typeof INPUTS)[number]
type FieldName = InputName | 'destination' | 'currency' | 'origin'

/** The field that a refusal is about. */
const FIELD_OF: Readonly<Record<string, FieldName>> = {
  vat_rate: 'vat',
  freight: 'freight',
  insurance: 'insurance',
  origin: 'origin',
  quantity: 'quantity',
  unit: 'quantity',
  sugar: 'sugar',
  currency: 'currency',
}

export class Calculator {
  readonly element: HTMLElement
  readonly #one: Code
  readonly #asked: Calculation
  readonly #note: (typed: Calculation) => void
  readonly #country = country()
  readonly #known: readonly string[]
  readonly #inputs: Readonly<Record<InputName, HTMLInputElement>>
  readonly #currency = h('select', { id: 'calc-currency' })
  readonly #origin: HTMLSelectElement
  readonly #fields = new Map<FieldName, HTMLElement>()
  readonly #out: HTMLElement
  readonly #slot: Slot
  readonly #tools: HTMLElement
  /** The answer that is shown; '' while there is none. */
  #shown = ''
  #needs: Needs = { unit: '', sugar: false }
  #timer = 0
  /** Whether the visitor changed something. */
  #isTyped = false

  /** `asked` comes from the address, and replaces what was typed last. */
  constructor(one: Code, asked: Calculation, note: (typed: Calculation) => void) {
    this.#one = one
    this.#asked = asked
    this.#note = note
    const before = typedFor(this.#country)
    const inputs = INPUTS.map(name => [name, this.#input(name, asked[name] || before[name])])
    this.#inputs = Object.fromEntries(inputs) as Record<InputName, HTMLInputElement>
    const currency = CURRENCY.test(asked.currency) ? asked.currency.toUpperCase() : before.currency
    this.#known = CURRENCIES.includes(currency) ? CURRENCIES : [currency, ...CURRENCIES]
    replace(
      this.#currency,
      this.#known.map(code => h('option', { selected: code === currency }, code)),
    )
    this.#currency.addEventListener('change', () => this.#choose())
    this.#origin = this.#country === '' ? h('select') : originSelect('calc-origin', asked.origin.toUpperCase() || before.origin)
    this.#origin.addEventListener('change', () => this.#changed())
    // an estimate for a country is long: its last line is announced instead
    this.#out = h('div', { class: 'calc-out', 'aria-live': this.#country === '' ? 'polite' : null })
    this.#slot = new Slot(this.#out)
    this.#tools = quoteTools(
      () => this.#link(),
      () => this.#sheet(),
    )
    this.#show('')
    this.element = h(
      'section',
      { class: 'part part-calc', 'aria-labelledby': 'part-calc' },
      h('h2', { id: 'part-calc' }, t.calcTitle),
      h('div', { class: 'fields' }, this.#allFields()),
      this.#out,
      this.#tools,
    )
  }

  /** It names all of it, the common tariff too: another browser may have chosen a country. */
  #link(): string {
    return location.origin + withCountry(toCode(this.#one.hs_code, this.#typed()), this.#country || COMMON)
  }

  async #sheet(): Promise<HTMLElement> {
    const { estimateSheet } = await import('../estimate/estimate-sheet.js')
    const { sugar } = this.#typed()
    return estimateSheet(this.#one, { country: this.#country, text: this.#shown, sugar, address: this.#link() })
  }

  /** What can be taken along is there as long as an estimate is. */
  #show(answer: string, ...children: Child[]): void {
    this.#shown = answer
    this.#tools.hidden = answer === ''
    replace(this.#out, ...children)
  }

  #allFields(): Child {
    const { value, vat, freight, insurance, quantity, sugar } = this.#inputs
    const common = [
      this.#field('destination', t.calcDestination, destinationSelect('calc-destination')),
      this.#field('value', this.#country === '' ? t.calcValue : t.calcGoodsOrCif, value),
      this.#field('currency', t.calcCurrency, this.#currency),
      this.#field('vat', t.calcVat, vat),
    ]
    if (this.#country === '') return [...common, h('p', { class: 'hint fields-hint' }, t.calcNoDestination)]
    return [
      ...common,
      this.#field('freight', t.calcFreightExtra, freight),
      this.#field('insurance', t.calcInsuranceExtra, insurance),
      this.#field('origin', t.calcOrigin, this.#origin),
      this.#field('quantity', '', quantity, true),
      this.#field('sugar', t.calcSugar, sugar, true),
    ]
  }

  #field(name: FieldName, label: string, control: HTMLElement, hidden = false): HTMLElement {
    const field = h('div', { class: `field field-${name}`, hidden }, h('label', { for: control.id }, label), control)
    this.#fields.set(name, field)
    return field
  }

  #input(name: InputName, value: string): HTMLInputElement {
    return h('input', {
      id: `calc-${name}`,
      type: 'text',
      inputmode: 'decimal',
      dir: 'ltr',
      autocomplete: 'off',
      maxlength: 40,
      value,
      oninput: () => this.#changed(),
    })
  }

  start(): void {
    this.#nameCurrency()
    if (this.#country !== '') return this.#load()
    void facts().then(({ vatRate }) => {
      const { vat } = this.#inputs
      if (vat.value === '' && vatRate !== null) vat.value = String(vatRate)
      this.#load()
    })
  }

  /** An amount of the address keeps its currency when the destination changes. */
  #nameCurrency(): void {
    const { value, freight, insurance, currency } = this.#asked
    if (currency === '' && value + freight + insurance !== '') this.#note({ ...this.#asked, currency: this.#currency.value })
  }

  leave(): void {
    clearTimeout(this.#timer)
    this.#slot.stop()
  }

  #read(name: InputName): Reading {
    return readAmount(this.#inputs[name].value, this.#currency.value, this.#known)
  }

  /** A currency chosen from the list replaces one that the amount names. */
  #choose(): void {
    const chosen = this.#currency.value
    const reading = this.#read('value')
    if (reading.kind === 'amount' && reading.currency !== null) this.#inputs.value.value = grouped(reading.value)
    this.#currency.value = chosen
    this.#changed()
  }

  /** Only what is shown: without a country there are three fields. */
  #typed(): Calculation {
    const isShown = (name: FieldName) => this.#fields.get(name)?.hidden === false
    const controls = { ...this.#inputs, currency: this.#currency, origin: this.#origin }
    const texts = CALCULATION.map(name => [name, isShown(name) ? controls[name].value : ''])
    return Object.fromEntries(texts) as Calculation
  }

  #changed(): void {
    const reading = this.#read('value')
    if (reading.kind === 'amount' && reading.currency !== null) this.#currency.value = reading.currency
    this.#isTyped = true
    this.#note(this.#typed())
    clearTimeout(this.#timer)
    const wait = pause(false) ?? 600
    if (wait === 0) this.#load()
    else this.#timer = window.setTimeout(() => this.#load(), wait)
  }

  #complain(name: FieldName, text: string): null {
    this.#slot.stop()
    const control = this.#fields.get(name)?.querySelector('input, select')
    const id = `calc-${name}-complaint`
    control?.setAttribute('aria-invalid', 'true')
    control?.setAttribute('aria-describedby', id)
    this.#fields.get(name)?.append(h('p', { class: 'complaint', id, role: 'alert' }, text))
    this.#show('')
    return null
  }

  #withdrawComplaints(): void {
    for (const field of this.#fields.values()) {
      field.querySelector('.complaint')?.remove()
      const control = field.querySelector('input, select')
      control?.removeAttribute('aria-invalid')
      control?.removeAttribute('aria-describedby')
    }
  }

  /** Two readings of what was typed; the chosen one is written so that it can be read one way only. */
  #askWhich(name: InputName, amounts: Extract<Reading, { kind: 'unclear' }>): null {
    this.#slot.stop()
    const input = this.#inputs[name]
    const choice = (text: string, label: string) =>
      button(h('span', {}, fill(label, { amount: h('bdi', { dir: 'ltr' }, text) })), () => {
        input.value = text
        input.focus()
        this.#changed()
      })
    this.#show(
      '',
      h('p', { class: 'complaint' }, fill(t.calcWhich, { typed: isolated(input.value.trim()) })),
      h('div', { class: 'ways' }, choice(amounts.grouped, t.calcThousands), choice(amounts.decimal, t.calcDecimals)),
    )
    return null
  }

  /** '' where the field is empty, null where it cannot be read and says so. */
  #amount(name: InputName): string | null {
    const reading = this.#read(name)
    if (reading.kind === 'empty') return ''
    if (reading.kind === 'unclear') return this.#askWhich(name, reading)
    const isOther = reading.kind === 'amount' && (reading.currency ?? this.#currency.value) !== this.#currency.value
    if (reading.kind === 'bad' || (isOther && name !== 'value')) return this.#complain(name, t.calcBad)
    if (isOther && reading.currency !== null) this.#currency.value = reading.currency
    return reading.value
  }

  #percent(): string | null {
    const vat = readPercent(this.#inputs.vat.value)
    return vat === null || !VAT.test(vat || '0') ? this.#complain('vat', t.calcBadVat) : vat
  }

  /** null where a field cannot be read. */
  #shipment(): Record<string, string> | null {
    if (this.#country === '') return {}
    const [freight, insurance] = [this.#amount('freight'), this.#amount('insurance')]
    const { unit, sugar: needsSugar } = this.#needs
    const quantity = unit === '' ? '' : this.#amount('quantity')
    const sugar = needsSugar ? readPercent(this.#inputs.sugar.value) : ''
    if (sugar === null) return this.#complain('sugar', t.calcBadSugar)
    if (freight === null || insurance === null || quantity === null) return null
    return { freight, insurance, origin: this.#origin.value, quantity, unit: quantity === '' ? '' : unit, sugar }
  }

  #load(): void {
    this.#withdrawComplaints()
    const value = this.#amount('value')
    if (value === null) return
    if (value === '') {
      this.#slot.stop()
      return this.#show('', h('p', { class: 'hint' }, t.calcEnter))
    }
    const vat = this.#percent()
    const shipment = vat === null ? null : this.#shipment()
    if (vat === null || shipment === null) return
    const path = query('tariff/calculate', {
      hs_code: this.#one.hs_code,
      value,
      currency: this.#currency.value,
      vat_rate: vat || (this.#country === '' ? '0' : ''),
      include: 'exact',
      // the country's own amounts, such as fees, are converted at a fixed rate, which is stated
      convert: this.#isConverted() ? '1' : '',
      ...shipment,
    })
    this.#slot.load<TariffEstimate>({
      ask: signal => ask(path, { signal }),
      show: (_, { text }) => {
        if (this.#isTyped) keepTyped(this.#typed(), this.#country)
        if (this.#country === '') this.#show(text, calculatedView(readExact<TariffEstimate>(text)))
        else this.#showShipment(text, vat)
      },
      trouble: trouble => this.#refused(trouble),
    })
  }

  /** Whether to ask for the country's currency, too. */
  #isConverted(): boolean {
    const currency = this.#currency.value
    return this.#country !== '' && currency !== currencyOf(this.#country) && !withoutFixedRate.has(`${currency} ${this.#country}`)
  }

  #refused(trouble: Trouble): Child | undefined {
    this.#show('')
    if (trouble.kind !== 'refused') return undefined
    if (trouble.parameter === 'convert') {
      withoutFixedRate.add(`${this.#currency.value} ${this.#country}`)
      this.#load()
      return []
    }
    const name = FIELD_OF[trouble.parameter] ?? 'value'
    const texts: Partial<Record<FieldName, string>> = { vat: t.calcBadVat, sugar: t.calcBadSugar, origin: t.calcBadOrigin }
    this.#complain(name, texts[name] ?? t.calcBad)
    return []
  }

  #showShipment(text: string, vat: string): void {
    const data = readExact(text)
    const before = this.#needs
    this.#needs = needsOf(data)
    const { unit, sugar } = this.#needs
    const { quantity, sugar: sugarInput, vat: vatInput } = this.#inputs
    const [quantityField, sugarField] = [this.#fields.get('quantity'), this.#fields.get('sugar')]
    if (quantityField && sugarField) {
      quantityField.hidden = unit === ''
      sugarField.hidden = !sugar
      replace(quantityField.querySelector('label') as HTMLElement, t.calcQuantity[unit])
    }
    if (vat === '') vatInput.placeholder = data.calculation.vat_rate
    this.#show(text, shipmentView(data, this.#needs))
    // fields that an address filled in before they were asked for
    const isNew = before.unit === '' && unit !== '' && (quantity.value !== '' || sugarInput.value !== '')
    if (isNew) this.#load()
  }
}
