/** By level and by chapter; the address has both. */

import { facts, sections } from '../data/facts.js'
import { type Child, h, replace } from '../dom/dom.js'
import { levelName } from '../dom/parts.js'
import { figure, ours, t } from '../shared/language.js'

type Changed = (within: string, level: string) => void

export class Filters {
  readonly element: HTMLElement
  readonly #levels = h('div', { class: 'segments joined' })
  readonly #chapter = h('select', { id: 'chapter', 'aria-label': t.chapterLabel })
  readonly #changed: Changed
  #within = ''
  #level = ''
  #counts: ReadonlyMap<string, number> = new Map()
  #isFilled = false

  constructor(changed: Changed) {
    this.#changed = changed
    this.#chapter.addEventListener('change', () => changed(this.#chapter.value, this.#level))
    this.element = h(
      'div',
      { class: 'filters', role: 'group', 'aria-label': t.filters },
      h('fieldset', {}, h('legend', {}, t.levelLabel), this.#levels),
      this.#chapter,
    )
  }

  set(within: string, level: string): void {
    this.#within = within
    this.#level = level
    if (!this.#isFilled) {
      this.#isFilled = true
      this.#drawLevels([2, 4, 6, 8, 12])
      void facts().then(({ levels }) => this.#drawLevels(levels))
      this.#drawChapters([])
      void sections().then(list =>
        this.#drawChapters(
          list.map(({ title, chapters }) =>
            h(
              'optgroup',
              { label: ours(title) },
              chapters.map(({ hs_code, description }) => h('option', { value: hs_code }, `${hs_code} ${ours(description)}`)),
            ),
          ),
        ),
      )
    }
    this.#mark()
  }

  #drawLevels(levels: readonly number[]): void {
    const choice = (value: string, text: Child, title: string) => {
      const input = h('input', {
        type: 'radio',
        name: 'level',
        value,
        onchange: () => this.#changed(this.#within, value),
      })
      return h('label', { title }, input, h('span', {}, text, h('small', { 'data-of': value })))
    }
    replace(
      this.#levels,
      choice('', t.levelAll, t.levelAll),
      levels.map(level => choice(String(level), String(level), levelName(level))),
    )
    this.setCounts(this.#counts)
    this.#mark()
  }

  /** How many results each level has; '' is all of them. */
  setCounts(counts: ReadonlyMap<string, number>): void {
    this.#counts = counts
    for (const place of this.#levels.querySelectorAll<HTMLElement>('small')) {
      const count = counts.get(place.dataset.of ?? '')
      place.textContent = count === undefined ? '' : figure(count)
    }
  }

  #drawChapters(groups: Child): void {
    replace(this.#chapter, h('option', { value: '' }, t.chapterAll), groups)
    this.#mark()
  }

  #mark(): void {
    for (const input of this.#levels.querySelectorAll('input')) input.checked = input.value === this.#level
    const options = [...this.#chapter.options]
    if (this.#within !== '' && !options.some(({ value }) => value === this.#within)) {
      this.#chapter.append(h('option', { value: this.#within }, t.onlyIn(this.#within)))
    }
    this.#chapter.value = this.#within
    this.#chapter.classList.toggle('set', this.#within !== '')
  }
}
