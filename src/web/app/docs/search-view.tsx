/** The search box of the documentation. While it contains words, results replace the page. */
import { render } from 'preact'
import { announce } from '../shared/announce.js'
import { setUpFindKeys } from '../shell/find-keys.js'
import { keepLanguage } from '../shell/keep-language.js'
import type { DocsStrings } from '../text/strings.js'
import { directionOf } from '../text/written.js'
import { showMarks } from '../ui/parts.js'
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

function Results({ count, shown, query }: { count: string; shown: readonly Found[]; query: string }) {
  return (
    <>
      <h1 class="summary">{count}</h1>
      <ol>
        {shown.map(({ address, title, heading, text, lang }) => (
          <li key={address} lang={lang} dir={directionOf(lang)}>
            <a href={address}>
              <b>{heading === '' ? title : `${title}: ${heading}`}</b>
              <span>{showMarks(excerpt(text, query))}</span>
            </a>
          </li>
        ))}
      </ol>
    </>
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
      render(<Results count={count} shown={shown} query={query} />, results)
      keepLanguage('#found a')
      announce(count)
    } catch {
      render(<p class="warning">{t.searchFailed}</p>, results)
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
  // the result may be a section of the current page, which must then be visible
  results.addEventListener('click', clear)
  setUpFindKeys({
    focus: text => {
      if (text !== '') box.value = text
      box.focus()
      box.select()
    },
    isEmptyAndFocused: () => false,
  })

  // take the query from the address, unless the browser has restored the text of the box after Back
  box.value ||= new URLSearchParams(location.search).get('q') ?? ''
  void show()
}
