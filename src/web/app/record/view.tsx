/** The page of a code in the browser: requests the record and adds the actions that need a browser. */
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type { ListedRecord, ScopeNotes, Section } from '../../../answers/shapes.js'
import type { Calculation, Route } from '../data/address.js'
import type { Answer } from '../data/answer.js'
import { ask, recall } from '../data/api.js'
import { isCarried } from '../data/carried.js'
import { countryInAddress } from '../data/country.js'
import { facts, recallFacts } from '../data/facts.js'
import { CHAPTERS_PATH, childrenPath, LIST_PAGE, listPath, recordPath } from '../data/first-paths.js'
import { recent } from '../data/kept-codes.js'
import { loadSuccessors, recallSuccessors } from '../data/moved.js'
import { useAnswer } from '../shared/answered.js'
import { componentView, type PageProps } from '../shared/component-view.js'
import { KeepButtons } from '../shared/keep-buttons.js'
import { Skeleton, Slow, TroubleNotice } from '../shared/notices.js'
import type { Page, View } from '../shared/page.js'
import { surroundings } from '../shared/surroundings.js'
import { tellApart } from '../text/tell-apart.js'
import { MissingCode, NotCode } from '../ui/missing.js'
import { Surrounded, useSurroundings, wordsIn } from '../ui/surroundings.js'
import { Calculator } from './calculator.js'
import { hasEstimate, type RecordActions, type RecordData, type Sibling, sectionSiblings, type WholeRecord } from './data.js'
import { LoadButton } from './load-button.js'
import { PrintNote } from './print-note.js'
import { RecordPage } from './record.js'
import { TakeAlong } from './take-along.js'

const SHAPE = /^\d{2,14}$/

type RecordRoute = Extract<Route, { page: 'record' }>

/** A record, and the calculator's values from the address. */
interface Drawn extends RecordData {
  calculation: Calculation
  /** The key of the component: a new one for each record, so that no state of the last code is kept. */
  id: number
}

let drawn = 0

type Ok = Extract<Answer<WholeRecord>, { kind: 'ok' }>

function drawnFrom(
  answer: Ok,
  sections: readonly Section[],
  { calculation }: RecordRoute,
): Extract<Answer<Drawn>, { kind: 'ok' }> {
  const record = answer.data
  const siblings = record.path.length > 0 ? record.siblings : sectionSiblings(sections, record.hs_code)
  return { ...answer, data: { record, siblings, calculation, id: ++drawn } }
}

export function recordView(page: Page, first: RecordRoute): View {
  const known = renderedRecord(page.main, first)
  let asks = 0
  let shown: RecordRoute | undefined

  function Live({ route }: PageProps<RecordRoute>) {
    // opening the same address again renders the record again, with the amounts in the address
    if (route !== shown) asks++
    shown = route
    const wanted = route.code
    const isCode = SHAPE.test(wanted)
    const asked = useAnswer<Drawn>(isCode ? `${asks}` : null, (_, signal) => askRecord(route, signal), known)
    const { answer, trouble, isWaiting, isSlow, again } = asked
    useLayoutEffect(() => {
      if (answer === undefined) return
      const { record } = answer.data
      recent.add(record)
      view.title = `${record.hs_code} ${wordsIn(surroundings(), record.description)}`
      page.setTitle(view.title)
    }, [answer])
    if (!isCode) return <NotCode text={wanted} />
    if (trouble?.kind === 'missing') return <Missing key={wanted} wanted={wanted} trouble={trouble} />
    if (trouble !== undefined) return <TroubleNotice trouble={trouble} again={again} />
    if (answer === undefined || isWaiting)
      return (
        <div aria-busy="true">
          {isSlow && <Slow again={again} />}
          <Skeleton lines={9} />
        </div>
      )
    return (
      // `longestLine` may have become known with the answer
      <Surrounded value={surroundings()}>
        <LiveRecord key={answer.data.id} {...answer.data} />
      </Surrounded>
    )
  }

  const view: View = { title: first.code }
  const made = componentView(page, Live, first, known !== undefined)
  view.update = (route, isTyped) => {
    if (route.page === 'record') view.title = route.code
    return made.update?.(route, isTyped) ?? false
  }
  view.leave = () => made.leave?.()
  return view
}

/** The record that the server rendered, if this browser would render the same links: hydration does not change attributes. */
function renderedRecord(main: HTMLElement, route: RecordRoute) {
  if (!main.firstElementChild?.matches('article.record') || !recallFacts()) return undefined
  const answer = recall<WholeRecord>(recordPath(route.code))
  if (answer?.kind !== 'ok' || !isCarried(answer.data)) return undefined
  const { rate, path } = answer.data
  const sections = path.length > 0 ? undefined : recall<Section[]>(CHAPTERS_PATH)
  if (countryInAddress() !== (rate.country ?? '') || (path.length === 0 && sections?.kind !== 'ok')) return undefined
  return drawnFrom(answer, sections?.kind === 'ok' ? sections.data : [], route)
}

async function askRecord(route: RecordRoute, signal: AbortSignal): Promise<Answer<Drawn>> {
  await facts()
  const answer = await ask<WholeRecord>(recordPath(route.code), { signal })
  if (answer.kind !== 'ok') return answer
  if (answer.data.path.length > 0) return drawnFrom(answer, [], route)
  const chapters = await ask<Section[]>(CHAPTERS_PATH, { signal })
  return chapters.kind === 'ok' ? drawnFrom(answer, chapters.data, route) : chapters
}

function Missing({ wanted, trouble }: { wanted: string; trouble: Extract<Answer<never>, { kind: 'missing' }> }) {
  const { nearest, movedTo } = trouble
  const successors = movedTo.length > 0 ? recallSuccessors(wanted) : undefined
  return <MissingCode wanted={wanted} nearest={nearest ?? ''} movedTo={movedTo} successors={successors} load={loadSuccessors} />
}

function LiveRecord({ calculation, id: _, ...data }: Drawn) {
  const { t } = useSurroundings()
  const [leaving] = useState(() => new AbortController())
  useEffect(() => () => leaving.abort(), [])
  const { signal } = leaving
  const { record } = data
  const actions: RecordActions = {
    moreButton: (path, offset, show) => <LoadButton path={listPath(path, LIST_PAGE, offset)} label={t.more} show={show} />,
    async more(path, offset) {
      const answer = await ask<ListedRecord[]>(listPath(path, LIST_PAGE, offset), { signal })
      return answer.kind === 'ok' ? answer.data : []
    },
    notesButton: (chapter, show) => (
      <LoadButton<ScopeNotes> path={`notes/${chapter}`} label={t.allNotes} show={({ notes }) => show(notes)} />
    ),
    allSiblings(here, show) {
      void loadSiblings(here, signal).then(show, () => {})
    },
    tellApart,
    toLines(event) {
      event.preventDefault()
      const lines = document.querySelector<HTMLElement>('.part-lines')
      lines?.scrollIntoView()
      lines?.querySelector<HTMLElement>('li a')?.focus({ preventScroll: true })
    },
    keepButtons: <KeepButtons one={record} />,
    printNote: <PrintNote />,
    tools: all => <TakeAlong record={record} gather={hasEstimate(record) ? null : all} />,
    calculator: <Calculator record={record} asked={calculation} />,
  }
  return <RecordPage {...data} actions={actions} />
}

/** Stops at the first failed request and returns the siblings loaded so far. */
async function loadSiblings({ path, siblings }: WholeRecord, signal: AbortSignal): Promise<readonly Sibling[]> {
  const parent = path.at(-1)?.hs_code ?? ''
  const all: Sibling[] = [...siblings.items]
  while (all.length < siblings.total) {
    const answer = await ask<ListedRecord[]>(childrenPath(parent, all.length), { signal })
    if (answer.kind !== 'ok' || answer.data.length === 0) break
    all.push(...answer.data)
  }
  return all
}
