/** Many codes at once: pasted, checked in batches as the limits allow, shown as a table, taken away as a file. */
import { type Route, toCheck } from '../address.js'
import { announce, h, icon, replace } from '../dom.js'
import { t } from '../language.js'
import type { Page, View } from '../page.js'
import { type Pasted, ROWS_MAX, readPasted } from '../paste.js'
import { button } from '../states.js'
import { CheckRun } from './check-run.js'
import { CheckTable } from './check-table.js'

const EDITIONS = ['2022', '2017', '2012']
const EXAMPLE =
  'item,hs code,value\nSmartphones,8517.13,12000\nTea,9021000,340\nHorses,10121,80000\nOlive oil,1509 20,910\nFridge,8418.1O,150\nOld phones,851712,75'
/** Few enough for an address that mail programs leave whole. */
const ADDRESS_MAX = 1200
const FILE_BYTES_MAX = 8_000_000

export function checkView(page: Page, first: Extract<Route, { page: 'check' }>): View {
  const box = h('textarea', {
    id: 'codes',
    rows: 8,
    spellcheck: 'false',
    dir: 'auto',
    placeholder: t.checkHint,
  })
  const edition = h(
    'select',
    { id: 'edition' },
    EDITIONS.map(one => h('option', { value: one, selected: one === first.edition }, `HS ${one}`)),
  )
  const column = h('select', { id: 'column' })
  const columnField = h('div', { class: 'field', hidden: true }, h('label', { for: 'column' }, t.checkColumn), column)
  const complaint = h('p', { class: 'complaint', role: 'alert' })
  const out = h('div', { class: 'check-out' })
  let pasted: Pasted | null = null
  /** The column that the visitor chose, where the guess was wrong. */
  let chosen: number | null = null
  let run: CheckRun | null = null

  const read = () => {
    pasted = box.value.trim() === '' ? null : readPasted(box.value)
    if (pasted && chosen !== null) pasted = { ...pasted, column: chosen }
    complaint.textContent = pasted?.isCut ? t.checkTooLong(ROWS_MAX) : ''
    const width = Math.max(0, ...(pasted?.rows.map(row => row.length) ?? []))
    columnField.hidden = width < 2
    replace(
      column,
      Array.from({ length: width }, (_, at) =>
        h('option', { value: at, selected: at === pasted?.column }, pasted?.header?.[at]?.trim() || t.column(at + 1)),
      ),
    )
  }

  const check = (isByHand: boolean) => {
    run?.stop()
    read()
    if (!pasted || pasted.rows.length === 0) {
      complaint.textContent = t.checkNone
      box.focus()
      return
    }
    const codes = pasted.rows.map(row => row[pasted?.column ?? 0]?.trim() ?? '')
    const text = codes.join(',')
    if (isByHand) page.note(text.length <= ADDRESS_MAX ? toCheck(text, edition.value === '2022' ? '' : edition.value) : toCheck())
    const table = new CheckTable(pasted, edition.value)
    run = new CheckRun(codes, edition.value, table)
    replace(out, run.element, table.element)
    run.start()
    if (isByHand) out.scrollIntoView({ block: 'start' })
  }

  const fillIn = (text: string) => {
    box.value = text
    chosen = null
    read()
  }
  box.addEventListener('input', () => {
    chosen = null
    read()
  })
  column.addEventListener('change', () => {
    chosen = Number(column.value)
  })
  const file = h('input', {
    type: 'file',
    id: 'file',
    class: 'unseen',
    accept: '.csv,.tsv,.txt,text/csv,text/plain',
  })
  const take = async (given: File | undefined) => {
    if (!given) return
    const text = given.size > FILE_BYTES_MAX ? '\u0000' : await given.text()
    if (text.includes('\u0000')) {
      complaint.textContent = t.checkNotText
      return
    }
    fillIn(text)
    announce(given.name)
  }
  file.addEventListener('change', () => void take(file.files?.[0]))
  box.addEventListener('dragover', event => event.preventDefault())
  box.addEventListener('drop', event => {
    if (!event.dataTransfer?.files.length) return
    event.preventDefault()
    void take(event.dataTransfer.files[0])
  })

  const submit = (event: Event) => {
    event.preventDefault()
    check(true)
  }
  replace(
    page.main,
    h('header', { class: 'page-head' }, h('h1', {}, t.checkTitle), h('p', {}, t.checkText)),
    h(
      'form',
      { class: 'check-form', onsubmit: submit },
      h('label', { for: 'codes' }, t.checkBox),
      box,
      h(
        'div',
        { class: 'row' },
        h('div', { class: 'field' }, h('label', { for: 'edition' }, t.checkEdition), edition),
        columnField,
      ),
      complaint,
      h(
        'div',
        { class: 'row' },
        h('button', { class: 'button button-strong' }, t.checkGo),
        file,
        h('label', { for: 'file', class: 'button' }, icon('down'), t.checkFile),
        button(t.checkExample, () => {
          fillIn(EXAMPLE)
          box.focus()
        }),
      ),
    ),
    out,
  )
  const open = (route: Extract<Route, { page: 'check' }>) => {
    fillIn(route.codes.split(',').join('\n'))
    edition.value = EDITIONS.includes(route.edition) ? route.edition : '2022'
    if (route.codes !== '') check(false)
    else replace(out)
  }
  open(first)
  return {
    title: t.checkTitle,
    update: route => {
      if (route.page !== 'check') return false
      run?.stop()
      open(route)
      return true
    },
    leave: () => run?.stop(),
  }
}
