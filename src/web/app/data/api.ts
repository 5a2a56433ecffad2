/** Sends the pages' requests to the API. Errors are returned as values, not thrown. */
import { signal } from '@preact/signals'
import type { ErrorDetails, Facets, HsRecord, LookupExtras, PathStep, SearchExtras, SearchItem } from '../../../answers/shapes.js'
import { type Answer, keepInMemory, type Meta, recallAnswer, type Trouble } from './answer.js'
import { forCountry, noteCountryOf, refuseCountry } from './country.js'
import type { FirstAnswer } from './first-paths.js'
import { askModeAgain, currentKey, forgetKeptAnswers, hasKeptKey, keptKey } from './key.js'
import { keepForOffline, keptAnswer } from './offline.js'

/** A code in a list or on a page. Search leaves out `level` and `is_active`; `include` adds the other fields. */
export type Code = SearchItem & Partial<HsRecord & LookupExtras & SearchExtras>
export type Step = PathStep
export type { Charge, CountryEstimate, Dataset, RateOrigin, Resolved, Section, Suggestion } from '../../../answers/shapes.js'

interface Refusal {
  error?: { code: string; message: string; details?: ErrorDetails }
}

export const isAbort = (error: unknown) => error instanceof DOMException && error.name === 'AbortError'

/** Read from the last answer's headers. */
export const limits = signal({ limit: 600, remaining: 600, limitDay: 600, remainingDay: 600 })

function watchLimits(headers: Headers): void {
  const before = limits.peek()
  const read = (name: string, known: number, least: number) => {
    const value = Number(headers.get(`X-RateLimit-${name}`) ?? Number.NaN)
    return value >= least ? value : known
  }
  limits.value = {
    limit: read('Limit-Minute', before.limit, 1),
    remaining: read('Remaining-Minute', before.remaining, 0),
    limitDay: read('Limit-Day', before.limitDay, 1),
    remainingDay: read('Remaining-Day', before.remainingDay, 0),
  }
}

const missingOf = (details: ErrorDetails = {}): Trouble => ({
  kind: 'missing',
  nearest: details.nearest ?? null,
  movedTo: details.moved_to ?? [],
})

function troubleOf(response: Response, refusal: Refusal): Trouble {
  const { code = '', message = '', details } = refusal.error ?? {}
  const seconds = Math.max(1, Number(response.headers.get('Retry-After')) || 1)
  if (response.status === 429) return { kind: 'limit', seconds }
  if (response.status === 503) return { kind: 'starting', seconds }
  if (code === 'missing_api_key') return { kind: 'key', reason: 'missing' }
  if (response.status === 401) return { kind: 'key', reason: code === 'api_key_expired' ? 'expired' : 'wrong' }
  if (code === 'not_found') return missingOf(details)
  if (response.status < 500 && code !== '') return { kind: 'refused', code, message, parameter: details?.parameter ?? '' }
  // the response of a proxy that cannot reach the server
  if (response.status === 502 || response.status === 504) return { kind: 'offline' }
  return { kind: 'broken', id: details?.request_id ?? null }
}

export interface Options {
  signal?: AbortSignal
  /** A request with a body is a POST. */
  body?: unknown
}

async function send<T>(path: string, options: Options, mayAskMode: boolean): Promise<Answer<T>> {
  const key = await currentKey()
  if (key === null) return { kind: 'key', reason: 'missing' }
  const answer = await sendWith<T>(key, path, options)
  if (answer.kind === 'key' && hasKeptKey()) void forgetKeptAnswers()
  if (answer.kind !== 'key' || !mayAskMode || hasKeptKey()) return answer
  askModeAgain()
  return send(path, options, false)
}

async function sendWith<T>(key: string, path: string, { signal, body }: Options): Promise<Answer<T>> {
  const headers: Record<string, string> = { 'X-Api-Key': key }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  const init: RequestInit = { headers, signal: signal ?? null }
  if (body !== undefined) Object.assign(init, { method: 'POST', body: JSON.stringify(body) })
  const response = await fetch(`/api/v1/${path}`, init)
  watchLimits(response.headers)
  const text = await response.text()
  if (response.ok) {
    const { data, meta, facets } = JSON.parse(text) as { data: T; meta: Meta; facets?: Partial<Facets> }
    return { kind: 'ok', data, meta, facets, text }
  }
  let refusal: Refusal = {}
  try {
    refusal = JSON.parse(text) as Refusal
  } catch {}
  return troubleOf(response, refusal)
}

/** The cached answer, if any. */
export function recall<T>(path: string): Answer<T> | undefined {
  return recallAnswer<T>(forCountry(path))
}

/** Adds the chosen country if the answer depends on it. Rejects only when aborted. */
export async function ask<T>(path: string, options: Options = {}): Promise<Answer<T>> {
  const known = options.body === undefined ? recall<T>(path) : undefined
  if (known !== undefined) return known
  // the parameters of a POST are in its body
  const full = options.body === undefined ? forCountry(path) : path
  const key = keptKey()
  let answer: Answer<T>
  try {
    answer = await send<T>(full, options, true)
  } catch (error) {
    if (isAbort(error) || options.signal?.aborted) throw new DOMException('', 'AbortError')
    answer = error instanceof SyntaxError ? { kind: 'broken', id: null } : { kind: 'offline' }
  }
  if (options.body === undefined) {
    if (answer.kind === 'ok') {
      keepInMemory(full, answer)
      keepForOffline(full, answer.text, key)
    } else if (answer.kind === 'offline') answer = (await keptAnswer<T>(full)) ?? answer
    if (answer.kind === 'ok') noteCountryOf(answer.data)
  }
  if (answer.kind === 'refused' && answer.parameter === 'country') refuseCountry()
  return answer
}

/** `path` already includes the country. */
export function rememberAnswer(path: string, { data, meta, error }: FirstAnswer): void {
  if (error !== undefined) return keepInMemory(path, missingOf(error.details))
  const figures = meta ?? { total: 1, count: 1 }
  keepInMemory(path, { kind: 'ok', data, meta: figures, text: '' })
  keepForOffline(path, JSON.stringify({ data, meta: figures }), keptKey())
}

export const remember = (path: string, answer: Answer<unknown>) => keepInMemory(forCountry(path), answer)

/** Updates `limits` with a health check, which does not count as a request. */
export async function refreshLimits(signal: AbortSignal): Promise<void> {
  try {
    await send('health', { signal }, true)
  } catch {
    // ignored: the next request shows what is wrong
  }
}

/** Checks a key with the server, without storing it. */
export async function checkKey(key: string): Promise<'good' | 'wrong' | 'expired' | 'unchecked'> {
  try {
    const answer = await sendWith(key, 'dataset', {})
    if (answer.kind === 'key') return answer.reason === 'expired' ? 'expired' : 'wrong'
    // the server checks a key before its limits
    return answer.kind === 'ok' || answer.kind === 'limit' ? 'good' : 'unchecked'
  } catch {
    return 'unchecked'
  }
}
