/** The list of keys: search, filter, pages. What is shown is in the address. */
import { announce, fillText, h, replace } from '../app/dom/dom.js'
import { type Answer, ask, type ListedKey } from './api.js'
import { openCreate } from './dialogs.js'
import { KeysTable } from './keys-table.js'
import { figure, t } from './language.js'

const PAGE = 100
const TYPED_MS = 250
const STATUSES = ['all', 'active', 'expired', 'revoked'] as const

interface Place {
  search: string
  status: (typeof STATUSES)[number]
  offset: number
}

function readPlace(): Place {
  const query = new URLSearchParams(location.search)
  const page = Number(query.get('page') ?? 1)
  return {
    search: query.get('search') ?? '',
    status: STATUSES.find(one => one === query.get('status')) ?? 'all',
    offset: Number.isInteger(page) && page > 0 ? (page - 1) * PAGE : 0,
  }
}

export class Keys {
  readonly element: HTMLElement
  readonly #table: KeysTable
  readonly #count = h('p', { class: 'hint', role: 'status' })
  readonly #complaint = h('p', { class: 'complaint', role: 'alert' })
  readonly #pages = h('nav', { class: 'row', 'aria-label': t.pages, hidden: true })
  readonly #search = h('input', { id: 'search', type: 'search', dir: 'auto', maxlength: 200, autocomplete: 'off' })
  readonly #status = h(
    'select',
    { id: 'status' },
    STATUSES.map(one => h('option', { value: one }, t.statuses[one])),
  )
  #place = readPlace()
  #typing = 0
  /** Counts questions, so that an older answer is dropped. */
  #turn = 0

  constructor(
    /** Asks the page for all figures again. */
    private readonly refresh: () => void,
  ) {
    this.#table = new KeysTable(refresh)
    this.#search.addEventListener('input', () => {
      clearTimeout(this.#typing)
      this.#typing = window.setTimeout(() => this.#go({ ...this.#place, search: this.#search.value, offset: 0 }, false), TYPED_MS)
    })
    this.#status.addEventListener('change', () => {
      this.#go({ ...this.#place, status: this.#status.value as Place['status'], offset: 0 }, true)
    })
    const create = h(
      'button',
      { type: 'button', class: 'button button-strong', id: 'create', onclick: () => openCreate(refresh) },
      t.create,
    )
    this.element = h(
      'section',
      { class: 'keys' },
      h('div', { class: 'keys-head' }, h('h2', {}, t.keys), this.#count, create),
      h(
        'div',
        { class: 'row' },
        h('div', { class: 'field grow' }, h('label', { for: 'search' }, t.search), this.#search),
        h('div', { class: 'field' }, h('label', { for: 'status' }, t.status), this.#status),
      ),
      this.#complaint,
      this.#table.element,
      this.#pages,
    )
    this.#table.element.hidden = true
    this.#fillForm()
    window.addEventListener('popstate', () => {
      this.#place = readPlace()
      this.#fillForm()
      this.refresh()
    })
  }

  #fillForm(): void {
    this.#search.value = this.#place.search
    this.#status.value = this.#place.status
  }

  #go(place: Place, isStep: boolean): void {
    this.#place = place
    const query = new URLSearchParams(location.search)
    const set = (name: string, value: string, none: string) => {
      if (value === none) query.delete(name)
      else query.set(name, value)
    }
    set('search', place.search, '')
    set('status', place.status, 'all')
    set('page', String(place.offset / PAGE + 1), '1')
    const text = query.toString()
    const address = text === '' ? '/' : `/?${text}`
    if (isStep) history.pushState(null, '', address)
    else history.replaceState(history.state, '', address)
    this.refresh()
  }

  /** Asks for the page of keys; undefined if another question came meanwhile. */
  async load(): Promise<Answer<ListedKey[]> | undefined> {
    const turn = ++this.#turn
    const { search, status, offset } = this.#place
    const query = new URLSearchParams({ limit: String(PAGE), offset: String(offset) })
    if (search !== '') query.set('search', search)
    if (status !== 'all') query.set('status', status)
    const answer = await ask<ListedKey[]>(`/keys?${query}`)
    if (turn !== this.#turn) return undefined
    if (answer.kind === 'ok') this.#show(answer.data, answer.total)
    else if (answer.kind === 'refused') {
      replace(this.#complaint, h('bdi', { lang: 'en' }, answer.message))
      this.#table.element.hidden = true
    }
    return answer
  }

  #show(keys: ListedKey[], total: number): void {
    const { search, status, offset } = this.#place
    // the last page may have vanished
    if (keys.length === 0 && offset > 0) return this.#go({ ...this.#place, offset: 0 }, false)
    replace(this.#complaint)
    this.#table.show(keys)
    const isFiltered = search !== '' || status !== 'all'
    const isPaged = total > PAGE
    const text = isPaged
      ? fillText(t.keysShown, { from: figure(offset + 1), to: figure(offset + keys.length), total: figure(total) })
      : t.keysTotal(total)
    const told = total > 0 ? text : isFiltered ? t.keysNone : t.keysEmpty
    if (this.#count.textContent !== told) replace(this.#count, told)
    this.#showPages(total)
  }

  #showPages(total: number): void {
    const { offset } = this.#place
    this.#pages.hidden = total <= PAGE
    const step = (label: string, to: number, isAt: boolean) =>
      h(
        'button',
        {
          type: 'button',
          class: 'button',
          disabled: isAt,
          onclick: () => {
            this.#go({ ...this.#place, offset: to }, true)
            this.element.scrollIntoView({ block: 'start' })
            announce(label)
          },
        },
        label,
      )
    const key = `${offset} ${total}`
    if (this.#pages.dataset.shown === key) return
    this.#pages.dataset.shown = key
    replace(
      this.#pages,
      step(t.newer, Math.max(0, offset - PAGE), offset === 0),
      step(t.older, offset + PAGE, offset + PAGE >= total),
    )
  }
}
