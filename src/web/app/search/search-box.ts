/**
 * The one box: a combobox after the ARIA pattern. Suggestions follow every letter, in a row above the results. The row stays when the
 * focus leaves the box: closing it would move the results away under the pointer.
 */

import { codeTyped, isWholeCode } from '../../../codes/in-text.js'
import { type Route, toCode, toSearch } from '../data/address.js'
import { ask, isAbort, recall, type Suggestion } from '../data/api.js'
import { pause } from '../data/pace.js'
import { query } from '../data/query.js'
import { announce, h, markedPieces, replace } from '../dom/dom.js'
import { code } from '../dom/parts.js'
import { t } from '../shared/language.js'
import { Marker } from '../text/mark.js'

const SHOWN_MAX = 7
const TYPED_MAX = 60
/** Shorter text has no results. */
const RESULTS_FROM_CHARS = 2

type Filters = Pick<Extract<Route, { page: 'search' }>, 'within' | 'level' | 'rate'>
export const NO_FILTERS: Filters = { within: '', level: '', rate: '' }

export interface Host {
  type: (q: string) => void
  go: (address: string) => void
  route: () => Route | undefined
  toResults: () => void
}

export class SearchBox {
  readonly #input: HTMLInputElement
  readonly #list: HTMLElement
  readonly #clear: HTMLElement
  readonly #host: Host
  #options: Suggestion[] = []
  #active = -1
  /** What was typed, while the box shows an option. */
  #typed = ''
  #asking: AbortController | null = null
  #timer = 0

  constructor(input: HTMLInputElement, host: Host) {
    this.#input = input
    this.#host = host
    this.#list = document.getElementById('suggestions') as HTMLElement
    this.#clear = document.getElementById('clear') as HTMLElement
    input.addEventListener('input', () => this.#changed())
    input.addEventListener('keydown', event => this.#key(event))
    input.form?.addEventListener('submit', event => {
      event.preventDefault()
      this.#enter()
    })
    // the box keeps the focus, so that the arrow keys go on working
    this.#list.addEventListener('mousedown', event => event.preventDefault())
    this.#list.addEventListener('click', event => {
      const option = (event.target as Element).closest('[role=option]')
      if (option) this.#choose(Number(option.getAttribute('data-at')))
    })
    this.#clear.addEventListener('click', () => {
      this.set('')
      this.#changed()
      input.focus()
    })
  }

  address({ within, level, rate }: Filters, q: string): string {
    return q.trim() === '' ? toSearch(q) : toSearch(q, within, level, rate)
  }

  hasFocus(): boolean {
    return document.activeElement === this.#input
  }

  isEmpty(): boolean {
    return this.#input.value === ''
  }

  /** `text` is put there without being searched for yet. */
  focus(text = ''): void {
    if (text !== '') this.set(text)
    this.#input.focus()
    this.#input.select()
  }

  /** From the address: nothing is suggested for that. */
  set(q: string): void {
    if (document.activeElement !== this.#input || q.trim() !== this.#input.value.trim()) {
      this.#input.value = q
      this.#close()
    }
    this.#typed = this.#input.value
    this.#clear.hidden = q === ''
  }

  #changed(): void {
    const q = this.#input.value
    this.#typed = q
    this.#clear.hidden = q === ''
    this.#host.type(q)
    this.#suggest(q)
  }

  #suggest(q: string): void {
    this.#asking?.abort()
    clearTimeout(this.#timer)
    const wanted = q.trim()
    if (wanted === '' || wanted.length > TYPED_MAX || codeTyped(wanted) !== '') return this.#close()
    const path = query('suggest', { q: wanted, limit: SHOWN_MAX })
    const wait = recall(path) === undefined ? pause(false) : 0
    // where requests are few, results need no suggestions beside them
    if (wait === null || (wait > 0 && [...wanted].length >= RESULTS_FROM_CHARS)) return this.#close()
    if (wait > 0) this.#timer = window.setTimeout(() => this.#fetch(path, wanted), wait)
    else void this.#fetch(path, wanted)
  }

  async #fetch(path: string, wanted: string): Promise<void> {
    const controller = new AbortController()
    this.#asking = controller
    try {
      const answer = await ask<Suggestion[]>(path, { signal: controller.signal })
      // an older answer may come late although it was called off
      if (controller !== this.#asking || this.#input.value.trim() !== wanted) return
      if (document.activeElement !== this.#input) return
      if (answer.kind === 'ok') this.#open(answer.data, wanted)
      else this.#close()
    } catch (error) {
      if (!isAbort(error)) throw error
    }
  }

  #open(options: Suggestion[], wanted: string): void {
    this.#options = options
    this.#active = -1
    if (options.length === 0) return this.#close()
    const marker = new Marker(wanted)
    replace(
      this.#list,
      options.map(({ text, lang, hs_code }, at) =>
        h(
          'li',
          { role: 'option', id: `option-${at}`, 'data-at': at, 'aria-selected': 'false' },
          h('span', { class: 'said', lang, dir: 'auto' }, markedPieces(marker.pieces(text))),
          ' ',
          h('span', { class: 'home' }, code(hs_code)),
        ),
      ),
    )
    this.#list.hidden = false
    this.#input.setAttribute('aria-expanded', 'true')
    this.#input.removeAttribute('aria-activedescendant')
    announce(t.suggestionCount(options.length))
  }

  #close(): void {
    this.#asking?.abort()
    this.#asking = null
    clearTimeout(this.#timer)
    this.#active = -1
    if (this.#list.hidden) return
    this.#list.hidden = true
    this.#input.setAttribute('aria-expanded', 'false')
    this.#input.removeAttribute('aria-activedescendant')
  }

  #move(by: number): void {
    const count = this.#options.length + 1
    // one more place than options: what was typed stands between the last and the first
    this.#active = ((this.#active + 1 + by + count) % count) - 1
    for (const [at, option] of [...this.#list.children].entries()) {
      option.setAttribute('aria-selected', String(at === this.#active))
    }
    const active = this.#options[this.#active]
    this.#input.value = active?.text ?? this.#typed
    if (active) {
      this.#input.setAttribute('aria-activedescendant', `option-${this.#active}`)
      this.#list.children[this.#active]?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    } else this.#input.removeAttribute('aria-activedescendant')
  }

  #key(event: KeyboardEvent): void {
    if (event.isComposing) return
    const isOpen = !this.#list.hidden
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (isOpen) this.#move(event.key === 'ArrowDown' ? 1 : -1)
      else if (event.key === 'ArrowDown') this.#host.toResults()
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      this.#input.value = this.#typed
      this.#close()
    } else if (event.key === 'Escape' && this.#input.value !== '') {
      event.preventDefault()
      this.#input.value = ''
      this.#changed()
    }
  }

  #choose(at: number): void {
    const option = this.#options[at]
    if (!option) return
    this.#input.value = option.text
    this.#typed = option.text
    this.#enter()
  }

  /** A whole code leads to its record, or to what became of it; anything else to its results. */
  #enter(): void {
    const q = this.#input.value.trim()
    this.#typed = this.#input.value
    this.#close()
    if (q === '') return
    const route = this.#host.route()
    const filters = route?.page === 'search' ? route : NO_FILTERS
    const digits = codeTyped(q)
    if (isWholeCode(digits)) return this.#host.go(toCode(digits))
    this.#host.go(toSearch(q, filters.within, filters.level, filters.rate))
  }
}
