/** Many codes at once: pasted, checked in batches as the limits allow, shown as a table, taken away as a file. */
import { type Route, toCheck } from '../data/address.js'
import type { Resolved } from '../data/api.js'
import { country } from '../data/country.js'
import { type Checked, currentWork, findWork, flushWork, forgetWork, saveWork, type Work } from '../data/kept-work.js'
import { announce, h, icon, replace } from '../dom/dom.js'
import { button } from '../dom/states.js'
import { t } from '../shared/language.js'
import type { Page, View } from '../shared/page.js'
import { codesOf, codesRun } from './check-codes.js'
import { Columns } from './check-columns.js'
import { loadFiles } from './check-export.js'
import { Repair } from './check-repair.js'
import type { BatchRun } from './check-run.js'
import { CheckTable, FIRST_CHOICE } from './check-table.js'
import { type Pasted, ROWS_MAX, readPasted, wordsColumn } from './paste.js'

const EDITIONS = ['2022', '2017', '2012', '2007', '2002', '1996']
const EXAMPLE =
  'item,hs code,value\nSmartphones,8517.13,12000\nTea,9021000,340\nHorses,10121,80000\nOlive oil,1509 20,910\nFridge,8418.1O,150\nOld phones,851712,75'
/** Few enough for an address that mail programs leave whole. */
const ADDRESS_MAX = 1200
const FILE_BYTES_MAX = 8_000_000

type CheckRoute = Extract<Route, { page: 'check' }>

/** What names the work in an address; '' where that names none. */
const addressOf = (codes: string, edition: string) => (codes === '' ? '' : `${edition || EDITIONS[0]} ${codes}`)

export function checkView(page: Page, first: CheckRoute): View {
  const check = new CheckPage(page)
  check.open(first)
  window.addEventListener('pagehide', flushWork)
  return {
    title: t.checkTitle,
    update: route => {
      if (route.page !== 'check') return false
      check.open(route)
      return true
    },
    leave: () => {
      check.leave()
      flushWork()
      window.removeEventListener('pagehide', flushWork)
    },
  }
}

class CheckPage {
  readonly #page: Page
  readonly #box = h('textarea', { id: 'codes', rows: 8, spellcheck: 'false', dir: 'auto', placeholder: t.checkHint })
  readonly #edition = h(
    'select',
    { id: 'edition' },
    EDITIONS.map(one => h('option', { value: one }, `HS ${one}`)),
  )
  readonly #columns = new Columns(isWords => this.#chooseColumn(isWords))
  readonly #startOver = h(
    'div',
    { class: 'row start-over', hidden: true },
    button(t.checkStartOver, () => this.#clear()),
    h('p', { class: 'hint' }, t.checkKept),
  )
  readonly #complaint = h('p', { class: 'complaint', role: 'alert' })
  readonly #out = h('div', { class: 'check-out' })
  #pasted: Pasted | null = null
  #address = ''
  #run: BatchRun<string, Resolved> | null = null
  #repair: Repair | null = null
  #table: CheckTable | null = null
  /** Whether every code was checked, or the visitor stopped it. */
  #isOver = false
  /** What the table was made of; the box may hold something else by now. */
  #checked: Pick<Checked, 'atMs' | 'text' | 'column' | 'edition' | 'country'> | null = null
  /** Counts what the visitor and the address did, so that what comes late from storage replaces neither. */
  #turn = 0

  constructor(page: Page) {
    this.#page = page
    this.#box.addEventListener('input', () => this.#typed())
    this.#box.addEventListener('dragover', event => event.preventDefault())
    this.#box.addEventListener('drop', event => {
      if (!event.dataTransfer?.files.length) return
      event.preventDefault()
      void this.#take(event.dataTransfer.files[0])
    })
    this.#edition.addEventListener('change', () => this.#save())
    replace(
      page.main,
      h('header', { class: 'page-head' }, h('h1', {}, t.checkTitle), h('p', {}, t.checkText)),
      this.#form(),
      this.#out,
    )
  }

  #form(): HTMLElement {
    const file = h('input', { type: 'file', id: 'file', class: 'unseen', accept: '.csv,.tsv,.txt,text/csv,text/plain' })
    file.addEventListener('change', () => void this.#take(file.files?.[0]))
    const submit = (event: Event) => {
      event.preventDefault()
      this.#check(true)
    }
    return h(
      'form',
      { class: 'check-form', onsubmit: submit },
      h('label', { for: 'codes' }, t.checkBox),
      this.#box,
      h(
        'div',
        { class: 'row' },
        h('div', { class: 'field' }, h('label', { for: 'edition' }, t.checkEdition), this.#edition),
        this.#columns.elements,
      ),
      this.#complaint,
      h(
        'div',
        { class: 'row' },
        h('button', { class: 'button button-strong' }, t.checkGo),
        file,
        h('label', { for: 'file', class: 'button' }, icon('down'), t.checkFile),
        button(t.checkExample, () => {
          this.#box.value = EXAMPLE
          this.#typed()
          this.#box.focus()
        }),
      ),
      this.#startOver,
    )
  }

  /** Shows the visitor's own work if it is what the address names, and otherwise the codes of the address. */
  open({ codes, edition }: CheckRoute): void {
    this.leave()
    const address = addressOf(codes, edition)
    const work = currentWork(address)
    if (work !== undefined) return this.#restore(work)
    this.#show({ text: codes.split(',').join('\n'), column: null, edition, address, checked: null })
    const turn = ++this.#turn
    void findWork(address).then(found => {
      if (turn !== this.#turn) return
      if (found !== undefined) this.#restoreLate(found)
      else if (codes !== '') this.#check(false)
    })
  }

  leave(): void {
    this.#turn++
    this.#run?.stop()
    this.#repair?.stop()
    this.#run = null
    this.#repair = null
  }

  #show({ text, column, words = null, edition, address }: Omit<Work, 'id' | 'savedMs'>): void {
    this.#box.value = text
    this.#columns.chosen = { column, words }
    this.#edition.value = EDITIONS.includes(edition) ? edition : (EDITIONS[0] as string)
    this.#address = address
    this.#table = null
    this.#checked = null
    replace(this.#out)
    this.#read()
  }

  #restore(work: Work): void {
    this.#show(work)
    const { checked } = work
    if (checked === null) return
    const pasted = { ...readPasted(checked.text), column: checked.column }
    // another country has other rates, so they are requested again
    const isSame = (checked.country ?? '') === country()
    const { compared = [], accepted = new Map() } = checked
    const table = this.#draw(pasted, { ...checked, country: country() })
    table.restoreRepair(isSame ? compared : [], accepted)
    if (isSame) table.restore(checked.results)
    this.#startRun(pasted, table, checked.edition, isSame && checked.isStopped)
    if (!isSame && accepted.size > 0) void this.#repair?.refreshRates()
  }

  /** The browser has been at the top meanwhile. */
  #restoreLate(work: Work): void {
    this.#restore(work)
    const { y = 0 } = (history.state ?? {}) as { y?: number }
    if (window.scrollY === 0) window.scrollTo(0, y)
  }

  #chooseColumn(isWords: boolean): void {
    this.#read()
    // the table goes by the words of another column at once, if it is made of this text
    if (isWords && this.#table && this.#checked?.text === this.#box.value) {
      this.#repair?.stop()
      this.#table.setWords(this.#columns.words)
    }
    this.#save()
  }

  #typed(): void {
    this.#columns.chosen = { column: null, words: null }
    this.#read()
    this.#save()
  }

  #read(): void {
    const text = this.#box.value
    this.#pasted = this.#columns.read(text)
    this.#complaint.textContent = this.#pasted?.isCut ? t.checkTooLong(ROWS_MAX) : ''
    this.#startOver.hidden = text === '' && this.#table === null
  }

  #check(isByHand: boolean): void {
    this.#read()
    const pasted = this.#pasted
    const codes = pasted === null ? [] : codesOf(pasted)
    if (pasted === null || codes.every(one => one === '')) {
      this.#complaint.textContent = t.checkNone
      this.#box.focus()
      return
    }
    this.leave()
    const edition = this.#edition.value
    const text = codes.join(',')
    const isShort = text.length <= ADDRESS_MAX
    this.#address = isShort ? addressOf(text, edition) : ''
    if (isByHand) this.#page.note(isShort ? toCheck(text, edition === EDITIONS[0] ? '' : edition) : toCheck())
    const checked = {
      ...FIRST_CHOICE,
      atMs: Date.now(),
      text: this.#box.value,
      column: pasted.column,
      edition,
      country: country(),
      words: this.#columns.words,
    }
    this.#startRun(pasted, this.#draw(pasted, checked), edition, false)
    this.#save()
    if (isByHand) this.#out.scrollIntoView({ block: 'start' })
  }

  #draw(pasted: Pasted, checked: Omit<Checked, 'results' | 'isStopped'>): CheckTable {
    const { atMs, text, column, edition, country, words = wordsColumn(pasted), ...choice } = checked
    const table = new CheckTable(pasted, words, edition, choice, () => {
      this.#save()
      if (this.#isOver) this.#repair?.draw()
    })
    this.#checked = { atMs, text, column, edition, country }
    this.#table = table
    this.#startOver.hidden = false
    return table
  }

  #startRun(pasted: Pasted, table: CheckTable, edition: string, isStopped: boolean): void {
    const repair = new Repair(table)
    this.#isOver = false
    this.#repair = repair
    const stopped = () => this.#save()
    this.#run = codesRun(pasted, edition, table, stopped, () => {
      this.#isOver = true
      table.finish()
      repair.draw()
    })
    replace(this.#out, this.#run.element, repair.element, table.element)
    if (isStopped) this.#run.showStopped()
    else this.#run.start()
  }

  #save(): void {
    this.#turn++
    this.#startOver.hidden = this.#box.value === '' && this.#table === null
    const checked = this.#checked && {
      ...this.#checked,
      ...(this.#table?.choice ?? FIRST_CHOICE),
      results: this.#table?.results ?? [],
      isStopped: this.#run?.isStopped ?? false,
      ...(this.#table && { words: this.#table.words, compared: this.#table.compared, accepted: this.#table.accepted }),
    }
    saveWork({
      address: this.#address,
      text: this.#box.value,
      ...this.#columns.chosen,
      edition: this.#edition.value,
      checked,
    })
  }

  #clear(): void {
    this.leave()
    forgetWork()
    this.#page.note(toCheck())
    this.#show({ text: '', column: null, edition: '', address: '', checked: null })
    this.#box.focus()
  }

  async #take(given: File | undefined): Promise<void> {
    if (!given) return
    try {
      const { decodeText } = await loadFiles()
      const text = given.size > FILE_BYTES_MAX ? null : decodeText(new Uint8Array(await given.arrayBuffer()))
      if (text === null) {
        this.#complaint.textContent = t.checkNotText
        return
      }
      this.#box.value = text
      this.#typed()
      announce(given.name)
    } catch {
      this.#complaint.textContent = t.checkFileFailed
    }
  }
}
