/** Reads the address, shows its view, and handles links, the history and the switches. */

import { effect } from '@preact/signals'
import { h, render } from 'preact'
import { currentPath, inCountry, inLanguage, NO_FILTERS, type Route, read, toSearch } from '../data/address.js'
import { ONLINE_AGAIN } from '../data/answer.js'
import {
  COUNTRY_CHANGED,
  COUNTRY_CHOSEN,
  chooseCountry,
  country,
  lastRefused,
  readCountry,
  serverCountry,
  withCountry,
} from '../data/country.js'
import { datasetShown } from '../data/facts.js'
import { installWorker } from '../data/install-worker.js'
import { changeKey, hasKeptKey, KEY_CHANGED } from '../data/key.js'
import { QuotaLine } from '../search/quota.js'
import { searchView } from '../search/search.js'
import { takeSearchBox } from '../search/search-box.js'
import { componentView } from '../shared/component-view.js'
import { other, t } from '../shared/language.js'
import { mounted, renderIn } from '../shared/mounted.js'
import { Lost } from '../shared/notices.js'
import type { Page, View } from '../shared/page.js'
import { fillText } from '../text/written.js'
import { CountryNote, CountryPicker } from './country-picker.js'
import { setUpFindKeys } from './find-keys.js'
import { forgetAddress, takeFirstAnswers } from './first-answers.js'
import { keepLanguage, rememberLanguage } from './keep-language.js'
import { offerKeyFromAddress } from './key-offer.js'
import { laterView } from './later-view.js'
import { OfflineNote } from './offline-note.js'
import { restoreScroll, scrollPosition } from './restore-scroll.js'
import { setUpTheme } from './theme-switch.js'

/** Pause in scrolling before the position is stored: browsers allow about a hundred history changes in half a minute. */
const SCROLLED_MS = 150

const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T
const main = element('main')
const root = document.documentElement
let shown: { route: Route; view: View } | null = null

function build(route: Route): View {
  switch (route.page) {
    case 'search':
      return searchView(page, route)
    case 'record':
      return laterView(page, '', async page => (await import('../record/view.js')).recordView(page, route))
    case 'browse':
      return laterView(page, t.browseTitle, async page => (await import('../browse/browse.js')).browseView(page, route))
    case 'shipment':
      return laterView(page, '', async page => (await import('../shipment/shipment.js')).shipmentView(page, route))
    case 'compare':
      return laterView(page, t.compareTitle, async page => (await import('../compare/compare.js')).compareView(page, route))
    case 'lost':
      return { ...componentView(page, Lost, route), title: t.lostTitle }
  }
}

function setTitle(title: string): void {
  document.title = title === '' ? `${t.title} · ${t.brand}` : `${title} · ${t.brand}`
}

function decorate(route: Route): void {
  root.dataset.page = route.page === 'search' && route.q.trim() === '' ? 'start' : route.page
  element<HTMLAnchorElement>('language').href = inLanguage(other)
  element('forget').hidden = !hasKeptKey()
  for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-nav]')) {
    if (link.dataset.nav === route.page) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
  keepLanguage('[data-nav], [data-nav-home], .examples a')
  for (const link of document.querySelectorAll<HTMLAnchorElement>(
    '[data-nav]:not([data-nav=docs]), [data-nav-home], .examples a',
  ))
    link.href = withCountry(link.getAttribute('href') ?? '')
}

/** Puts the country into the address, so that a copied address shows the same rates to others. */
function settleCountry(): void {
  readCountry(location.search)
  const here = location.pathname + location.search
  const address = withCountry(here)
  if (address !== here) {
    history.replaceState(history.state, '', address)
    forgetAddress()
  }
  showCountry()
}

function show(isAnew: boolean): void {
  settleCountry()
  const route = read(location.pathname, location.search)
  const address = currentPath(route, location.pathname)
  if (address !== null) history.replaceState(history.state, '', address)
  if (!isAnew) forgetAddress()
  const isSame = !isAnew && shown !== null && shown.route.page === route.page
  if (isSame && shown?.view.update?.(route)) shown.route = route
  else {
    shown?.view.leave?.()
    shown = { route, view: build(route) }
  }
  box.set(route.page === 'search' ? route.q : '')
  setTitle(shown.view.title)
  decorate(route)
}

const page: Page = {
  main,
  go(address) {
    remember()
    // typing has already put the search into the address bar; Enter must not add a second history entry
    if (address !== location.pathname + location.search) history.pushState({ y: 0 }, '', address)
    show(false)
    restoreScroll(0)
    // a link followed by keyboard moves the focus to the new page; the search box keeps the focus while the visitor types
    if (!box.hasFocus()) main.focus({ preventScroll: true })
  },
  note(address) {
    forgetAddress()
    history.replaceState(history.state, '', address)
    if (shown) {
      shown.route = read(location.pathname, location.search)
      decorate(shown.route)
    }
  },
  setTitle,
}

/** Stores the scroll position, for when the visitor comes back to the page. */
function remember(): void {
  history.replaceState({ ...history.state, y: scrollPosition() }, '')
}

const leftAt = () => (history.state as { y?: number } | null)?.y ?? 0

/** Builds the view again and keeps the scroll position. */
function showAgain(): void {
  const y = scrollPosition()
  show(true)
  restoreScroll(y)
}

function changeCountry(code: string): void {
  chooseCountry(code)
  history.replaceState(history.state, '', inCountry(code))
  showAgain()
}

const countryPlace = document.querySelector('label.country') as HTMLElement
const countryLabel = countryPlace.querySelector('span')?.textContent ?? ''
const countryNote = mounted(null)

function showCountry(): void {
  const chosen = country()
  const hasCommon = serverCountry() === ''
  const picker = { label: countryLabel, countries: t.countries, chosen, hasCommon, choose: changeCountry }
  render(h(CountryPicker, picker), countryPlace)
  renderIn(countryNote, h(CountryNote, { t, missing: chosen === '' ? lastRefused() : '' }))
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
const hits = () => main.querySelectorAll<HTMLElement>('.search-page .hit')

const box = takeSearchBox(element('search-box'), t, {
  // the first letter adds a history entry, so that Back leaves the search; later letters replace it
  type(q) {
    const route = shown?.route
    const isSearch = route?.page === 'search'
    const { within, level, rate } = isSearch && q.trim() !== '' ? route : NO_FILTERS
    const address = toSearch(q, { within, level, rate })
    if (isSearch && route.q.trim() !== '') {
      shown?.view.update?.({ ...route, q, steps: '', isTitle: false }, true)
      page.note(address)
    } else if (q.trim() !== '') page.go(address)
  },
  go: address => page.go(address),
  route: () => shown?.route,
  toResults: () => hits()[0]?.focus(),
  // results of an earlier text stay until the next answer arrives, and must not be opened
  openFirst(q) {
    const isOf = (one: HTMLElement) => oneLine(one.closest<HTMLElement>('[data-of]')?.dataset.of ?? '') === oneLine(q)
    const first = [...hits()].find(isOf)
    first?.click()
    return first !== undefined
  },
})

document.addEventListener('click', event => {
  const link = (event.target as Element).closest?.('a')
  if (!link || event.defaultPrevented || event.button !== 0) return
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  const url = new URL(link.href, location.href)
  const isOurs = url.origin === location.origin && !link.hasAttribute('download') && link.target === ''
  if (!isOurs || link.id === 'language' || read(url.pathname, url.search).page === 'lost') return
  if (url.hash !== '' && url.pathname === location.pathname && url.search === location.search) return
  event.preventDefault()
  page.go(url.pathname + url.search)
})

setUpFindKeys({ focus: text => box.focus(text), isEmptyAndFocused: () => box.hasFocus() && box.isEmpty() })

window.addEventListener('popstate', () => {
  show(false)
  restoreScroll(leftAt())
})
window.addEventListener('hashchange', () => void offerKeyFromAddress())
// the position is stored after each scroll, because a state written while the page unloads is lost on a reload
let scrolling = 0
window.addEventListener('scroll', () => {
  clearTimeout(scrolling)
  scrolling = window.setTimeout(remember, SCROLLED_MS)
})
window.addEventListener(KEY_CHANGED, () => show(true))
window.addEventListener(COUNTRY_CHANGED, showAgain)
window.addEventListener(ONLINE_AGAIN, showAgain)
window.addEventListener(COUNTRY_CHOSEN, event => changeCountry((event as CustomEvent<string>).detail))
history.scrollRestoration = 'manual'

document.querySelector('.lead')?.append(countryNote, mounted(h(QuotaLine, {})), mounted(h(OfflineNote, {})))
element('forget').addEventListener('click', () => changeKey(null))
setUpTheme(element('theme'), t)
rememberLanguage(element('language'))
void offerKeyFromAddress()
installWorker(
  new Promise(resolve => {
    if (document.readyState === 'complete') resolve(null)
    else window.addEventListener('load', resolve, { once: true })
  }),
)
takeFirstAnswers()
// keep the text and the country that a visitor on a slow connection entered before the script ran
const typedEarly = element<HTMLInputElement>('q').value
const chosenEarly = element<HTMLSelectElement>('country').value
show(true)
if (chosenEarly !== '' && chosenEarly !== country()) changeCountry(chosenEarly)
if (typedEarly.trim() !== '') box.type(typedEarly)
// shows the dataset's version once a view has fetched it: a separate request would use quota
effect(() => {
  const shown = datasetShown.value
  if (shown !== null) element('dataset').textContent = fillText(t.datasetVersion, shown)
})
if (leftAt() > 0) restoreScroll(leftAt())
if (root.dataset.page === 'start' && !box.hasFocus() && matchMedia('(hover: hover)').matches) box.focus()
