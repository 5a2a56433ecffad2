/** The pages, begun: reads the address, shows its view, and takes links, the history and the switches over. */
import { inCountry, inLanguage, type Route, read } from './address.js'
import { COUNTRY_CHANGED, chooseCountry, readCountry, withCountry } from './country.js'
import { CountryPicker } from './country-picker.js'
import { replace } from './dom.js'
import { keepLanguage, rememberLanguage } from './keep-language.js'
import { hasKeptKey } from './key.js'
import { other, t } from './language.js'
import type { Page, View } from './page.js'
import { restoreScroll } from './restore-scroll.js'
import { SearchBox } from './search-box.js'
import { lost } from './states.js'
import { setUpTheme } from './theme-switch.js'
import { browseView } from './views/browse.js'
import { checkView } from './views/check.js'
import { forget, KEY_CHANGED } from './views/key.js'
import { offerKeyFromAddress } from './views/key-offer.js'
import { quotaLine } from './views/quota.js'
import { recordView } from './views/record.js'
import { searchView } from './views/search.js'

/** Browsers allow about a hundred changes of the state in half a minute. */
const SCROLLED_MS = 150

const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T
const main = element('main')
const root = document.documentElement
let shown: { route: Route; view: View } | null = null

function lostView(page: Page): View {
  replace(page.main, lost())
  return { title: t.lostTitle }
}

function build(route: Route): View {
  switch (route.page) {
    case 'search':
      return searchView(page, route)
    case 'record':
      return recordView(page, route)
    case 'browse':
      return browseView(page, route)
    case 'check':
      return checkView(page, route)
    case 'lost':
      return lostView(page)
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

/** What is shared by copying the address shows the same rates to others. */
function settleCountry(): void {
  readCountry(location.search)
  const here = location.pathname + location.search
  const address = withCountry(here)
  if (address !== here) history.replaceState(history.state, '', address)
  picker.show()
}

function show(isAnew: boolean): void {
  settleCountry()
  const route = read(location.pathname, location.search)
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
    // a typed search has its address already
    if (address !== location.pathname + location.search) history.pushState({ y: 0 }, '', address)
    show(false)
    restoreScroll(0)
    // whoever follows a link by keyboard goes on where the new page begins; whoever types, types on
    if (!box.hasFocus()) main.focus({ preventScroll: true })
  },
  note(address) {
    history.replaceState(history.state, '', address)
    if (shown) {
      shown.route = read(location.pathname, location.search)
      decorate(shown.route)
    }
  },
  setTitle,
}

/** Where the page stands, for when the visitor comes back to it. */
function remember(): void {
  history.replaceState({ ...history.state, y: window.scrollY }, '')
}

const leftAt = () => (history.state as { y?: number } | null)?.y ?? 0

/** All of the page is asked for again, and stands where it stood. */
function showAgain(): void {
  const y = window.scrollY
  show(true)
  restoreScroll(y)
}

const picker = new CountryPicker(element('country'), code => {
  chooseCountry(code)
  history.replaceState(history.state, '', inCountry(code))
  showAgain()
})

const box = new SearchBox(element('q'), {
  // the first letter begins a search that one can come back from; the others change it
  type(q) {
    const route = shown?.route
    const isSearch = route?.page === 'search'
    if (isSearch && route.q.trim() !== '') {
      shown?.view.update?.({ ...route, q }, true)
      page.note(box.address(route.within, route.level, q))
    } else if (q.trim() !== '') page.go(box.address('', '', q))
  },
  go: address => page.go(address),
  route: () => shown?.route,
  toResults: () => main.querySelector<HTMLElement>('.results a')?.focus(),
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

document.addEventListener('keydown', event => {
  const target = event.target as HTMLElement
  const isTyping = target.matches?.('input, textarea, select') ?? false
  // in the empty box itself it would only be a stray letter
  const isWritten = isTyping && !(box.hasFocus() && box.isEmpty())
  if (event.key !== '/' || isWritten || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  box.focus()
})

window.addEventListener('popstate', () => {
  show(false)
  restoreScroll(leftAt())
})
window.addEventListener('hashchange', () => void offerKeyFromAddress())
// a state that is written while the page is left does not outlive a reload
let scrolling = 0
window.addEventListener('scroll', () => {
  clearTimeout(scrolling)
  scrolling = window.setTimeout(remember, SCROLLED_MS)
})
window.addEventListener(KEY_CHANGED, () => show(true))
window.addEventListener(COUNTRY_CHANGED, showAgain)
history.scrollRestoration = 'manual'

document.querySelector('.lead')?.append(picker.note, quotaLine())
element('forget').addEventListener('click', forget)
setUpTheme(element('theme'), t)
rememberLanguage(element('language'))
void offerKeyFromAddress()
show(true)
if (leftAt() > 0) restoreScroll(leftAt())
if (root.dataset.page === 'start' && matchMedia('(hover: hover)').matches) box.focus()
