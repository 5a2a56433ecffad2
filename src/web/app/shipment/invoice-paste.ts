/** Rows of an invoice out of a pasted table, a file, or a line that was typed. */
import { announce, h, icon, replace } from '../dom/dom.js'
import { button } from '../dom/states.js'
import { t } from '../shared/language.js'
import { COLUMNS, type Columns, guessColumns, type RowText, readTable, rowsOf } from './invoice-text.js'
import { words } from './invoice-words.js'
import type { Pasted } from './paste.js'

const EXAMPLE =
  'item,hs code,value,quantity,origin\nSmartphones,8517.13,"12,000",40,CN\nTea,9021000,340,,LK\nOlive oil,1509 20,910,,ES\nWatches,9102.11,"2,500",10,CH'
const FILE_BYTES_MAX = 8_000_000

interface Events {
  /** The rows that are there already. */
  before: () => RowText[]
  /** False where the rows were not taken, which it says itself. */
  fill: (rows: readonly RowText[], isAnyNew: boolean) => boolean
  complain: (text: string) => void
}

export class InvoicePaste {
  readonly element: HTMLElement
  readonly #events: Events
  readonly #box = h('textarea', { id: 'inv-box', rows: 2, spellcheck: 'false', dir: 'auto', placeholder: words.boxHint })
  readonly #columns = h('div')

  constructor(events: Events) {
    this.#events = events
    this.#box.addEventListener('input', event => {
      const { inputType = '' } = event as InputEvent
      const isWhole = this.#box.value.includes('\n') || ['insertFromPaste', 'insertFromDrop'].includes(inputType)
      if (isWhole) this.take(this.#box.value)
    })
    const file = h('input', { type: 'file', id: 'inv-file', class: 'unseen', accept: '.csv,.tsv,.txt,text/csv,text/plain' })
    file.addEventListener('change', () => void this.takeFile(file.files?.[0]))
    this.element = h(
      'div',
      { class: 'inv-paste' },
      h('label', { for: 'inv-box' }, words.box),
      this.#box,
      h(
        'div',
        { class: 'row' },
        file,
        h('label', { for: 'inv-file', class: 'button' }, icon('down'), t.checkFile),
        button(t.checkExample, () => this.take(EXAMPLE)),
      ),
      this.#columns,
    )
  }

  focus(): void {
    this.#box.focus()
  }

  take(text: string): void {
    const table = readTable(text)
    const columns = guessColumns(table)
    const before = this.#events.before()
    if (!this.#fill(before, table, columns)) return
    this.#box.value = ''
    announce(words.added(rowsOf(table, columns).length))
    this.#offerColumns(before, table, columns)
  }

  async takeFile(given: File | undefined): Promise<void> {
    if (!given) return
    try {
      const { decodeText } = await import('./read-file.js')
      const text = given.size > FILE_BYTES_MAX ? null : decodeText(new Uint8Array(await given.arrayBuffer()))
      if (text === null) this.#events.complain(t.checkNotText)
      else this.take(text)
    } catch {
      this.#events.complain(t.checkFileFailed)
    }
  }

  closeColumns(): void {
    replace(this.#columns)
  }

  #fill(before: readonly RowText[], table: Pasted, columns: Columns): boolean {
    const rows = rowsOf(table, columns)
    return this.#events.fill([...before, ...rows], rows.length > 0)
  }

  /** As long as no row was changed by hand, which another choice would undo. */
  #offerColumns(before: readonly RowText[], table: Pasted, columns: Columns): void {
    const width = Math.max(0, ...table.rows.map(row => row.length))
    if (width < 2) return this.closeColumns()
    const names = Array.from({ length: width }, (_, at) => table.header?.[at]?.trim() || t.column(at + 1))
    const labels = { code: t.thCode, value: words.value, quantity: words.quantity, origin: words.origin }
    const list = COLUMNS.map(name => ({ label: labels[name], at: columns[name] }))
    const choose = (which: number, at: number) => {
      const changed = { ...columns, [COLUMNS[which] as keyof Columns]: at }
      this.#fill(before, table, changed)
      this.#offerColumns(before, table, changed)
      this.#columns.querySelector<HTMLElement>(`#inv-column-${which}`)?.focus()
    }
    replace(this.#columns, columnChoice(names, list, choose))
  }
}

/** Which column of the pasted table holds what. */
function columnChoice(
  names: readonly string[],
  list: readonly { label: string; at: number }[],
  choose: (which: number, at: number) => void,
): HTMLElement {
  const select = (label: string, chosen: number, which: number) => {
    const id = `inv-column-${which}`
    const made = h(
      'select',
      { id },
      h('option', { value: -1, selected: chosen < 0 }, words.noColumn),
      names.map((name, at) => h('option', { value: at, selected: at === chosen }, name)),
    )
    made.addEventListener('change', () => choose(which, Number(made.value)))
    return h('div', { class: 'field' }, h('label', { for: id }, label), made)
  }
  const made = h('fieldset', { class: 'inv-columns' }, h('legend', {}, words.columnsTitle))
  const row = h('div', { class: 'row' })
  replace(
    row,
    list.map(({ label, at }, which) => select(label, at, which)),
  )
  made.append(row)
  return made
}
