/** Sends one call, with timeout, retries and entity tags. Handles HTTP and the envelope, not the endpoints. */
import { answerText } from './answer-text.js'
import { HsapiError, type HsapiErrorOptions } from './error.js'
import { TaggedAnswers } from './tagged-answers.js'

export interface ClientOptions {
  /** The server's address, such as `http://127.0.0.1:8080`; may have a path that precedes `/api/v1`. */
  url: string
  /** The API key; `health` works without a key. */
  key?: string
  /** Maximum time for one attempt, including reading the body; default 10,000. */
  timeoutMs?: number
  /** Number of retries after 429, 502, 503, 504 or a broken connection; default 2. */
  retries?: number
  /** Longest wait before a retry. If `Retry-After` is longer, the error is thrown at once. Default 60,000. */
  waitMsMax?: number
  /** Characters that the cache of answers with an entity tag may hold; default 2,000,000, 0 disables the cache. */
  cacheCharacters?: number
  /** Maximum size of an answer; a longer one is an error. Default 16,777,216. */
  answerBytesMax?: number
  /** Number of concurrent requests of `resolve`, `classify` and `searchMany`; default 4. */
  concurrency?: number
  /**
   * Codes per request of `resolve`, default 1,000; `classify` sends at most 100 titles. Each counts as a request: choose a
   * number below the key's limit per minute.
   */
  batch?: number
  /** Replaces the platform's fetch. */
  fetch?: typeof fetch
  /** Replaces the wait before a retry, in tests. */
  sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

export interface CallOptions {
  /** Aborts the call; its reason is thrown. */
  signal?: AbortSignal
}

/** The key's limits, from the latest response. */
export interface Limits {
  limitMinute: number
  remainingMinute: number
  limitDay: number
  remainingDay: number
}

export interface Call extends CallOptions {
  path: string
  query?: Record<string, string | number | undefined>
  /** A request with a body is a POST. */
  body?: string
  /** Number of requests that the call counts as. */
  weight?: number
  /** Repeats the request as often as the server sends `Retry-After`. */
  isPatient?: boolean
}

export interface Envelope {
  data: unknown
  /** Present only if a search requests facets. */
  facets?: unknown
  meta: Record<string, unknown>
}

/** `waitMs` is undefined if a retry cannot help. */
type Outcome = { envelope: Envelope } | { error: HsapiError; waitMs: number | undefined }

const TIMEOUT_MS = 10_000
const RETRIES = 2
const WAIT_MS_MAX = 60_000
/** Longest delay that setTimeout accepts. */
const TIMER_MS_MAX = 2 ** 31 - 1
const CACHE_CHARACTERS = 2_000_000
/** The longest answer, for 1,000 codes, is about 1 MB. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024
/** Exponential backoff without Retry-After; the delay is random, between half and all of the computed time. */
const BACKOFF_MS = 200
const BACKOFF_MS_MAX = 5_000
/** Jitter added to Retry-After, so that refused callers do not all return at the same moment. */
const JITTER_MS = 250
/** Statuses that are retried. All requests are read-only, so a repeat only affects the request count. */
const RETRIED = new Set([429, 502, 503, 504])

export class Transport {
  limits: Limits | undefined
  readonly #base: string
  readonly #key: string | undefined
  readonly #timeoutMs: number
  readonly #retries: number
  readonly #waitMsMax: number
  readonly #answerBytesMax: number
  readonly #fetch: typeof fetch
  readonly #sleep: NonNullable<ClientOptions['sleep']>
  readonly #cache: TaggedAnswers | undefined

  constructor(options: ClientOptions) {
    this.#base = baseOf(options.url)
    this.#key = options.key
    this.#timeoutMs = numberOf('timeoutMs', options.timeoutMs ?? TIMEOUT_MS, 1, TIMER_MS_MAX)
    this.#retries = numberOf('retries', options.retries ?? RETRIES, 0)
    this.#waitMsMax = numberOf('waitMsMax', options.waitMsMax ?? WAIT_MS_MAX, 0, TIMER_MS_MAX)
    this.#answerBytesMax = numberOf('answerBytesMax', options.answerBytesMax ?? ANSWER_BYTES_MAX, 1)
    const cache = numberOf('cacheCharacters', options.cacheCharacters ?? CACHE_CHARACTERS, 0)
    this.#cache = cache === 0 ? undefined : new TaggedAnswers(cache)
    // browsers reject a fetch called with another `this`
    const given = options.fetch ?? fetch
    this.#fetch = (input, init) => given(input, init)
    this.#sleep = options.sleep ?? sleep
  }

  async ask(call: Call): Promise<Envelope> {
    for (let tries = 0; ; tries++) {
      call.signal?.throwIfAborted()
      const outcome = await this.#try(call, tries)
      if ('envelope' in outcome) return outcome.envelope
      const { error, waitMs } = outcome
      const isLast = tries >= this.#retries && !(call.isPatient && error.retryAfter !== undefined)
      if (waitMs === undefined || waitMs > this.#waitMsMax || isLast) throw error
      await this.#sleep(waitMs + Math.random() * JITTER_MS, call.signal)
    }
  }

  async #try(call: Call, tries: number): Promise<Outcome> {
    const url = this.#base + call.path + queryText(call.query)
    const cached = call.body === undefined ? this.#cache?.get(url) : undefined
    const timeout = AbortSignal.timeout(this.#timeoutMs)
    try {
      const response = await this.#fetch(url, {
        method: call.body === undefined ? 'GET' : 'POST',
        headers: this.#headers(call, cached?.tag),
        ...(call.body !== undefined && { body: call.body }),
        signal: call.signal === undefined ? timeout : AbortSignal.any([timeout, call.signal]),
        // the target of a redirect must not receive the key
        redirect: 'error',
      })
      // read to the end, because a connection with an unread body cannot be reused
      const text = await answerText(response, this.#answerBytesMax)
      if (text === undefined) return { error: longError(url, response.status, this.#answerBytesMax), waitMs: undefined }
      return this.#read(call, url, response, response.status === 304 && cached ? cached.text : text, tries)
    } catch (cause) {
      call.signal?.throwIfAborted()
      if (timeout.aborted) return { error: lateError(url, this.#timeoutMs, cause), waitMs: undefined }
      return { error: lostError(url, cause), waitMs: backoffMs(tries) }
    }
  }

  #headers(call: Call, tag: string | undefined): Record<string, string> {
    return {
      Accept: 'application/json',
      ...(this.#key !== undefined && { 'X-Api-Key': this.#key }),
      ...(call.body !== undefined && { 'Content-Type': 'application/json' }),
      ...(tag !== undefined && { 'If-None-Match': tag }),
    }
  }

  #read(call: Call, url: string, response: Response, text: string, tries: number): Outcome {
    const { status, headers } = response
    this.limits = limitsOf(headers) ?? this.limits
    const json = parsed(text)
    if (json?.success === true && json.meta !== undefined && (response.ok || status === 304)) {
      const tag = headers.get('etag')
      if (status === 200 && tag !== null && call.body === undefined) this.#cache?.set(url, { tag, text })
      return { envelope: json as Envelope }
    }
    const retryAfter = retryAfterOf(headers)
    const error = new HsapiError({ ...refusalOf(json, url, status), status, retryAfter })
    const isImpossible = status === 429 && (call.weight ?? 1) > callWeightMax(this.limits)
    if (!RETRIED.has(status) || isImpossible) return { error, waitMs: undefined }
    return { error, waitMs: retryAfter === undefined ? backoffMs(tries) : retryAfter * 1000 }
  }
}

type Refused = Pick<HsapiErrorOptions, 'code' | 'message' | 'details'>

function refusalOf(json: Json | undefined, url: string, status: number): Refused {
  const error = json?.success === false ? json.error : undefined
  if (typeof error?.code === 'string' && typeof error.message === 'string') return error
  return { code: 'unexpected_answer', message: `${url} answered ${status} with a body that is not hsapi's.` }
}

/** The maximum number of requests that one call may count as; the server always refuses larger calls. */
export function callWeightMax(limits: Limits | undefined): number {
  return limits === undefined ? Number.POSITIVE_INFINITY : Math.min(limits.limitMinute, limits.limitDay)
}

function lateError(url: string, ms: number, cause: unknown): HsapiError {
  return new HsapiError({ code: 'timeout', message: `${url} did not answer within ${ms} ms.`, cause })
}

function longError(url: string, status: number, bytesMax: number): HsapiError {
  const message = `${url} answered with more than ${bytesMax} bytes.`
  return new HsapiError({ code: 'unexpected_answer', message, status })
}

function lostError(url: string, cause: unknown): HsapiError {
  // fetch hides the reason in the cause
  const { message, cause: within } = cause as Error
  const reason = within instanceof Error && within.message !== '' ? within.message : message
  return new HsapiError({ code: 'network_error', message: `${url} is unreachable: ${reason}`, cause })
}

function backoffMs(tries: number): number {
  const most = Math.min(BACKOFF_MS * 2 ** tries, BACKOFF_MS_MAX)
  return most / 2 + (Math.random() * most) / 2
}

type Json = Partial<Envelope> & { success?: unknown; error?: Refused }

function parsed(text: string): Json | undefined {
  try {
    const json = JSON.parse(text)
    return typeof json === 'object' && json !== null ? json : undefined
  } catch {
    return undefined
  }
}

/** Seconds to wait. If Retry-After is a date, it is compared with the Date header of the response, or else the local clock. */
function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const untilMs = dateMs(text)
  if (untilMs === undefined) return undefined
  return Math.max(0, Math.ceil((untilMs - (dateMs(headers.get('date') ?? '') ?? Date.now())) / 1000))
}

/** HTTP dates are in GMT; Date.parse would read a date without GMT in the local time zone. */
function dateMs(text: string): number | undefined {
  const ms = text.endsWith('GMT') ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

function limitsOf(headers: Headers): Limits | undefined {
  const figure = (name: string) => Number(headers.get(`x-ratelimit-${name}`) ?? Number.NaN)
  const limits: Limits = {
    limitMinute: figure('limit-minute'),
    remainingMinute: figure('remaining-minute'),
    limitDay: figure('limit-day'),
    remainingDay: figure('remaining-day'),
  }
  return Object.values(limits).some(Number.isNaN) ? undefined : limits
}

function queryText(query: Call['query'] = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value))
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

function baseOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol) || parsed.search !== '')
    throw new TypeError(`url is "${url}"; it must be an address such as http://127.0.0.1:8080`)
  let path = parsed.pathname
  while (path.endsWith('/')) path = path.slice(0, -1)
  return parsed.origin + path
}

export function numberOf(name: string, value: number, min: number, max = Number.MAX_SAFE_INTEGER): number {
  if (!(Number.isFinite(value) && value >= min && value <= max))
    throw new TypeError(`${name} is ${value}; it must be a number from ${min} to ${max}`)
  return value
}

async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}
