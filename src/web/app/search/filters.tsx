/** Filters by digits, chapter and rate, with counts over all results. The filters are part of the address. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Facets } from '../../../answers/shapes.js'
import { type SearchRoute, toSearch } from '../data/address.js'
import { ask, isAbort, recall, type Step } from '../data/api.js'
import { facts } from '../data/facts.js'
import { pause } from '../data/pace.js'
import { usePage } from '../shared/page.js'
import { figure } from '../text/written.js'
import { Icon, leftToRight, levelName, showCode } from '../ui/parts.js'
import { useSurroundings, wordsIn } from '../ui/surroundings.js'
import { type Chip, chapterChips, countPaths, firstChapters, levelCounts, rateChips } from './facets.js'
import { searchPath } from './paths.js'

/** Counts are loaded after the results, so that they never delay typing. */
const PAUSE_MS = 350

type Counts = Partial<Facets> | null

/** The counts, if all of them are cached. */
function recallCounts(paths: readonly string[]): Counts {
  const counts: Partial<Facets> = {}
  for (const path of paths) {
    const answer = recall<unknown>(path)
    if (answer?.kind !== 'ok' || answer.facets === undefined) return null
    Object.assign(counts, answer.facets)
  }
  return counts
}

/** Null until loaded. If the quota is low, counts are loaded only on demand. */
export function useCounts(route: SearchRoute | undefined): { counts: Counts; load: () => void } {
  const paths = route === undefined ? [] : countPaths(route)
  const key = paths.join()
  const [drawn, draw] = useState('')
  const asking = useRef(new AbortController())
  const load = () => {
    const controller = new AbortController()
    asking.current = controller
    Promise.all(paths.map(path => ask<unknown>(path, { signal: controller.signal }))).then(
      () => {
        if (!controller.signal.aborted) draw(key)
      },
      error => {
        if (!isAbort(error)) throw error
      },
    )
  }
  useEffect(() => {
    if (paths.length === 0 || recallCounts(paths) !== null || pause(true) !== 0) return
    const timer = setTimeout(load, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      asking.current.abort()
    }
  }, [key])
  // keep the same object for the same counts, because a new one would redraw the results
  const counts = useMemo(() => (paths.length === 0 ? null : recallCounts(paths)), [key, drawn])
  return { counts, load }
}

const LEVELS: readonly number[] = [2, 4, 6, 8, 12]

interface LevelsProps {
  route: SearchRoute
  counts: Counts
  total: number
}

export function Levels({ route, counts, total }: LevelsProps) {
  const surroundings = useSurroundings()
  const { t } = surroundings
  const { go } = usePage()
  const [levels, setLevels] = useState(LEVELS)
  useEffect(() => {
    void facts().then(({ levels }) => setLevels(levels))
  }, [])
  const counted = useMemo(() => levelCounts(route.level, counts, total), [counts, route.level, total])
  const choice = (level: string, text: string, title: string) => {
    const count = counted.get(level)
    return (
      <label key={level} title={title}>
        <input
          type="radio"
          name="level"
          value={level}
          checked={route.level === level}
          onChange={() => go(toSearch(route.q, { ...route, level }))}
        />
        <span>
          {text}
          <small data-of={level}>{count === undefined ? '' : figure(count)}</small>
        </span>
      </label>
    )
  }
  return (
    <div class="filters">
      <fieldset>
        <legend>{t.levelLabel}</legend>
        <div class="segments joined">
          {choice('', t.levelAll, t.levelAll)}
          {levels.map(level => choice(String(level), String(level), levelName(surroundings, level)))}
        </div>
      </fieldset>
    </div>
  )
}

interface ChipsProps extends LevelsProps {
  /** The chapters of the first results. */
  best: readonly Step[]
  load: () => void
}

/** One tap sets a filter, a second tap removes it. */
export function Chips({ route, counts, total, best, load }: ChipsProps) {
  const { t } = useSurroundings()
  const nav = useRef<HTMLElement>(null)
  /** API path of the search whose full list of chapters is open. */
  const [all, setAll] = useState('')
  const path = searchPath(route)
  const isAll = all === path
  const chapters = chapterChips(route.within, counts, best, total)
  const shown = isAll ? chapters : firstChapters(chapters)
  const rest = chapters.length - shown.length
  useEffect(() => {
    if (!isAll) fitOneLine(nav.current, rest > 0)
  }, [isAll, counts, best])
  const more = () => {
    setAll(path)
    if (counts === null) load()
  }
  return (
    <nav class={isAll ? 'narrow all' : 'narrow'} aria-label={t.filters} ref={nav}>
      {shown.map(chip => (
        <ChipLink key={`chapter ${'code' in chip.label ? chip.label.code : ''}`} chip={chip} route={route} />
      ))}
      {!isAll && chapters.length > 2 && (
        <button type="button" class="chip" data-more onClick={more}>
          {t.moreChapters}
        </button>
      )}
      {rateChips(route.rate, counts).map(chip => (
        <ChipLink key={`rate ${'rate' in chip.label ? chip.label.rate : ''}`} chip={chip} route={route} />
      ))}
    </nav>
  )
}

function ChipLink({ chip, route }: { chip: Chip; route: SearchRoute }) {
  const surroundings = useSurroundings()
  const { t } = surroundings
  const { filters, label, count, isOn } = chip
  return (
    <a class="chip" href={toSearch(route.q, { ...route, ...filters })} aria-current={isOn ? 'true' : undefined}>
      {'rate' in label ? (
        <span>
          {t.dutyOf} {leftToRight(`${figure(label.rate)} %`)}
        </span>
      ) : (
        [showCode(label.code), <span key="words">{label.description && wordsIn(surroundings, label.description)}</span>]
      )}
      {count !== null && <small>{figure(count)}</small>}
      {isOn && [
        <Icon key="icon" name="close" />,
        <span key="drop" class="unseen">
          {t.dropFilter}
        </span>,
      ]}
    </a>
  )
}

/**
 * Hides chips that do not fit into one line, chapters before rates, and shows the "all" button if any is hidden. On a phone the
 * line scrolls instead. Measured after painting, so that typing does not wait for it.
 */
function fitOneLine(nav: HTMLElement | null, hasMore: boolean): void {
  const chips = [...(nav?.querySelectorAll<HTMLElement>('.chip') ?? [])]
  for (const one of chips) one.hidden = false
  const more = chips.find(one => 'more' in one.dataset)
  if (more) more.hidden = !hasMore
  const isBroken = () => {
    const seen = chips.filter(one => !one.hidden)
    return seen.some(one => one.offsetTop > (seen[0]?.offsetTop ?? 0))
  }
  const isChapter = (one: HTMLElement) => one.querySelector('.code') !== null
  const mayGo = chips.filter(one => one !== more && one.getAttribute('aria-current') === null)
  for (const one of [...mayGo.filter(isChapter).reverse(), ...mayGo.filter(one => !isChapter(one)).reverse()]) {
    if (!isBroken()) return
    one.hidden = true
    if (more && isChapter(one)) more.hidden = false
  }
}
