/** Many searches in one request. */
import { PAGE_LIMIT_MAX, SEARCHES_INCLUDING_MAX, SEARCHES_LIMIT_DEFAULT, SEARCHES_MAX } from '../limits.js'
import { invalidParameter, Refusal, refuseUnknown } from './refusal.js'

/** As sent; what has the wrong type is NaN or '?', which its own search refuses. */
export interface SentSearch {
  q: string
  level: number | undefined
  within: string
  rate: number | undefined
  limit: number
  offset: number
}

const QUERY_FIELDS = ['q', 'level', 'within', 'rate', 'limit', 'offset']
const QUERIES_RULE = `must be a list of 1 to ${SEARCHES_MAX} objects with q`
const INCLUDING_RULE = `must not ask for more than ${SEARCHES_INCLUDING_MAX} results together where include is given`

/** The whole list is refused only for its shape; `isIncluding` bounds the size of the answer. */
export function readSearches(sent: unknown, isIncluding: boolean): SentSearch[] | Refusal {
  if (!Array.isArray(sent) || sent.length < 1 || sent.length > SEARCHES_MAX) return invalidParameter('queries', QUERIES_RULE)
  const searches: SentSearch[] = []
  for (const [i, one] of sent.entries()) {
    const search = readSearch(one, `queries[${i}]`)
    if (search instanceof Refusal) return search
    searches.push(search)
  }
  const results = searches.reduce((sum, { limit }) => sum + (limit <= PAGE_LIMIT_MAX ? limit : 0), 0)
  return isIncluding && results > SEARCHES_INCLUDING_MAX ? invalidParameter('queries', INCLUDING_RULE) : searches
}

function readSearch(sent: unknown, name: string): SentSearch | Refusal {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return invalidParameter(name, 'must be an object with q')
  const unknown = refuseUnknown(sent, QUERY_FIELDS, `${name}.`)
  if (unknown !== undefined) return unknown
  const { q, level, within = '', rate, limit, offset } = sent as Record<string, unknown>
  if (typeof q !== 'string') return invalidParameter(`${name}.q`, 'must be a string')
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
