/** Many searches in one request. */
import { PAGE_LIMIT_MAX, SEARCHES_INCLUDING_MAX, SEARCHES_LIMIT_DEFAULT } from '../limits.js'
import { invalidParameter, type Refusal } from './refusal.js'

/** A search as sent. A value of the wrong type becomes NaN or '?', so that only this search is refused. */
export interface SentSearch {
  q: string
  level: number | undefined
  within: string
  rate: number | undefined
  limit: number
  offset: number
}

const INCLUDING_RULE = `must not ask for more than ${SEARCHES_INCLUDING_MAX} results in total if include is sent`

/** With `isIncluding`, limits the total number of results, to bound the size of the answer. */
export function readSearches(sent: readonly { q: string }[], isIncluding: boolean): SentSearch[] | Refusal {
  const searches = sent.map(readSearch)
  const results = searches.reduce((sum, { limit }) => sum + (limit <= PAGE_LIMIT_MAX ? limit : 0), 0)
  return isIncluding && results > SEARCHES_INCLUDING_MAX ? invalidParameter('queries', INCLUDING_RULE) : searches
}

/** Reads one search. The type of `q` was already checked; the other types are checked here. */
function readSearch({ q, ...sent }: { q: string }): SentSearch {
  const { level, within = '', rate, limit, offset } = sent as Record<string, unknown>
  return {
    q,
    level: numberOr(level, undefined),
    within: typeof within === 'string' ? within : '?',
    rate: numberOr(rate, undefined),
    limit: numberOr(limit, SEARCHES_LIMIT_DEFAULT),
    offset: numberOr(offset, 0),
  }
}

function numberOr<Fallback>(value: unknown, fallback: Fallback): number | Fallback {
  if (value === undefined) return fallback
  return typeof value === 'number' ? value : Number.NaN
}
