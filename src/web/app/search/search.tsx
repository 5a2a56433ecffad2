/** The start page, and the results of a search. */
import type { SearchRoute } from '../data/address.js'
import { componentView, type PageProps } from '../shared/component-view.js'
import { later } from '../shared/later.js'
import { Skeleton } from '../shared/notices.js'
import type { Page, View } from '../shared/page.js'
import { useSurroundings } from '../ui/surroundings.js'
import { Start } from './start.js'

type Props = PageProps<SearchRoute>

export function searchView(page: Page, first: SearchRoute): View {
  const made = componentView<SearchRoute>(page, SearchPage, first)
  const view: View = {
    ...made,
    title: first.q.trim(),
    update(route, isTyped) {
      if (made.update?.(route, isTyped) !== true) return false
      view.title = (route as SearchRoute).q.trim()
      page.setTitle(view.title)
      return true
    },
  }
  return view
}

/** Loaded with the first search, to keep the start page small. */
const Search = later(async () => (await import('./found.js')).Search, <Skeleton lines={6} />, true)

function SearchPage({ route, isTyped }: Props) {
  const { t } = useSurroundings()
  const length = [...route.q.trim()].length
  if (length === 0) return <Start />
  if (length < 2) return <p class="hint">{t.typeMore}</p>
  return <Search route={route} isTyped={isTyped} />
}
