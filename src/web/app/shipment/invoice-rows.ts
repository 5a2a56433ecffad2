/** The rows of an invoice as a table to type in: columns on wide screens, cards on narrow ones. */
import { ISO_COUNTRIES } from '../../../questions/iso-countries.js'
import { h } from '../dom/dom.js'
import { button } from '../dom/states.js'
import { lang, t } from '../shared/language.js'
import { InvoiceRow, ORIGINS_ID, type RowEvents } from './invoice-row.js'
import { NO_ROW, type RowText } from './invoice-text.js'
import { words } from './invoice-words.js'

const FIRST_ROWS = 3

interface Events {
  changed: () => void
  fixed: () => void
  /** Several rows were pasted into one field. */
  pasted: (text: string) => void
}

export class InvoiceRows {
  readonly element: HTMLElement
  readonly #table: HTMLTableElement
  readonly #events: Events
  #rows: InvoiceRow[] = []

  constructor(hasCountry: boolean, max: number, events: Events) {
    this.#events = events
    const head = [
      words.no,
      t.thCode,
      words.value,
      words.quantity,
      words.origin,
      words.duty,
      words.excise,
      words.vat,
      words.landed,
    ]
    const names = ['no', 'code', 'value', 'quantity', 'origin', 'duty', 'excise', 'vat', 'landed']
    this.#table = h(
      'table',
      { class: hasCountry ? 'inv-table' : 'inv-table inv-common' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          head.map((text, at) =>
            h('th', { scope: 'col', class: at > 4 ? `inv-figure inv-${names[at]}` : `inv-${names[at]}` }, text),
          ),
          h('td', {}),
        ),
      ),
    )
    this.#table.addEventListener('paste', event => {
      const text = event.clipboardData?.getData('text/plain') ?? ''
      if (!/[\n\t]/.test(text.trim())) return
      event.preventDefault()
      events.pasted(text)
    })
    const regions = new Intl.DisplayNames(lang, { type: 'region' })
    this.element = h(
      'div',
      { class: 'inv-rows' },
      this.#table,
      h(
        'datalist',
        { id: ORIGINS_ID },
        [...ISO_COUNTRIES].map(code => h('option', { value: code }, regions.of(code) ?? code)),
      ),
      h(
        'div',
        { class: 'row' },
        button(words.add, () => {
          if (this.#rows.length >= max) return
          const row = this.#append(NO_ROW)
          row.focus()
          events.changed()
        }),
      ),
    )
  }

  get rows(): readonly InvoiceRow[] {
    return this.#rows
  }

  get texts(): RowText[] {
    return this.#rows.map(row => row.text)
  }

  set texts(all: readonly RowText[]) {
    for (const row of this.#rows) row.element.remove()
    this.#rows = []
    const blanks = Array.from({ length: Math.max(0, FIRST_ROWS - all.length) }, () => NO_ROW)
    for (const text of [...all, ...blanks]) this.#append(text)
    this.showExcise(false)
  }

  showExcise(isShown: boolean): void {
    this.#table.classList.toggle('inv-without-excise', !isShown)
  }

  #append(text: RowText): InvoiceRow {
    const events: RowEvents = {
      changed: () => this.#events.changed(),
      fixed: () => this.#events.fixed(),
      removed: row => this.#remove(row),
    }
    const row = new InvoiceRow(text, events)
    this.#rows.push(row)
    row.number = this.#rows.length
    this.#table.append(row.element)
    return row
  }

  /** The focus goes to the row that takes the place, so that several can be removed. */
  #remove(gone: InvoiceRow): void {
    const at = this.#rows.indexOf(gone)
    gone.element.remove()
    this.#rows.splice(at, 1)
    if (this.#rows.length === 0) this.#append(NO_ROW)
    for (const [i, row] of this.#rows.entries()) row.number = i + 1
    const next = this.#rows[Math.min(at, this.#rows.length - 1)]
    next?.element.querySelector<HTMLElement>('.inv-remove button')?.focus()
    this.#events.changed()
  }
}
