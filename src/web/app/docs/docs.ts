/**
 * The script of the documentation pages: search, copying, the list of pages, the switches. The pages can be read without it.
 */

import { keepLanguage, rememberLanguage } from '../shell/keep-language.js'
import { setUpTheme } from '../shell/theme-switch.js'
import { docsStrings } from '../text/strings.js'
import { setUpBlocks } from './blocks.js'
import { setUpSearch } from './search-view.js'

const root = document.documentElement
const t = docsStrings[root.lang === 'ar' ? 'ar' : 'en']
const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T

/** The interactive API reference used to be at /docs; links to its operations start with `#/`. */
if (location.hash.startsWith('#/')) location.replace(`/docs/api${location.hash}`)

/** At this window width and above, the list of pages is open beside the page; docs.css uses the same width. */
const isWide = matchMedia('(min-width: 60rem)')
const fold = element<HTMLDetailsElement>('pages')
const fit = () => {
  fold.open = isWide.matches
}
isWide.addEventListener('change', fit)
fit()

/** The list can be longer than the window, so it is scrolled to the link of the current page. */
const list = fold.parentElement as HTMLElement
const current = list.querySelector<HTMLElement>('[aria-current]')
list.scrollTop = (current?.offsetTop ?? 0) - list.clientHeight / 3

const article = element('article')
setUpTheme(element('theme'), t)
rememberLanguage(element('language'))
setUpBlocks(article, t)
setUpSearch({ box: element('q'), results: element('found'), article, index: element('main').dataset.index as string }, t)
keepLanguage('a[href^="/"]:not([href*="lang="])')
