/** One branch of the tree. What is below it is asked for when it is first opened. */
import { toCode } from '../data/address.js'
import type { Answer } from '../data/answer.js'
import { ask, type Code } from '../data/api.js'
import { longestLine } from '../data/facts.js'
import { childrenPath } from '../data/first-paths.js'
import { fillText, h, icon, replace } from '../dom/dom.js'
import { badge, code, ourWords } from '../dom/parts.js'
import { Slot, skeleton } from '../dom/slot.js'
import { ours, t, type Words } from '../shared/language.js'

export interface TreeHost {
  note: (node: TreeNode) => void
  open: (code: string) => void
}

const nodes = new WeakMap<Element, TreeNode>()
export const nodeOf = (element: Element | null) => (element ? nodes.get(element) : undefined)

export class TreeNode {
  readonly element: HTMLElement
  readonly row: HTMLElement
  readonly id: string
  readonly isSection: boolean
  readonly isLeaf: boolean
  readonly level: number
  children: TreeNode[] = []
  readonly #host: TreeHost
  readonly #words: Words
  readonly #group = h('ul', { role: 'group' })
  readonly #slot: Slot
  /** For loading and for what went wrong: a group may hold nothing but items. */
  readonly #place = h('div', { class: 'tree-wait' })
  #isFilled = false

  constructor(id: string, words: Words, level: number, host: TreeHost, rate: HTMLElement | null = null, isSection = false) {
    this.id = id
    this.isSection = isSection
    this.isLeaf = !isSection && id.length >= longestLine()
    this.level = level
    this.#host = host
    this.#words = words
    this.#slot = new Slot(this.#place)
    this.row = h(
      'div',
      {
        role: 'treeitem',
        class: 'tree-row',
        tabindex: -1,
        'aria-level': level,
        'aria-expanded': this.isLeaf ? null : 'false',
      },
      h('span', { class: 'twist' }, !this.isLeaf && icon('chevron')),
      isSection
        ? h('span', { class: 'tree-section' }, h('span', { class: 'unseen' }, fillText(t.section, { number: '' })), id)
        : code(id),
      h('span', { class: 'tree-words' }, ' ', ourWords(words)),
      rate,
      !isSection && this.#link(),
    )
    // the branch is beside its row: inside, screen readers would read all of it as the row's name
    this.element = h('li', { role: 'none', 'data-level': level }, this.row)
    nodes.set(this.row, this)
    this.row.addEventListener('click', event => this.#click(event))
  }

  static section(id: string, words: Words, children: TreeNode[], host: TreeHost): TreeNode {
    const made = new TreeNode(id, words, 1, host, null, true)
    made.#take(children)
    return made
  }

  /** For the mouse and the finger; the keyboard has Enter. */
  #link(): HTMLElement {
    const label = fillText(t.openRecord, { code: this.id })
    return h('a', { class: 'tree-open', href: toCode(this.id), tabindex: -1, 'aria-label': label, title: label }, icon('go'))
  }

  get isOpen(): boolean {
    return this.row.getAttribute('aria-expanded') === 'true'
  }

  #take(children: TreeNode[]): void {
    this.children = children
    this.#isFilled = true
    replace(
      this.#group,
      children.map(({ element }) => element),
    )
  }

  #click(event: Event): void {
    if ((event.target as Element).closest('a')) return
    this.focus(false)
    if (this.isLeaf) this.#host.open(this.id)
    else this.toggle()
  }

  toggle(): void {
    if (this.isOpen) this.close()
    else void this.open()
    this.#host.note(this)
  }

  close(): void {
    this.#slot.stop()
    this.row.setAttribute('aria-expanded', 'false')
    this.#group.remove()
    this.#place.remove()
  }

  /** Resolves when what is below is there, however long that takes. */
  open(): Promise<void> {
    if (this.isLeaf) return Promise.resolve()
    this.row.setAttribute('aria-expanded', 'true')
    if (this.#isFilled) {
      this.element.append(this.#group)
      return Promise.resolve()
    }
    replace(this.#place)
    this.element.append(this.#place)
    return new Promise(resolve => {
      this.#slot.load<Code[]>({
        ask: signal => this.#ask(signal),
        waiting: () => skeleton(2),
        show: list => {
          this.#take(list.map(one => this.#child(one)))
          this.#place.remove()
          this.element.append(this.#group)
          resolve()
        },
      })
    })
  }

  #child({ hs_code, description, tariff_rate, rate }: Code): TreeNode {
    return new TreeNode(hs_code, description, this.level + 1, this.#host, badge(tariff_rate, rate))
  }

  /** All children; a single one that only repeats these words is passed over, as padded codes are. */
  async #ask(signal: AbortSignal, id = this.id): Promise<Answer<Code[]>> {
    const all: Code[] = []
    for (;;) {
      const answer = await ask<Code[]>(childrenPath(id, all.length), { signal })
      if (answer.kind !== 'ok') return answer
      all.push(...answer.data)
      if (all.length < answer.meta.total && answer.data.length > 0) continue
      const [only] = all
      const isRepeated = all.length === 1 && only !== undefined && ours(only.description) === ours(this.#words)
      if (isRepeated && only.hs_code.length < longestLine()) return this.#ask(signal, only.hs_code)
      return { ...answer, data: all }
    }
  }

  setTabStop(isStop: boolean): void {
    this.row.tabIndex = isStop ? 0 : -1
  }

  focus(intoView: boolean): void {
    const tree = this.row.closest('[role=tree]')
    for (const one of tree?.querySelectorAll<HTMLElement>('[tabindex="0"]') ?? []) one.tabIndex = -1
    this.setTabStop(true)
    this.row.focus({ preventScroll: true })
    this.row.scrollIntoView({ block: intoView ? 'center' : 'nearest' })
  }
}
