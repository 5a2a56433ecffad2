/** A list of codes that comes in pages: what stands below a code, or its lines. */
import { ask, type Code } from '../api.js'
import { h, replace } from '../dom.js'
import { LIST_PAGE, listPath } from '../first-paths.js'
import { t } from '../language.js'
import { codeRow } from '../parts.js'
import { Slot, skeleton } from '../slot.js'
import { button } from '../states.js'

/** For print; no chapter has more lines. */
const ALL_MAX = 2000

export class PagedCodes {
  readonly element = h('div', { class: 'paged' })
  readonly #list = h('ul', { class: 'codes' })
  readonly #more = h('div', { class: 'more' })
  readonly #slot = new Slot(this.element)
  readonly #moreSlot = new Slot(this.#more)
  readonly #path: string
  readonly #first: number
  readonly #onFirst: (list: readonly Code[], total: number) => void
  #count = 0
  #total = 0

  constructor(path: string, first: number, onFirst: (list: readonly Code[], total: number) => void = () => {}) {
    this.#path = path
    this.#first = first
    this.#onFirst = onFirst
  }

  leave(): void {
    this.#slot.stop()
    this.#moreSlot.stop()
  }

  #at(offset: number, limit: number): string {
    return listPath(this.#path, limit, offset)
  }

  load(): void {
    this.#slot.load<Code[]>({
      ask: signal => ask(this.#at(0, this.#first), { signal }),
      waiting: () => skeleton(3),
      show: (list, { meta }) => {
        replace(this.element, this.#list, this.#more)
        this.#total = meta.total
        this.#add(list)
        this.#onFirst(list, meta.total)
      },
    })
  }

  #add(list: readonly Code[]): void {
    this.#count += list.length
    this.#list.append(...list.map(codeRow))
    replace(
      this.#more,
      this.#total > this.#first && h('p', { class: 'hint' }, t.shownOf(this.#count, this.#total)),
      this.#count < this.#total && button(t.more, () => this.#next()),
    )
  }

  #next(): void {
    this.#moreSlot.load<Code[]>({
      ask: signal => ask(this.#at(this.#count, LIST_PAGE), { signal }),
      show: list => this.#add(list),
    })
  }

  /** Everything, for print. Stops at the first answer that is none. */
  async all(): Promise<void> {
    while (this.#count < Math.min(this.#total, ALL_MAX)) {
      const answer = await ask<Code[]>(this.#at(this.#count, LIST_PAGE))
      if (answer.kind !== 'ok' || answer.data.length === 0) return
      this.#add(answer.data)
    }
  }
}
