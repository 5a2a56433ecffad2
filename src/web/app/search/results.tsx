/** The list of results. Scrolling or a button loads more. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { codeTyped } from '../../../codes/in-text.js'
import type { SearchRoute } from '../data/address.js'
import { ask, type Code, recall } from '../data/api.js'
import { pause } from '../data/pace.js'
import { announce } from '../shared/announce.js'
import { Answered, useAnswer } from '../shared/answered.js'
import { Button } from '../shared/notices.js'
import { Marker } from '../text/mark.js'
import { useSurroundings } from '../ui/surroundings.js'
import { arrange } from './arrange.js'
import { SEARCH_PAGE, searchPath } from './paths.js'
import { showResult } from './result.js'

/** Number of pages loaded by scrolling. After that a button loads more, so that the footer can be reached. */
const BY_ITSELF_MAX = 100

export interface Found {
  route: SearchRoute
  /** The first page. */
  first: readonly Code[]
  total: number
}

/** Number of results of this search that were shown before leaving or reloading. */
function shownBefore(path: string): number {
  const { shown, shownOf } = (history.state ?? {}) as { shown?: number; shownOf?: string }
  return shownOf === path ? (shown ?? 0) : 0
}

const countOf = (pages: readonly (readonly Code[])[]) => pages.reduce((sum, page) => sum + page.length, 0)

/** After Back: the cached pages, up to the number of results that was shown before. */
function rememberedPages({ route, first, total }: Found): (readonly Code[])[] {
  const wanted = Math.min(shownBefore(searchPath(route)), total)
  const pages: (readonly Code[])[] = [first]
  while (countOf(pages) < wanted) {
    const next = recall<Code[]>(searchPath(route, countOf(pages)))
    if (next?.kind !== 'ok' || next.data.length === 0) break
    pages.push(next.data)
  }
  return pages
}

/** The loaded pages, and a way to load the next. */
function usePages(found: Found) {
  const { route, total } = found
  const path = searchPath(route)
  const remembered = useMemo(() => ({ found, pages: rememberedPages(found) }), [found])
  const [state, setState] = useState(remembered)
  const pages = state.found === found ? state.pages : remembered.pages
  const count = countOf(pages)
  /** After a reload nothing is cached: load until this many results are shown. */
  const [wanted, setWanted] = useState(0)
  const [asks, setAsks] = useState<string | null>(null)
  const next = searchPath(route, count)
  const asked = useAnswer<Code[]>(asks === next ? asks : null, (question, signal) => ask(question, { signal }))
  useLayoutEffect(() => {
    const before = Math.min(shownBefore(path), total)
    setWanted(before)
    if (count < before && pause(true) !== null) setAsks(next)
  }, [found])
  useLayoutEffect(() => {
    if (asked.answer === undefined || asks !== next) return
    const all = [...pages, asked.answer.data]
    setState({ found, pages: all })
    history.replaceState({ ...history.state, shown: countOf(all), shownOf: path }, '')
    const isOver = asked.answer.data.length === 0 || countOf(all) >= Math.min(wanted, total)
    setAsks(isOver ? null : searchPath(route, countOf(all)))
  }, [asked.answer])
  return { pages, count, asked, more: () => setAsks(next), isAsking: asks === next }
}

export function Results({ found }: { found: Found }) {
  const surroundings = useSurroundings()
  const { route, total } = found
  const { pages, count, asked, more, isAsking } = usePages(found)
  const list = useRef<HTMLOListElement>(null)
  const place = useRef<HTMLDivElement>(null)
  const marker = useMemo(() => new Marker(route.q), [route.q])
  const rows = useMemo(() => arrange(pages), [pages])
  const typed = codeTyped(route.q)
  const isAll = count >= total

  // the focused row may be gone: the next arrow key must not start at the top of the page
  const shown = useRef({ found, rows: 0 })
  const isOther = shown.current.found !== found
  const hadFocus = isOther && (list.current?.contains(document.activeElement) ?? false)
  const hadMore = !isOther && rows.length > shown.current.rows && (place.current?.contains(document.activeElement) ?? false)
  const firstNew = shown.current.rows
  useLayoutEffect(() => {
    shown.current = { found, rows: rows.length }
    const hits = list.current?.querySelectorAll<HTMLElement>('.hit')
    if (hadFocus) hits?.[0]?.focus()
    if (hadMore) hits?.[firstNew]?.focus()
  }, [rows])
  useEffect(() => announce(surroundings.t.results(total)), [found])
  useEffect(() => {
    if (isAll || isAsking || place.current === null) return
    const watcher = new IntersectionObserver(
      entries => {
        const mayGoOn = count < Math.min(total, BY_ITSELF_MAX)
        if (mayGoOn && entries.some(entry => entry.isIntersecting) && pause(true) !== null) more()
      },
      { rootMargin: '300px' },
    )
    watcher.observe(place.current)
    return () => watcher.disconnect()
  }, [found, count, isAsking])

  return (
    <>
      <ol class="results" data-of={route.q.trim()} ref={list}>
        {rows.map(row => showResult(surroundings, row, marker, typed))}
      </ol>
      <div class="load-more" ref={place}>
        <More asked={asked} count={count} total={total} more={more} />
      </div>
    </>
  )
}

interface MoreProps {
  asked: ReturnType<typeof useAnswer<Code[]>>
  count: number
  total: number
  more: () => void
}

function More({ asked, count, total, more }: MoreProps) {
  const { t } = useSurroundings()
  if (asked.trouble !== undefined) return <Answered asked={asked}>{() => null}</Answered>
  return (
    <>
      {total > SEARCH_PAGE && <p class="hint">{t.shownOf(count, total)}</p>}
      {count < total && <Button onClick={more}>{t.more}</Button>}
    </>
  )
}
