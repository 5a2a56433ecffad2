/** Results of a search, with proposals if the text is a product title. */
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { codeTyped, isWholeCode } from '../../../codes/in-text.js'
import { SUBHEADING_DIGITS } from '../../../codes/levels.js'
import { type SearchRoute, toBrowse, toClassify, toSearch } from '../data/address.js'
import type { Answer, Trouble } from '../data/answer.js'
import { ask, type Code, recall } from '../data/api.js'
import { loadSuccessors } from '../data/moved.js'
import { announce } from '../shared/announce.js'
import { Answered, type Asked, useAnswer } from '../shared/answered.js'
import { CompareLink } from '../shared/compare-link.js'
import type { PageProps } from '../shared/component-view.js'
import { later } from '../shared/later.js'
import { Notice, Skeleton } from '../shared/notices.js'
import { readsLikeTitle } from '../text/title.js'
import { MissingCode } from '../ui/missing.js'
import { fill } from '../ui/parts.js'
import { useSurroundings } from '../ui/surroundings.js'
import { chaptersOf } from './arrange.js'
import { Chips, Levels, useCounts } from './filters.js'
import { usePaced } from './paced.js'
import { searchPath } from './paths.js'
import { ProposalWaiting } from './proposal-waiting.js'
import { WaitingForQuota } from './quota.js'
import { moveAmong } from './result.js'
import { type Found, Results } from './results.js'

type Props = PageProps<SearchRoute>

/** The code for proposals is loaded with the first title. */
const ProposalPlace = later(async () => (await import('./proposal.js')).Proposal, <ProposalWaiting />, false)

const isFiltered = ({ within, level, rate }: SearchRoute) => within !== '' || level !== '' || rate !== ''
const isForTitle = ({ q, isTitle }: SearchRoute) => isTitle || readsLikeTitle(q)

interface NothingFound {
  route: SearchRoute
  /** Set if the query is a code that does not exist: its successors and the nearest existing code. */
  missing?: Extract<Trouble, { kind: 'missing' }>
}

async function askResults(route: SearchRoute, signal: AbortSignal): Promise<Answer<Found | NothingFound>> {
  const answer = await ask<Code[]>(searchPath(route), { signal })
  if (answer.kind === 'refused' || answer.kind === 'missing') return found({ route })
  if (answer.kind !== 'ok') return answer
  const { total } = answer.meta
  if (total > 0) return found({ route, first: answer.data, total })
  const digits = codeTyped(route.q)
  if (digits.length < SUBHEADING_DIGITS || !isWholeCode(digits) || isFiltered(route)) return found({ route })
  const code = await ask<Code>(`hs-codes/${digits}`, { signal })
  return found(code.kind === 'missing' ? { route, missing: code } : { route })
}

const found = (data: Found | NothingFound): Answer<Found | NothingFound> => ({
  kind: 'ok',
  data,
  meta: { total: 0, count: 0 },
  text: '',
})

const isFound = (data: Found | NothingFound | undefined): data is Found => data !== undefined && 'first' in data

/** Enter on the same text asks again after a failed request. */
function useAgainByEnter(route: SearchRoute, isTyped: boolean, { trouble, again }: Asked<unknown>): void {
  const before = useRef(route)
  useEffect(() => {
    const isAgain = before.current !== route && searchPath(before.current) === searchPath(route)
    before.current = route
    if (isAgain && !isTyped && trouble !== undefined) again()
  }, [route])
}

const NO_TITLE = { steps: '', isTitle: false }

export function Search({ route, isTyped }: Props) {
  const path = searchPath(route)
  const { question, isHeld, go } = usePaced(path, { isTyped, isKnown: recall(path) !== undefined })
  const asked = useAnswer<Found | NothingFound>(question, (_, signal) => askResults(route, signal))
  useAgainByEnter(route, isTyped, asked)
  const data = asked.answer?.data
  const shown = isFound(data) ? data : undefined
  const { counts, load } = useCounts(shown?.route)
  const total = shown?.total ?? 0
  const isCurrent = shown !== undefined && searchPath(shown.route) === path
  const { steps, isTitle } = isCurrent ? route : NO_TITLE
  // rendered for each answer, not for each typed letter
  const list = useMemo(
    () => shown && <FoundList found={shown} route={{ ...shown.route, steps, isTitle }} counts={counts} load={load} />,
    [shown, counts, steps, isTitle],
  )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows move among the links in it
    <div class="search-page" onKeyDown={moveAmong}>
      {isForTitle(route) && <ProposalPlace route={route} isTyped={isTyped} isTroubleShown={asked.trouble !== undefined} />}
      <Levels route={route} counts={isCurrent ? counts : null} total={total} />
      {isHeld ? (
        <div class="result-place">
          <WaitingForQuota q={route.q.trim()} go={go} />
        </div>
      ) : (
        <Answered class="result-place" asked={asked} {...(shown === undefined && { waiting: <Skeleton lines={6} /> })}>
          {data => (isFound(data) ? list : <Nothing {...data} />)}
        </Answered>
      )}
    </div>
  )
}

/** `route`: the current route. The visitor's answers to questions about the title change it without a new search. */
function FoundList({ found, route, ...counted }: { found: Found; route: SearchRoute } & ReturnType<typeof useCounts>) {
  const { t } = useSurroundings()
  const { first, total } = found
  const q = route.q.trim()
  const best = useMemo(() => chaptersOf(first), [first])
  return (
    <div class="result-body">
      <div class="summary-row">
        <h1 class="summary">{fill(t.resultsFor, { count: <b>{t.results(total)}</b>, q: <bdi>{q}</bdi> })}</h1>
        {!isForTitle(route) && /\s/.test(q) && codeTyped(q) === '' && (
          <p class="to-classify">
            <a href={toClassify(q)}>{t.classifyThis}</a>
          </p>
        )}
        <CompareLink />
      </div>
      <Chips route={route} total={total} best={best} {...counted} />
      <Results found={found} />
    </div>
  )
}

/** If the query is a code with successors or with a nearest existing code, shows the same notice as the page of the code. */
function Nothing({ route, missing }: NothingFound) {
  const { t } = useSurroundings()
  const q = route.q.trim()
  const narrowed = isFiltered(route)
  useEffect(() => announce(t.results(0)), [q, narrowed])
  if (missing !== undefined) {
    const { nearest, movedTo } = missing
    const wanted = codeTyped(q)
    return <MissingCode key={wanted} wanted={wanted} nearest={nearest ?? ''} movedTo={movedTo} load={loadSuccessors} />
  }
  return (
    <Notice kind="empty" title={fill(narrowed ? t.emptyFiltered : t.emptyTitle, { q: <bdi>{q}</bdi> })} text={t.emptyText}>
      {narrowed && (
        <a class="button button-strong" href={toSearch(q, { isTitle: route.isTitle, steps: route.steps })}>
          {t.dropFilters}
        </a>
      )}
      <a class="button" href={toBrowse()}>
        {t.toBrowse}
      </a>
    </Notice>
  )
}
