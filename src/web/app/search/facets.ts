/** Chips above the results, with counts over all of them: one tap narrows the search down, one more takes that back. */
import type { Facets } from '../../../answers/shapes.js'
import { type Route, toSearch } from '../data/address.js'
import { ask, isAbort, recall, type Step } from '../data/api.js'
import { pause } from '../data/pace.js'
import { query } from '../data/query.js'
import { h, icon, replace } from '../dom/dom.js'
import { code } from '../dom/parts.js'
import { figure, ours, t, type Words } from '../shared/language.js'

type SearchRoute = Extract<Route, { page: 'search' }>

/** After the results are shown: counting never delays a letter. */
const PAUSE_MS = 350
const CHAPTERS_MAX = 5
const RATES_MAX = 6
/** With more digits a filter finds more than its count says: padded lines are found only by it. */
const COUNTED_DIGITS_MAX = 6

export const facetsPath = ({ q, within, level, rate }: SearchRoute) =>
  query('search', { q, within, level, rate, limit: 1, facets: 'chapter,level,rate', fields: 'hs_code' })

export const percent = (rate: number) => h('bdi', { dir: 'ltr' }, `${figure(rate)} %`)

function chip(address: string, label: Node[], count: number | null, isOn: boolean): HTMLElement {
  return h(
    'a',
    { class: 'chip', href: address, 'aria-current': isOn ? 'true' : null },
    label,
    count !== null && h('small', {}, figure(count)),
    isOn && [icon('close'), h('span', { class: 'unseen' }, t.dropFilter)],
  )
}

const label = (digits: string, words: Words | undefined) => [code(digits), h('span', {}, words ? ours(words) : '')]

export class FacetChips {
  readonly element = h('nav', { class: 'narrow', 'aria-label': t.filters })
  readonly #counted: (levels: ReadonlyMap<string, number>) => void
  #best: readonly string[] = []
  #timer = 0
  #fitting = 0
  #asking: AbortController | null = null

  /** `counted` is told how many results each level has; none while that is not known. */
  constructor(counted: (levels: ReadonlyMap<string, number>) => void) {
    this.#counted = counted
  }

  stop(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#fitting)
    this.#asking?.abort()
  }

  /** `best`: the chapters of the first results, which come first here, too. */
  show(route: SearchRoute, total: number, best: readonly Step[]): void {
    this.stop()
    this.#best = best.map(({ hs_code }) => hs_code)
    const path = facetsPath(route)
    const known = recall<unknown>(path)
    if (known?.kind === 'ok' && known.facets !== undefined) return this.#draw(route, known.facets, total)
    const { q, level, rate } = route
    const isChoice = route.within === '' && best.length > 1
    replace(
      this.element,
      isChoice &&
        best
          .slice(0, CHAPTERS_MAX)
          .map(({ hs_code, description }) => chip(toSearch(q, hs_code, level, rate), label(hs_code, description), null, false)),
    )
    // measuring lays the page out, which a letter would wait for
    this.#fitting = window.setTimeout(() => this.#fit())
    this.#counted(new Map())
    // where requests are few, they are for results
    if (pause(true) === 0) this.#timer = window.setTimeout(() => void this.#load(path, route, total), PAUSE_MS)
  }

  async #load(path: string, route: SearchRoute, total: number): Promise<void> {
    const controller = new AbortController()
    this.#asking = controller
    try {
      const answer = await ask<unknown>(path, { signal: controller.signal })
      if (controller === this.#asking && answer.kind === 'ok' && answer.facets !== undefined)
        this.#draw(route, answer.facets, total)
    } catch (error) {
      if (!isAbort(error)) throw error
    }
  }

  #draw(route: SearchRoute, facets: Partial<Facets>, total: number): void {
    const { level: levels = [] } = facets
    const isCounted = (level: number) => level <= COUNTED_DIGITS_MAX || String(level) === route.level
    this.#counted(new Map(levels.filter(({ level }) => isCounted(level)).map(({ level, count }) => [String(level), count])))
    const hadFocus = this.element.contains(document.activeElement)
    replace(this.element, this.#chapters(route, facets, total), this.#rates(route, facets))
    if (hadFocus) this.element.querySelector('a')?.focus()
    this.#fit()
  }

  #chapters({ q, within, level, rate }: SearchRoute, { chapter: chapters = [] }: Partial<Facets>, total: number): HTMLElement[] {
    if (within !== '') {
      const words = chapters.find(({ hs_code }) => hs_code === within)?.description
      return [chip(toSearch(q, '', level, rate), label(within, words), total, true)]
    }
    if (chapters.length < 2) return []
    const placeOf = (hsCode: string) => (this.#best.includes(hsCode) ? this.#best.indexOf(hsCode) : this.#best.length)
    return [...chapters]
      .sort((a, b) => placeOf(a.hs_code) - placeOf(b.hs_code) || b.count - a.count)
      .slice(0, CHAPTERS_MAX)
      .map(({ hs_code, description, count }) =>
        chip(toSearch(q, hs_code, level, rate), label(hs_code, description), count, false),
      )
  }

  #rates({ q, within, level, rate }: SearchRoute, { rate: rates = [] }: Partial<Facets>): HTMLElement[] {
    if (rate !== '') {
      const [found] = rates
      return [chip(toSearch(q, within, level), [h('span', {}, t.dutyOf, ' ', percent(Number(rate)))], found?.count ?? 0, true)]
    }
    if (rates.length < 2) return []
    return [...rates]
      .sort((a, b) => b.count - a.count)
      .slice(0, RATES_MAX)
      .sort((a, b) => a.rate - b.rate)
      .map(one =>
        chip(toSearch(q, within, level, String(one.rate)), [h('span', {}, t.dutyOf, ' ', percent(one.rate))], one.count, false),
      )
  }

  /** One line: what does not fit is left to the list of chapters. On a phone the line scrolls by itself. */
  #fit(): void {
    const chips = [...this.element.querySelectorAll<HTMLElement>('.chip')]
    const top = chips[0]?.offsetTop ?? 0
    const isBroken = () => chips.some(one => one.isConnected && one.offsetTop > top)
    const isChapter = (one: HTMLElement) => one.firstElementChild?.classList.contains('code') ?? false
    // rates are short and stand nowhere else
    for (const one of [...chips.filter(isChapter).reverse(), ...chips.filter(one => !isChapter(one)).reverse()]) {
      if (!isBroken()) return
      if (one.getAttribute('aria-current') === null) one.remove()
    }
  }
}
