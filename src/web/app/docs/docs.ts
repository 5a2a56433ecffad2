/** The documentation pages, which can be read without this: search, copying, the fold of pages, the switches. */

import { keepLanguage, rememberLanguage } from '../shell/keep-language.js'
import { setUpTheme } from '../shell/theme-switch.js'
import { docsStrings } from '../text/strings.js'
import { setUpBlocks } from './blocks.js'
import { setUpSearch } from './search-view.js'

const root = document.documentElement
const t = docsStrings[root.lang === 'ar' ? 'ar' : 'en']
const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T

/** The interactive contract was at /docs once; its links to an operation begin with `#/`. */
if (location.hash.startsWith('#/')) location.replace(`/docs/api${location.hash}`)

/** Beside the page the list stands open, as styles.css of the same width has it. */
const isWide = matchMedia('(min-width: 60rem)')
const fold = element<HTMLDetailsElement>('pages')
const fit = () => {
  fold.open = isWide.matches
}
isWide.addEventListener('change', fit)
fit()

/** The list is longer than the window; the current page should be in sight. */
const list = fold.parentElement as HTMLElement
const current = list.querySelector<HTMLElement>('[aria-current]')
list.scrollTop = (current?.offsetTop ?? 0) - list.clientHeight / 3

const article = element('article')
setUpTheme(element('theme'), t)
rememberLanguage(element('language'))
setUpBlocks(article, t)
setUpSearch({ box: element('q'), results: element('found'), article, index: element('main').dataset.index as string }, t)
keepLanguage('a[href^="/"]:not([href*="lang="])')
