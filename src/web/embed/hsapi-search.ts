/** `<hsapi-search>`: finds an HS code by words or digits and submits it with its form. For pages of any site. */
import { digitsOf } from '../../codes/digits.js'
import { Asker, type Found, type Item } from './asker.js'
import { STYLE } from './style.js'
import { type Language, WORDS } from './words.js'

const CHARS_MIN = 2
const PAUSE_MS = 180
/** Maximum wait for Retry-After; longer waits are reported instead. */
const RETRY_SECONDS_MAX = 70

/** The server that this file came from; used unless the element names another. */
const SCRIPT = (document.currentScript as HTMLScriptElement | null)?.src
const DEFAULT_SERVER = SCRIPT === undefined ? location.origin : new URL(SCRIPT).origin

function make<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Record<string, string> = {}, text = '') {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.textContent = text
  return element
}

class HsapiSearch extends HTMLElement {
  static formAssociated = true
  static observedAttributes = ['lang', 'label', 'placeholder', 'disabled', 'required', 'value']

  readonly #internals = this.attachInternals()
  readonly #input = make('input', {
    type: 'text',
    part: 'input',
    dir: 'auto',
    role: 'combobox',
    maxlength: '200',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': 'list',
    'aria-describedby': 'chosen',
  })
  readonly #list = make('ul', { id: 'list', part: 'list', role: 'listbox', hidden: '' })
  readonly #chosen = make('p', { id: 'chosen', part: 'chosen' })
  readonly #status = make('p', { part: 'status', role: 'status' })
  readonly #count = make('span', { class: 'unseen', role: 'status' })
  readonly #box = make('div')
  readonly #asker = new Asker()
  #items: Item[] = []
  #active = -1
  #record: Item | null = null
  #value = ''
  #timer = 0

  constructor() {
    super()
    const root = this.attachShadow({ mode: 'open', delegatesFocus: true })
    this.#box.append(this.#input, this.#list, this.#chosen, this.#status, this.#count)
    root.append(this.#box)
    if ('adoptedStyleSheets' in root) {
      // unlike a style element, it needs no exception in the page's content security policy
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(STYLE)
      root.adoptedStyleSheets = [sheet]
    } else (root as ShadowRoot).append(make('style', {}, STYLE))
    this.#input.addEventListener('input', () => this.#typed())
    this.#input.addEventListener('keydown', event => this.#key(event))
    this.#input.addEventListener('blur', () => this.#left())
    // the label may be added after the element
    this.#input.addEventListener('focus', () => this.#label())
    // the input keeps the focus
    this.#list.addEventListener('mousedown', event => event.preventDefault())
    this.#list.addEventListener('click', event => {
      const at = [...this.#list.children].indexOf((event.target as Element).closest('li') as Element)
      if (at >= 0) this.#choose(this.#items[at] as Item)
    })
  }

  connectedCallback(): void {
    this.#label()
    this.#hold(this.getAttribute('value') ?? this.#value, this.#record)
  }

  disconnectedCallback(): void {
    this.#stop()
  }

  attributeChangedCallback(name: string, _before: string | null, now: string | null): void {
    if (name === 'value') this.#hold(now ?? '', null)
    else this.#label()
  }

  formResetCallback(): void {
    this.value = this.getAttribute('value') ?? ''
  }

  formDisabledCallback(isDisabled: boolean): void {
    this.#input.disabled = isDisabled
  }

  formStateRestoreCallback(state: string): void {
    this.value = state
  }

  /** Digits of the chosen code, or ''. */
  get value(): string {
    return this.#value
  }
  set value(code: string) {
    this.#stop()
    this.#hold(code, null)
  }

  /** The record of the chosen code; null if none was chosen from the list. */
  get record(): Item | null {
    return this.#record
  }

  get name(): string {
    return this.getAttribute('name') ?? ''
  }
  get form(): HTMLFormElement | null {
    return this.#internals.form
  }
  get validity(): ValidityState {
    return this.#internals.validity
  }
  get validationMessage(): string {
    return this.#internals.validationMessage
  }
  checkValidity(): boolean {
    return this.#internals.checkValidity()
  }
  reportValidity(): boolean {
    return this.#internals.reportValidity()
  }

  get #lang(): Language {
    const named = this.closest('[lang]')?.getAttribute('lang') || navigator.language
    return named.toLowerCase().startsWith('ar') ? 'ar' : 'en'
  }
  get #words() {
    return WORDS[this.#lang]
  }

  #label(): void {
    const words = this.#words
    this.#box.dir = this.#lang === 'ar' ? 'rtl' : 'ltr'
    this.#box.lang = this.#lang
    const labels = [...(this.#internals.labels ?? [])].map(({ textContent }) => textContent?.trim()).join(' ')
    const label = this.getAttribute('label') ?? (labels || words.label)
    this.#input.setAttribute('aria-label', label)
    this.#list.setAttribute('aria-label', label)
    this.#input.placeholder = this.getAttribute('placeholder') ?? words.hint
    this.#input.disabled = this.hasAttribute('disabled')
    this.#input.setAttribute('aria-required', String(this.hasAttribute('required')))
    this.#validate()
  }

  #validate(): void {
    const isMissing = this.hasAttribute('required') && this.#value === ''
    if (isMissing) this.#internals.setValidity({ valueMissing: true }, this.#words.choose, this.#input)
    else this.#internals.setValidity({})
  }

  /** Shows a code and sets it as the form value. */
  #hold(code: string, record: Item | null, text = code): void {
    this.#value = code
    this.#record = record
    this.#input.value = text
    this.#internals.setFormValue(code)
    this.#validate()
    this.#chosen.textContent = record === null ? '' : `${this.#wordsOf(record).text} · ${this.#words.duty} ${this.#rate(record)}`
  }

  #wordsOf({ description: { en, ar } }: Item): { text: string; lang: Language } {
    const isArabic = (this.#lang === 'ar' && ar !== '') || en === ''
    return isArabic ? { text: ar, lang: 'ar' } : { text: en, lang: 'en' }
  }

  #rate({ tariff_rate, rate }: Item): string {
    if (rate?.status === 'prohibited') return this.#words.prohibited
    if (rate?.status === 'unknown') return this.#words.unknown
    const { min, max } = rate ?? { min: tariff_rate, max: tariff_rate }
    // isolated left to right, for Arabic pages
    return `\u2066${min === max ? min : `${min}–${max}`} %\u2069`
  }

  #typed(): void {
    const hadValue = this.#value !== ''
    this.#hold('', null, this.#input.value)
    if (hadValue) this.#changed()
    this.#stop()
    this.#status.textContent = ''
    const q = this.#input.value.trim()
    if ([...q].length < CHARS_MIN) return
    this.#timer = window.setTimeout(() => void this.#search(q), PAUSE_MS)
  }

  async #search(q: string): Promise<void> {
    const get = (name: string) => this.getAttribute(name) ?? ''
    const server = (get('server') || DEFAULT_SERVER).replace(/\/$/, '')
    const found = await this.#asker.ask(server, get('key'), {
      q,
      country: get('country'),
      level: get('level'),
      within: get('within'),
      limit: get('limit') || '8',
    })
    if (found !== null && this.#input.value.trim() === q) this.#show(found, q)
  }

  #show(found: Found, q: string): void {
    const words = this.#words
    if (found.kind === 'ok') {
      this.#status.textContent = found.items.length === 0 ? words.none : ''
      this.#open(found.items)
      if (this.shadowRoot?.activeElement !== this.#input) this.#left()
      return
    }
    this.#close()
    this.#status.textContent = words[found.kind]
    if (found.kind === 'limit' && found.seconds <= RETRY_SECONDS_MAX)
      this.#timer = window.setTimeout(() => void this.#search(q), found.seconds * 1000)
  }

  #open(items: Item[]): void {
    this.#items = items
    this.#active = -1
    const options = items.map((item, at) => {
      const { text, lang } = this.#wordsOf(item)
      const option = make('li', { role: 'option', id: `option-${at}`, part: 'option', 'aria-selected': 'false' })
      option.append(
        make('bdi', { dir: 'ltr' }, item.hs_code),
        make('span', { class: 'rate' }, `${this.#words.duty} ${this.#rate(item)}`),
        make('span', { class: 'description', lang, dir: lang === 'ar' ? 'rtl' : 'ltr' }, text),
      )
      return option
    })
    this.#list.replaceChildren(...options)
    this.#list.hidden = items.length === 0
    this.#input.setAttribute('aria-expanded', String(items.length > 0))
    this.#input.removeAttribute('aria-activedescendant')
    this.#count.textContent = items.length === 0 ? '' : this.#words.found(items.length)
  }

  #close(): void {
    this.#open([])
  }

  #stop(): void {
    clearTimeout(this.#timer)
    this.#asker.stop()
    this.#close()
  }

  #move(by: number): void {
    const count = this.#items.length + 1
    // one more position than options: at the extra one, no option is selected
    this.#active = ((this.#active + 1 + by + count) % count) - 1
    for (const [at, option] of [...this.#list.children].entries()) {
      option.setAttribute('aria-selected', String(at === this.#active))
      if (at === this.#active) option.scrollIntoView({ block: 'nearest' })
    }
    if (this.#active < 0) this.#input.removeAttribute('aria-activedescendant')
    else this.#input.setAttribute('aria-activedescendant', `option-${this.#active}`)
  }

  #key(event: KeyboardEvent): void {
    if (event.isComposing) return
    const isOpen = !this.#list.hidden
    if (isOpen && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      this.#move(event.key === 'ArrowDown' ? 1 : -1)
    } else if (event.key === 'ArrowDown' && this.#value === '') this.#typed()
    else if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      this.#close()
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const item = this.#items[this.#active] ?? this.#exact()
      if (item) this.#choose(item)
      else this.form?.requestSubmit()
    }
  }

  /** The item whose digits were typed in full. */
  #exact(): Item | undefined {
    const digits = digitsOf(this.#input.value)
    return this.#items.find(({ hs_code }) => hs_code === digits)
  }

  #left(): void {
    const item = this.#exact()
    if (item && this.#value === '') this.#choose(item)
    else this.#close()
  }

  #choose(item: Item): void {
    this.#stop()
    this.#status.textContent = ''
    this.#hold(item.hs_code, item)
    this.dispatchEvent(new CustomEvent('hsapi-select', { bubbles: true, composed: true, detail: item }))
    this.#changed()
  }

  #changed(): void {
    this.dispatchEvent(new Event('change', { bubbles: true }))
  }
}

// the page may load this file twice
if (customElements.get('hsapi-search') === undefined) customElements.define('hsapi-search', HsapiSearch)
