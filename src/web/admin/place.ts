/** The part of the list of keys that the page shows. The address contains it, so that reload and Back show the same keys. */

export const PAGE = 100
export const STATUSES = ['all', 'active', 'expired', 'revoked'] as const

export interface Place {
  readonly search: string
  readonly status: (typeof STATUSES)[number]
  readonly offset: number
}

export function placeIn(query: string): Place {
  const given = new URLSearchParams(query)
  const page = Number(given.get('page') ?? 1)
  return {
    search: given.get('search') ?? '',
    status: STATUSES.find(one => one === given.get('status')) ?? 'all',
    offset: Number.isInteger(page) && page > 0 ? (page - 1) * PAGE : 0,
  }
}

/** Keeps other parameters of the current `query`, such as the language. */
export function addressOf({ search, status, offset }: Place, query: string): string {
  const next = new URLSearchParams(query)
  const set = (name: string, value: string, none: string) => (value === none ? next.delete(name) : next.set(name, value))
  set('search', search, '')
  set('status', status, 'all')
  set('page', String(offset / PAGE + 1), '1')
  return next.size === 0 ? '/' : `/?${next}`
}

export function keysPath({ search, status, offset }: Place): string {
  const query = new URLSearchParams({ limit: String(PAGE), offset: String(offset) })
  if (search !== '') query.set('search', search)
  if (status !== 'all') query.set('status', status)
  return `/keys?${query}`
}
