/** Requests to the admin port. The token goes in a header, and is kept only in this tab. */

export type KeyStatus = 'active' | 'expired' | 'revoked'

export interface Key {
  id: string
  name: string
  tier: string
  per_minute: number
  per_day: number
  unlimited: boolean
  expires_at: string | null
  created_at: string
  revoked_at: string | null
  rotated_at: string | null
  old_key_until?: string
}

export interface ListedKey extends Key {
  status: KeyStatus
  used_today: number | null
  used_this_minute: number | null
  last_used_on: string | null
}

export interface NewKey extends Key {
  key: string
}

export interface Usage {
  server: {
    version: string
    engine: string
    threads: number
    started_at: string
    connections: number
    memory_bytes: number
    problem: string | null
  }
  dataset?: { edition: string; version: string; records: number }
  keys: { active: number; store: 'file' | 'redis' }
  requests: { total: number; recent_seconds: number; per_second: number; series: number[] }
  latency: { p50_us: number | null; p99_us: number | null; mean_us: number | null }
  refusals: { code: string; recent: number; total: number }[]
  redis: { is_up: boolean; replicas: { id: string; seen_seconds_ago: number; is_this: boolean }[] | null } | null
}

export type Answer<T> =
  | { kind: 'ok'; data: T; total: number }
  | { kind: 'token' }
  | { kind: 'refused'; status: number; code: string; message: string }
  | { kind: 'offline' }

const KEPT = 'hsapi-admin-token'

/** If the browser forbids storage, the token lasts as long as the page. */
let token: string | null = null
try {
  token = sessionStorage.getItem(KEPT)
} catch {}

export const hasToken = () => token !== null

/** Null removes the token. */
export function keepToken(given: string | null): void {
  token = given
  try {
    if (given === null) sessionStorage.removeItem(KEPT)
    else sessionStorage.setItem(KEPT, given)
  } catch {}
}

interface Body<T> {
  data: T
  meta?: { total: number }
  error?: { code: string; message: string; details?: { reason?: string } }
}

/** Sends a POST if there is a body. */
export async function ask<T>(path: string, body?: object): Promise<Answer<T>> {
  const headers: Record<string, string> = {}
  if (token !== null) headers.Authorization = `Bearer ${token}`
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  const init: RequestInit = { headers, cache: 'no-store', credentials: 'omit' }
  if (body !== undefined) Object.assign(init, { method: 'POST', body: JSON.stringify(body) })
  try {
    const response = await fetch(path, init)
    if (response.status === 401) return { kind: 'token' }
    const text = await response.text()
    if (response.headers.get('Content-Type') !== 'application/json')
      return { kind: 'refused', status: response.status, code: '', message: text.trim() }
    const { data, meta, error } = JSON.parse(text) as Body<T>
    if (error === undefined) return { kind: 'ok', data, total: meta?.total ?? 0 }
    const { code, message, details } = error
    return { kind: 'refused', status: response.status, code, message: details?.reason ?? message }
  } catch {
    return { kind: 'offline' }
  }
}
