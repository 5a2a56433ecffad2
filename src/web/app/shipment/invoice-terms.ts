/** What holds for a whole invoice: destination, currency, VAT, freight, insurance, and the origin of rows that name none. */
import type { InvoiceTerms } from '../data/address.js'
import { country, currencyOf } from '../data/country.js'
import { facts } from '../data/facts.js'
import { h, replace } from '../dom/dom.js'
import { destinationSelect } from '../estimate/destination.js'
import { originSelect } from '../estimate/origins.js'
import { t } from '../shared/language.js'
import { CURRENCIES, readAmount, readPercent } from '../text/amounts.js'
import type { Terms } from './invoice-answer.js'
import { words } from './invoice-words.js'

const CURRENCY = /^[a-z]{3}$/i
const VAT = /^(100(\.0{1,4})?|\d{1,2}(\.\d{1,4})?)$/

/** As typed. */
export type TermTexts = Omit<InvoiceTerms, 'rows'>
export const NO_TERMS: TermTexts = { currency: '', vat: '', freight: '', insurance: '', origin: '' }
type TermName = keyof TermTexts

export class TermsFields {
  readonly element: HTMLElement
  readonly #country = country()
  readonly #currency = h('select', { id: 'inv-currency' })
  readonly #origin = originSelect('inv-origin', '')
  readonly #inputs: Readonly<Record<'vat' | 'freight' | 'insurance', HTMLInputElement>>
  readonly #fields = new Map<TermName, HTMLElement>()
  #known: readonly string[] = CURRENCIES

  constructor(changed: () => void) {
    const input = (name: string) =>
      h('input', {
        id: `inv-${name}`,
        type: 'text',
        inputmode: 'decimal',
        dir: 'ltr',
        autocomplete: 'off',
        maxlength: 40,
        oninput: changed,
      })
    this.#inputs = { vat: input('vat'), freight: input('freight'), insurance: input('insurance') }
    this.#currency.addEventListener('change', changed)
    this.#origin.addEventListener('change', changed)
    const { vat, freight, insurance } = this.#inputs
    const common = [this.#field('currency', t.calcCurrency, this.#currency), this.#field('vat', t.calcVat, vat)]
    const forCountry = [
      this.#field('freight', words.freight, freight),
      this.#field('insurance', words.insurance, insurance),
      this.#field('origin', words.originAll, this.#origin),
    ]
    const destination = destinationSelect('inv-destination')
    const hint = this.#country === '' ? t.calcNoDestination : words.shared
    this.element = h(
      'div',
      { class: 'inv-terms' },
      h('div', { class: 'field' }, h('label', { for: destination.id }, t.calcDestination), destination),
      common,
      this.#country === '' ? null : forCountry,
      h('p', { class: 'hint' }, hint),
    )
    if (this.#country === '')
      void facts().then(({ vatRate }) => {
        if (vatRate !== null) vat.placeholder = String(vatRate)
      })
  }

  #field(name: TermName, label: string, control: HTMLElement): HTMLElement {
    const field = h('div', { class: 'field' }, h('label', { for: control.id }, label), control)
    this.#fields.set(name, field)
    return field
  }

  get known(): readonly string[] {
    return this.#known
  }

  get texts(): TermTexts {
    const { vat, freight, insurance } = this.#inputs
    return {
      currency: this.#currency.value,
      vat: vat.value.trim(),
      freight: freight.value.trim(),
      insurance: insurance.value.trim(),
      origin: this.#origin.value,
    }
  }

  /** Without a currency it is the destination's. */
  set texts({ currency, origin, ...amounts }: TermTexts) {
    const wanted = CURRENCY.test(currency) ? currency.toUpperCase() : currencyOf(this.#country)
    this.#known = CURRENCIES.includes(wanted) ? CURRENCIES : [wanted, ...CURRENCIES]
    replace(
      this.#currency,
      this.#known.map(code => h('option', { selected: code === wanted }, code)),
    )
    this.#currency.value = wanted
    this.#origin.value = origin.toUpperCase()
    // not in the list
    if (this.#origin.value === '') this.#origin.value = ''
    for (const name of ['vat', 'freight', 'insurance'] as const) this.#inputs[name].value = amounts[name]
    this.withdrawComplaints()
  }

  showVat(rate: string): void {
    this.#inputs.vat.placeholder = rate
  }

  complain(name: TermName, text: string): null {
    const field = this.#fields.get(name)
    const control = field?.querySelector('input, select')
    const id = `inv-${name}-complaint`
    control?.setAttribute('aria-invalid', 'true')
    control?.setAttribute('aria-describedby', id)
    field?.append(h('p', { class: 'complaint', id, role: 'alert' }, text))
    return null
  }

  withdrawComplaints(): void {
    for (const field of this.#fields.values()) {
      field.querySelector('.complaint')?.remove()
      const control = field.querySelector('input, select')
      control?.removeAttribute('aria-invalid')
      control?.removeAttribute('aria-describedby')
    }
  }

  #amount(name: 'freight' | 'insurance'): string | null {
    const currency = this.#currency.value
    const reading = readAmount(this.#inputs[name].value, currency, this.#known)
    if (reading.kind === 'empty') return ''
    if (reading.kind === 'amount' && (reading.currency ?? currency) === currency) return reading.value
    return this.complain(name, t.calcBad)
  }

  /** Null where a field cannot be read and says so. */
  read(): Terms | null {
    this.withdrawComplaints()
    const percent = readPercent(this.#inputs.vat.value)
    const vat = percent === null || !VAT.test(percent || '0') ? this.complain('vat', t.calcBadVat) : percent
    const [freight, insurance] = this.#country === '' ? ['', ''] : [this.#amount('freight'), this.#amount('insurance')]
    if (vat === null || freight === null || insurance === null || freight === undefined || insurance === undefined) return null
    return { country: this.#country, currency: this.#currency.value, vat, freight, insurance, origin: this.#origin.value }
  }
}
