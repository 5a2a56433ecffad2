/** API paths of the search page. */
import type { SearchRoute } from '../data/address.js'
import { query } from '../data/query.js'

export const SEARCH_PAGE = 20
/** Limit of the API for `q`; a title may be longer. */
const CHARS_MAX = 200

export const searchedText = (q: string) => [...q.trim()].slice(0, CHARS_MAX).join('').trim()

export function searchPath({ q, within, level, rate }: SearchRoute, offset = 0): string {
  const page = { limit: SEARCH_PAGE, offset: offset === 0 ? null : offset, include: 'path,rate,matched' }
  return query('search', { q: searchedText(q), within, level, rate, ...page })
}
