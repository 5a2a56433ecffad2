/**
 * Facets of the results: counts by chapter, level and rate. Each facet is counted with the filters of the other facets but not
 * its own, so that filters can be combined.
 */
import type { Facets } from '../../../answers/shapes.js'
import type { SearchFilters, SearchRoute } from '../data/address.js'
import type { Step } from '../data/api.js'
import { query } from '../data/query.js'
import { searchedText } from './paths.js'

/** The search parameter that filters by each facet. */
const FILTER_OF = { chapter: 'within', level: 'level', rate: 'rate' } as const
type Facet = keyof typeof FILTER_OF
const FACETS = Object.keys(FILTER_OF) as Facet[]

const CHAPTERS_MAX = 5
const RATES_MAX = 6
/** Levels with more digits show no count: a search filtered by them finds padded lines, which facet counts leave out. */
const COUNTED_DIGITS_MAX = 6

/** One request counts all facets that have no filter; each facet with a filter needs a request of its own. */
export function countPaths(route: SearchRoute): string[] {
  const isUnfiltered = (facet: Facet) => route[FILTER_OF[facet]] === ''
  const path = (facets: readonly Facet[], without: Partial<SearchFilters>) => {
    const { within, level, rate } = { ...route, ...without }
    return query('search', { q: searchedText(route.q), within, level, rate, limit: 1, facets: facets.join(), fields: 'hs_code' })
  }
  const unfiltered = FACETS.filter(isUnfiltered)
  const others = FACETS.filter(facet => !isUnfiltered(facet)).map(facet => path([facet], { [FILTER_OF[facet]]: '' }))
  return unfiltered.length > 0 ? [path(unfiltered, {}), ...others] : others
}

export interface Chip {
  /** The filters that a click changes; '' removes a filter. */
  filters: Partial<SearchFilters>
  label: { code: string; description?: Step['description'] | undefined } | { rate: number }
  count: number | null
  isOn: boolean
}

/** `best`: chapters of the first results, listed first. Without counts, only these are shown. */
export function chapterChips(within: string, counts: Partial<Facets> | null, best: readonly Step[], total: number): Chip[] {
  const counted = counts?.chapter ?? []
  const chip = ({ hs_code, description }: Step, count: number | null): Chip => {
    const isOn = hs_code === within
    return { filters: { within: isOn ? '' : hs_code }, label: { code: hs_code, description }, count, isOn }
  }
  const place = new Map(best.map(({ hs_code }, at) => [hs_code, at]))
  const placeOf = (hsCode: string) => place.get(hsCode) ?? place.size
  const known =
    counts === null
      ? best.map(step => chip(step, null))
      : [...counted].sort((a, b) => placeOf(a.hs_code) - placeOf(b.hs_code) || b.count - a.count).map(one => chip(one, one.count))
  const rest = known.filter(({ isOn }) => !isOn)
  if (within === '') return rest.length < 2 ? [] : rest
  // a filter that is not a counted chapter, such as a heading, gets its own chip
  const on = known.find(({ isOn }) => isOn) ?? { ...chip({ hs_code: within, description: { en: '', ar: '' } }, total) }
  return counts === null ? [on] : [on, ...rest]
}

export const firstChapters = (chips: readonly Chip[]) => chips.slice(0, CHAPTERS_MAX)

export function rateChips(rate: string, counts: Partial<Facets> | null): Chip[] {
  const counted = counts?.rate ?? []
  const isOn = (one: number) => rate !== '' && one === Number(rate)
  const chips = [...counted]
    .sort((a, b) => b.count - a.count)
    .filter((one, at) => at < RATES_MAX || isOn(one.rate))
    .sort((a, b) => a.rate - b.rate)
    .map(one => ({
      filters: { rate: isOn(one.rate) ? '' : String(one.rate) },
      label: one,
      count: one.count,
      isOn: isOn(one.rate),
    }))
  if (rate !== '' && !chips.some(({ isOn }) => isOn))
    return [{ filters: { rate: '' }, label: { rate: Number(rate) }, count: null, isOn: true }, ...chips]
  return rate === '' && chips.length < 2 ? [] : chips
}

/** Counts by level. The keys are values of the `level` filter, such as '6'. */
export function levelCounts(level: string, counts: Partial<Facets> | null, total: number): ReadonlyMap<string, number> {
  const shown = (counts?.level ?? []).filter(one => one.level <= COUNTED_DIGITS_MAX)
  const counted = new Map(shown.map(one => [String(one.level), one.count]))
  return counts === null || level === '' ? counted : counted.set(level, total)
}
