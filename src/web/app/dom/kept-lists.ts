/** On the start page: starred codes, and those opened last. */
import { toCode } from '../data/address.js'
import { compared, KEPT_CHANGED, type KeptCode, recent, starred } from '../data/kept-codes.js'
import { t } from '../shared/language.js'
import { type Child, h, replace } from './dom.js'
import { pickButton, watchPicks } from './keep-buttons.js'
import { code, ourWords } from './parts.js'

function group(name: string, title: string, list: Child, clear: () => void): HTMLElement {
  return h(
    'section',
    { class: `kept kept-${name}`, 'aria-labelledby': `kept-${name}` },
    h(
      'div',
      { class: 'kept-head' },
      h('h2', { id: `kept-${name}` }, title),
      h('button', { type: 'button', class: 'quiet', onclick: clear }, t.clearList, h('span', { class: 'unseen' }, ` (${title})`)),
    ),
    list,
  )
}

const chips = (list: readonly KeptCode[]) =>
  h(
    'ul',
    { class: 'kept-chips' },
    list.map(({ hs_code, description }) =>
      h('li', {}, h('a', { class: 'chip', href: toCode(hs_code) }, code(hs_code), ' ', ourWords(description))),
    ),
  )

function rows(list: readonly KeptCode[]): HTMLElement {
  const on = new Set(compared.all().map(({ hs_code }) => hs_code))
  const element = h(
    'ul',
    { class: 'codes' },
    list.map(({ hs_code, description }) =>
      h('li', {}, h('a', { href: toCode(hs_code) }, code(hs_code), ourWords(description)), pickButton(hs_code, on.has(hs_code))),
    ),
  )
  watchPicks(element, hsCode => list.find(({ hs_code }) => hs_code === hsCode))
  return element
}

export class KeptLists {
  readonly element = h('div', { class: 'kept-lists' })
  #shown = ''

  readonly #changed = () => this.draw()

  start(): void {
    this.#shown = ''
    this.draw()
    window.addEventListener(KEPT_CHANGED, this.#changed)
  }

  leave(): void {
    window.removeEventListener(KEPT_CHANGED, this.#changed)
  }

  draw(): void {
    const stars = starred.all()
    const last = recent.all().filter(({ hs_code }) => !stars.some(star => star.hs_code === hs_code))
    // choosing one for the comparison changes nothing here
    const shown = JSON.stringify([stars, last])
    if (shown === this.#shown) return
    this.#shown = shown
    replace(
      this.element,
      stars.length > 0 && group('starred', t.starredTitle, rows(stars), () => starred.clear()),
      last.length > 0 && group('recent', t.recentTitle, chips(last), () => recent.clear()),
      (stars.length > 0 || last.length > 0) && h('p', { class: 'hint' }, t.keptHere),
    )
  }
}
