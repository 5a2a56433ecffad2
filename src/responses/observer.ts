/** Times, counts and logs responses. */
import type { Clock } from '../clock.js'
import type { HttpRequest } from '../engines/engine.js'
import { readMethod, readTarget } from '../engines/request.js'
import type { Tally } from '../metrics/tally.js'
import { type Head, RESPONSE_KINDS } from './head.js'

export interface Access {
  timeMs: number
  method: string
  target: string
  route: string
  /** Never the key itself; '' without a known key. */
  keyId: string
  status: number
  microseconds: number
  bytes: number
}

/** Must not block. */
export type AccessLog = (access: Access) => void

/** One request in this many is timed, since reading the clock is costly compared to a lookup. */
const TIMED_OF = 8

export interface Observers {
  tally?: Tally | undefined
  access?: AccessLog | undefined
  routeNames: readonly string[]
  /** Of the current request; '' without a known key. */
  keyId(): string
}

export interface ObservedRequest {
  route: number
  /** 0 if the request is not timed. */
  sinceMs: number
  method: string
  target: string
}

export class ResponseObserver {
  readonly #observers: Observers
  readonly #clock: Clock
  #untimed = 0
  readonly #request: ObservedRequest = { route: 0, sinceMs: 0, method: '', target: '' }

  constructor(observers: Observers, clock: Clock) {
    this.#observers = observers
    this.#clock = clock
  }

  begin(req: HttpRequest, route: number): void {
    const isLogged = this.#observers.access !== undefined
    const request = this.#request
    request.route = route
    request.sinceMs = isLogged || ++this.#untimed % TIMED_OF === 0 ? performance.now() : 0
    if (!isLogged) return
    request.method = readMethod(req)
    request.target = readTarget(req)
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

  count(head: Head, bytes: number): void {
    const { tally, access, routeNames, keyId } = this.#observers
    const { route, sinceMs, method, target } = this.#request
    const microseconds = sinceMs !== 0 ? (performance.now() - sinceMs) * 1000 : 0
    tally?.count(route, head.kind, bytes)
    if (microseconds > 0) tally?.time(route, microseconds)
    access?.({
      timeMs: this.#clock.now(),
      method,
      target,
      route: routeNames[route] ?? '',
      keyId: keyId(),
      status: RESPONSE_KINDS[head.kind]?.status ?? 0,
      microseconds,
      bytes,
    })
  }
}
