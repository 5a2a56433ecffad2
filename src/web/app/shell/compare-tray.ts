/** What was chosen to be compared, at the foot of the window on every page but the comparison itself. */
import { toCompare } from '../data/address.js'
import { compared, KEPT_CHANGED } from '../data/kept-codes.js'
import { announce, fillText, h, icon, replace } from '../dom/dom.js'
import { markPicks } from '../dom/keep-buttons.js'
import { code } from '../dom/parts.js'
import { t } from '../shared/language.js'

export class CompareTray {
  readonly element = h('aside', { class: 'tray', 'aria-label': t.compareTitle, hidden: true })
  #isWanted = true

  constructor() {
    window.addEventListener(KEPT_CHANGED, () => this.#draw())
    // another tab may have changed it
    window.addEventListener('storage', () => this.#draw())
  }

  show(isWanted: boolean): void {
    this.#isWanted = isWanted
    this.#draw()
  }

  #draw(): void {
    const list = this.#isWanted ? compared.all() : []
    const wasFocused = this.element.contains(document.activeElement)
    this.element.hidden = list.length === 0
    document.documentElement.toggleAttribute('data-tray', list.length > 0)
    markPicks()
    const codes = list.map(({ hs_code }) => hs_code)
    replace(
      this.element,
      h(
        'ul',
        {},
        codes.map(one =>
          h(
            'li',
            { class: 'chip' },
            code(one),
            h(
              'button',
              {
                type: 'button',
                class: 'chip-close',
                'aria-label': fillText(t.compareRemove, { code: one }),
                onclick: () => compared.remove(one),
              },
              icon('close'),
            ),
          ),
        ),
      ),
      codes.length < 2
        ? h('span', { class: 'hint' }, t.compareOneMore)
        : h('a', { class: 'button button-strong', href: toCompare(codes) }, t.compareGo(codes.length)),
      h(
        'button',
        {
          type: 'button',
          class: 'quiet',
          onclick: () => {
            compared.clear()
            announce(t.compareCleared)
          },
        },
        t.clearList,
      ),
    )
    if (wasFocused) this.element.querySelector<HTMLElement>('a, button')?.focus()
  }
}
