/** Amounts of an estimate: rounded as the currency is, exact on demand. */

import { type Child, h } from '../dom/dom.js'
import { button } from '../dom/states.js'
import { t } from '../shared/language.js'
import { grouped, rounded } from '../text/amounts.js'

/** Rounded amounts hide digits that someone may need; the choice stays for the next code. */
let isExact = false

interface Figure {
  exact: string
  rounded: string
}

export class Figures {
  readonly #shown = new Map<HTMLElement, Figure>()
  readonly #currency: string
  readonly #places: number

  constructor(currency: string, places: number) {
    this.#currency = currency
    this.#places = places
  }

  /** `sum` is the total of rounded amounts, where that is what the rounded form shows. */
  amount(exact: string, sum = exact): HTMLElement {
    const element = h('span')
    this.#shown.set(element, { exact, rounded: rounded(sum, this.#places) })
    return h('bdi', { dir: 'ltr' }, element, h('small', {}, this.#currency))
  }

  /** Writes the amounts, and offers their exact form where rounding took something away. */
  exactSwitch(): Child {
    const isRounded = [...this.#shown.values()].some(figure => this.#hasMore(figure))
    const pressed = button(t.calcExact, () => {
      isExact = !isExact
      write()
    })
    const write = () => {
      pressed.setAttribute('aria-pressed', String(isExact))
      for (const [element, figure] of this.#shown)
        element.textContent = grouped(isExact && this.#hasMore(figure) ? figure.exact : figure.rounded)
    }
    write()
    return isRounded && h('div', { class: 'ways' }, pressed)
  }

  #hasMore(figure: Figure): boolean {
    return (figure.exact.split('.')[1]?.length ?? 0) > this.#places || rounded(figure.exact, this.#places) !== figure.rounded
  }
}
