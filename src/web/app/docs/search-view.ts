/** The search box of the documentation. While it contains text, results replace the page. */
import { announce, h, replace } from '../dom/dom.js'
import { setUpFindKeys } from '../shell/find-keys.js'
import { keepLanguage } from '../shell/keep-language.js'
import type { DocsStrings } from '../text/strings.js'
import type { IndexedPage } from './index-file.js'
import { DocsSearch, excerpt, type Found } from './search.js'

const SHOWN_MAX = 20

interface Places {
  box: HTMLInputElement
  results: HTMLElement
  article: HTMLElement
  /** Address of the index. */
  index: string
}

async function load(address: string): Promise<DocsSearch> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`${address}: ${response.status}`)
  return new DocsSearch((await response.json()) as IndexedPage[])
}

function row({ address, title, heading, text, lang }: Found, query: string): HTMLElement {
  const pieces = excerpt(text, query).map(({ text, isMarked }) => (isMarked ? h('mark', {}, text) : text))
  return h(
    'li',
    { lang, dir: lang === 'ar' ? 'rtl' : 'ltr' },
    h('a', { href: address }, h('b', {}, heading === '' ? title : `${title}: ${heading}`), h('span', {}, pieces)),
  )
}

export function setUpSearch({ box, results, article, index }: Places, t: DocsStrings): void {
  let loading: Promise<DocsSearch> | null = null
  const search = () => {
    loading ??= load(index).catch(error => {
      loading = null
      throw error
    })
    return loading
  }

  const show = async () => {
    const query = box.value
    article.hidden = query.trim() !== ''
    results.hidden = !article.hidden
    if (results.hidden) return
    try {
      const found = (await search()).find(query)
      if (box.value !== query) return
      const shown = found.slice(0, SHOWN_MAX)
      const count = t.found(found.length, shown.length)
      replace(
        results,
        h('h1', { class: 'summary' }, count),
        h(
          'ol',
          {},
          shown.map(one => row(one, query)),
        ),
      )
      keepLanguage('#found a')
      announce(count)
    } catch {
      replace(results, h('p', { class: 'warning' }, t.searchFailed))
    }
  }

  const clear = () => {
    box.value = ''
    void show()
  }
  const first = () => results.querySelector('a')
  box.addEventListener('focus', () => void search().catch(() => {}))
  box.addEventListener('input', () => void show())
  box.addEventListener('keydown', event => {
    if (event.key !== 'ArrowDown' && event.key !== 'Escape') return
    event.preventDefault()
    if (event.key === 'ArrowDown') first()?.focus()
    else clear()
  })
  box.form?.addEventListener('submit', event => {
    event.preventDefault()
    first()?.click()
  })
  // the result may be a section of this page, which must then be visible
  results.addEventListener('click', clear)
  setUpFindKeys({
    focus: text => {
      if (text !== '') box.value = text
      box.focus()
      box.select()
    },
    isEmptyAndFocused: () => false,
  })

  // the address may contain a query, and browsers fill in the box again on Back
  box.value ||= new URLSearchParams(location.search).get('q') ?? ''
  void show()
}
