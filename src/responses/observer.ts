/** Times, counts and logs responses. */
import type { Clock } from '../clock.js'
import type { HttpRequest, HttpResponse } from '../engines/engine.js'
import { readMethod, readTarget, readTraceparent } from '../engines/request.js'
import type { Tally } from '../metrics/tally.js'
import type { Decision } from '../quotas/decision.js'
import { type Head, RESPONSE_KINDS } from './head.js'

export interface Access {
  timeMs: number
  method: string
  target: string
  route: string
  /** The id of the key, never the key itself; '' if the request had no known key. */
  keyId: string
  status: number
  microseconds: number
  bytes: number
  /** '' if unknown. This field and `requestId` are undefined if they are not logged. */
  address?: string | undefined
  requestId?: string | undefined
  /** The W3C header `traceparent`, if the client sent a valid one. */
  traceparent?: string | undefined
}

/** Must not block. */
export type AccessLog = (access: Access) => void

/** Counts searches and their results. */
export interface SearchObserver {
  /** A search by GET, with its query string. */
  answered(queryText: string, total: number, offset: number): void
  /** One of several searches in a body. */
  answeredOne(words: string, total: number, isFiltered: boolean): void
}

const IS_REFUSED = RESPONSE_KINDS.map(({ status }) => status === 429)

/** Without an access log, one request in this many is timed: reading the clock is slow compared to a lookup. */
const TIMED_OF = 8

export interface Observers {
  tally?: Tally | undefined
  access?: AccessLog | undefined
  routeNames: readonly string[]
  keyIdOf(decision: Decision): string
  /** Undefined if addresses are not logged. */
  address?: ((req: HttpRequest, res: HttpResponse) => string) | undefined
}

export interface ObservedRequest {
  route: number
  /** 0 if the request is not timed. */
  sinceMs: number
  method: string
  target: string
  address: string | undefined
  traceparent: string | undefined
}

export class ResponseObserver {
  readonly #observers: Observers
  readonly #clock: Clock
  #untimed = 0
  readonly #request: ObservedRequest = {
    route: 0,
    sinceMs: 0,
    method: '',
    target: '',
    address: undefined,
    traceparent: undefined,
  }

  constructor(observers: Observers, clock: Clock) {
    this.#observers = observers
    this.#clock = clock
  }

  begin(req: HttpRequest, res: HttpResponse, route: number): void {
    const isLogged = this.#observers.access !== undefined
    const request = this.#request
    request.route = route
    request.sinceMs = isLogged || ++this.#untimed % TIMED_OF === 0 ? performance.now() : 0
    if (!isLogged) return
    request.method = readMethod(req)
    request.target = readTarget(req)
    request.address = this.#observers.address?.(req, res)
    request.traceparent = readTraceparent(req)
  }

  /** The `traceparent` of the current request, if requests are logged. */
  get traceparent(): string | undefined {
    return this.#request.traceparent
  }

  pause(): ObservedRequest {
    return { ...this.#request }
  }

  resume(request: ObservedRequest): void {
    Object.assign(this.#request, request)
  }

  addDelay(ms: number): void {
    if (this.#request.sinceMs !== 0) this.#request.sinceMs -= ms
  }

  count(head: Head, bytes: number, requestId: string, decision: Decision): void {
    const { tally, access, routeNames, keyIdOf } = this.#observers
    const { route, sinceMs, method, target, address, traceparent } = this.#request
    const microseconds = sinceMs !== 0 ? (performance.now() - sinceMs) * 1000 : 0
    if (tally !== undefined) {
      tally.count(route, head.kind, bytes)
      tally.countKey(decision.slot, IS_REFUSED[head.kind] as boolean)
    }
    if (microseconds > 0) tally?.time(route, microseconds)
    access?.({
      timeMs: this.#clock.now(),
      method,
      target,
      route: routeNames[route] ?? '',
      keyId: keyIdOf(decision),
      status: RESPONSE_KINDS[head.kind]?.status ?? 0,
      microseconds,
      bytes,
      address,
      requestId: requestId === '' ? undefined : requestId,
      traceparent,
    })
  }
}
