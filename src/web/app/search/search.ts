/** Results of a search, and the start page where nothing is searched for yet. */

import { codeTyped, isWholeCode } from '../../../codes/in-text.js'
import { SUBHEADING_DIGITS } from '../../../codes/levels.js'
import { type Route, toBrowse, toClassify, toSearch } from '../data/address.js'
import type { Meta } from '../data/answer.js'
import { ask, type Code, recall, type Section } from '../data/api.js'
import { compared } from '../data/kept-codes.js'
import { pause } from '../data/pace.js'
import { isPadded } from '../data/padded.js'
import { announce, fill, h, isolated, replace } from '../dom/dom.js'
import { watchPicks } from '../dom/keep-buttons.js'
import { KeptLists } from '../dom/kept-lists.js'
import { ourWords } from '../dom/parts.js'
import { waitForQuota } from '../dom/quota.js'
import { Slot, skeleton } from '../dom/slot.js'
import { button, missingCode, notice, searchPath } from '../dom/states.js'
import { t } from '../shared/language.js'
import type { Page, View } from '../shared/page.js'
import { Marker } from '../text/mark.js'
import { FacetChips } from './facets.js'
import { Filters } from './filters.js'
import { chaptersOf, moveAmong, type Result, result } from './result.js'

type SearchRoute = Extract<Route, { page: 'search' }>

export const SEARCH_PAGE = 20
/** On scrolling; beyond that by button, so that the end of the page can be reached. */
const BY_ITSELF_MAX = 100
/** Fewer are words to search for; so many may be a product's title. */
const TITLE_WORDS_MIN = 4

const isTitle = (q: string) => q.split(/\s+/).length >= TITLE_WORDS_MIN

export function searchView(page: Page, first: SearchRoute): View {
  const start = new Start(page.main)
  const results = new Results(page)
  const view: View = { title: '' }

  const show = (route: SearchRoute, isTyped: boolean): void => {
    const isStart = route.q.trim() === ''
    view.title = isStart ? '' : route.q.trim()
    if (isStart) {
      results.leave()
      start.show()
    } else {
      start.leave()
      results.show(route, isTyped)
    }
  }
  view.update = (route, isTyped = false) => {
    if (route.page !== 'search') return false
    show(route, isTyped)
    page.setTitle(view.title)
    return true
  }
  view.leave = () => {
    results.leave()
    start.leave()
  }
  show(first, false)
  return view
}

/** The 21 sections: a way in for who does not know what to type. */
class Start {
  readonly #main: HTMLElement
  readonly #kept = new KeptLists()
  readonly #slot = new Slot(h('div'))
  #isShown = false

  constructor(main: HTMLElement) {
    this.#main = main
  }

  show(): void {
    if (this.#isShown) return
    this.#isShown = true
    this.#kept.start()
    replace(this.#slot.element)
    replace(this.#main, this.#kept.element, this.#slot.element)
    this.#slot.load<Section[]>({
      ask: signal => ask('chapters', { signal }),
      waiting: () => skeleton(8),
      show: list => replace(this.#slot.element, h('h2', { class: 'sections-title' }, t.sectionsTitle), this.#grid(list)),
    })
  }

  leave(): void {
    this.#isShown = false
    this.#kept.leave()
    this.#slot.stop()
  }

  #grid(list: readonly Section[]): HTMLElement {
    return h(
      'ul',
      { class: 'sections' },
      list
        .filter(({ chapters }) => chapters.length > 0)
        .map(({ section, title, chapters }) => {
          const from = chapters[0]?.hs_code ?? ''
          const to = chapters.at(-1)?.hs_code ?? ''
          return h(
            'li',
            {},
            h(
              'a',
              { href: section === null ? toBrowse(from) : toBrowse('', section) },
              h('bdi', { class: 'span', dir: 'ltr' }, from === to ? from : `${from}–${to}`),
              ourWords(title),
            ),
          )
        }),
    )
  }
}

class Results {
  readonly #page: Page
  readonly #filters: Filters
  readonly #summary = h('h1', { class: 'summary' })
  readonly #facets = new FacetChips(levels => this.#filters.setCounts(levels))
  readonly #toClassify = h('p', { class: 'to-classify' })
  readonly #list = h('ol', { class: 'results' })
  readonly #more = h('div', { class: 'more' })
  readonly #body = h(
    'div',
    { class: 'result-body' },
    this.#summary,
    this.#facets.element,
    this.#toClassify,
    this.#list,
    this.#more,
  )
  readonly #place = h('div', { class: 'result-place' })
  readonly #slot = new Slot(this.#place)
  readonly #moreSlot = new Slot(this.#more)
  readonly #watcher: IntersectionObserver
  #route: SearchRoute = { page: 'search', q: '', within: '', level: '', rate: '' }
  #shown: Code[] = []
  /** The last card, which takes padded codes in. */
  #last: { one: Code; addPadded: Result['addPadded'] } | null = null
  #total = 0
  #isShown = false
  #timer = 0
  #waiting: { stop: () => void } | null = null

  constructor(page: Page) {
    this.#page = page
    this.#filters = new Filters((within, level) => page.go(toSearch(this.#route.q, within, level, this.#route.rate)))
    this.#list.addEventListener('keydown', moveAmong)
    watchPicks(this.#list, code => this.#shown.find(({ hs_code }) => hs_code === code))
    this.#watcher = new IntersectionObserver(
      entries => {
        const mayGoOn = this.#shown.length < Math.min(this.#total, BY_ITSELF_MAX)
        if (mayGoOn && entries.some(entry => entry.isIntersecting) && pause(true) !== null) this.#loadMore()
      },
      { rootMargin: '300px' },
    )
  }

  leave(): void {
    clearTimeout(this.#timer)
    this.#waiting?.stop()
    this.#facets.stop()
    this.#slot.stop()
    this.#moreSlot.stop()
    this.#watcher.disconnect()
    this.#isShown = false
  }

  show(route: SearchRoute, isTyped: boolean): void {
    this.#route = { ...route, q: route.q.trim() }
    this.#filters.set(route.within, route.level)
    if (!this.#isShown) {
      this.#isShown = true
      replace(this.#place)
      replace(this.#page.main, this.#filters.element, this.#place)
    }
    clearTimeout(this.#timer)
    this.#waiting?.stop()
    this.#facets.stop()
    if ([...this.#route.q].length < 2) {
      this.#slot.stop()
      replace(this.#place, h('p', { class: 'hint' }, t.typeMore))
      return
    }
    const isKnown = recall(this.#path(0)) !== undefined
    const wait = isTyped && !isKnown ? pause(true) : 0
    if (wait === 0) this.#load()
    // by Enter it is asked at once: then it comes by another way than typing
    else if (wait !== null) this.#timer = window.setTimeout(() => this.#load(), wait)
    else {
      this.#slot.stop()
      this.#waiting = waitForQuota(this.#place, this.#route.q, () => this.#load())
    }
  }

  #path(offset: number): string {
    const { q, within, level, rate } = this.#route
    return searchPath(q, within, level, rate, offset, SEARCH_PAGE)
  }

  #load(): void {
    this.#watcher.disconnect()
    this.#moreSlot.stop()
    const isFirst = this.#place.querySelector('.results') === null
    this.#slot.load<Code[]>({
      ask: signal => ask(this.#path(0), { signal }),
      ...(isFirst && { waiting: () => skeleton(6) }),
      show: (list, { meta }) => this.#fill(list, meta),
      trouble: trouble => (trouble.kind === 'refused' || trouble.kind === 'missing' ? this.#empty() : undefined),
    })
  }

  /** Coming back, as many as were there before, as far as they are remembered. */
  #fill(first: Code[], { total }: Meta): void {
    this.#shown = [...first]
    this.#last = null
    this.#total = total
    if (total === 0) return this.#showNothing()
    const wanted = this.#shownBefore()
    while (this.#shown.length < Math.min(wanted, total)) {
      const next = recall<Code[]>(this.#path(this.#shown.length))
      if (next?.kind !== 'ok' || next.data.length === 0) break
      this.#shown.push(...next.data)
    }
    const { q } = this.#route
    const hadFocus = this.#list.contains(document.activeElement)
    replace(this.#summary, fill(t.resultsFor, { count: h('b', {}, t.results(total)), q: isolated(q) }))
    replace(this.#toClassify, isTitle(q) && h('a', { href: toClassify(q) }, t.classifyThis))
    replace(this.#list, this.#items(this.#shown))
    if (this.#body.parentNode !== this.#place || this.#place.childElementCount > 1) {
      replace(this.#place, this.#body)
    }
    // the result that had it is gone: an arrow pressed next must not begin at the top of the page
    if (hadFocus) this.#list.querySelector<HTMLElement>('.hit')?.focus()
    this.#facets.show(this.#route, total, chaptersOf(this.#shown))
    announce(t.results(total))
    this.#offerMore()
    // after a reload nothing is remembered
    if (this.#shown.length < Math.min(wanted, total) && pause(true) !== null) this.#loadMore(wanted)
  }

  get #isFiltered(): boolean {
    const { within, level, rate } = this.#route
    return within !== '' || level !== '' || rate !== ''
  }

  /** How many results of this very search the visitor had before going away or reloading. */
  #shownBefore(): number {
    const { shown, shownOf } = (history.state ?? {}) as { shown?: number; shownOf?: string }
    return shownOf === this.#path(0) ? (shown ?? 0) : 0
  }

  #items(list: readonly Code[]): HTMLElement[] {
    const { q } = this.#route
    const marker = new Marker(q)
    const digits = codeTyped(q)
    const items: HTMLElement[] = []
    const picked = new Set(compared.all().map(({ hs_code }) => hs_code))
    for (const one of list) {
      // codes are found in their order: a padded one follows what it repeats
      if (this.#last && isPadded(this.#last.one, one)) {
        this.#last.addPadded(one.hs_code)
        continue
      }
      const made = result(one, marker, digits, picked.has(one.hs_code))
      this.#last = { one, addPadded: made.addPadded }
      items.push(made.element)
    }
    return items
  }

  #offerMore(): void {
    const isAll = this.#shown.length >= this.#total
    replace(
      this.#more,
      this.#total > SEARCH_PAGE && h('p', { class: 'hint' }, t.shownOf(this.#shown.length, this.#total)),
      !isAll && button(t.more, () => this.#loadMore()),
    )
    this.#watcher.disconnect()
    if (!isAll) this.#watcher.observe(this.#more)
  }

  /** One page, or as many as it takes to have `wanted` again. */
  #loadMore(wanted = 0): void {
    this.#watcher.disconnect()
    const before = this.#shown.length
    this.#moreSlot.load<Code[]>({
      ask: signal => ask(this.#path(before), { signal }),
      show: list => {
        const hadFocus = this.#more.contains(document.activeElement)
        const items = this.#items(list)
        this.#shown.push(...list)
        this.#list.append(...items)
        history.replaceState({ ...history.state, shown: this.#shown.length, shownOf: this.#path(0) }, '')
        this.#offerMore()
        if (list.length > 0 && this.#shown.length < Math.min(wanted, this.#total)) this.#loadMore(wanted)
        // the button that was pressed is gone: go on at the first that came
        if (hadFocus) items[0]?.querySelector<HTMLElement>('a')?.focus()
      },
    })
  }

  /** A code that was in an earlier edition, or only nearly exists, is described as on its own page. */
  #showNothing(): void {
    replace(this.#place, this.#empty())
    const digits = codeTyped(this.#route.q)
    if (digits.length < SUBHEADING_DIGITS || !isWholeCode(digits) || this.#isFiltered) return
    this.#slot.load<Code>({
      ask: signal => ask(`hs-codes/${digits}`, { signal }),
      show: () => {},
      trouble: trouble => (trouble.kind === 'missing' ? missingCode(digits, trouble.nearest, trouble.movedTo) : this.#empty()),
    })
  }

  #empty(): HTMLElement {
    const { q } = this.#route
    const isFiltered = this.#isFiltered
    announce(t.results(0))
    return notice(
      'empty',
      fill(isFiltered ? t.emptyFiltered : t.emptyTitle, { q: isolated(q) }),
      t.emptyText,
      isFiltered && h('a', { class: 'button button-strong', href: toSearch(q) }, t.dropFilters),
      isTitle(q) && h('a', { class: 'button', href: toClassify(q) }, t.classifyThis),
      h('a', { class: 'button', href: toBrowse() }, t.toBrowse),
    )
  }
}
