/** Times, counts and logs answers. */
import type { Clock } from '../clock.js'
import type { HttpRequest } from '../engines/engine.js'
import { readMethod, readTarget } from '../engines/request.js'
import type { Tally } from '../metrics/tally.js'
import type { AccessLog } from './access.js'
import { ANSWER_KINDS, type Head } from './head.js'

/** One request in so many is timed: reading the time costs as much as a good part of an answer. */
const TIMED_OF = 8

/** Where answers are counted and logged. */
export interface Watching {
  tally?: Tally | undefined
  access?: AccessLog | undefined
  routeNames: readonly string[]
  /** Of the last request that was decided on; '' without a known key. */
  keyId(): string
}

/** The request that is being answered. */
export interface WatchedRequest {
  /** The number of the route, for the tally. */
  route: number
  /** When it came, where it is timed; 0 where it is not. */
  sinceMs: number
  /** For the access log. */
  method: string
  target: string
}

export class AnswerWatch {
  readonly #watching: Watching
  readonly #clock: Clock
  #untimed = 0
  readonly #request: WatchedRequest = { route: 0, sinceMs: 0, method: '', target: '' }

  constructor(watching: Watching, clock: Clock) {
    this.#watching = watching
    this.#clock = clock
  }

  begin(req: HttpRequest, route: number): void {
    const isLogged = this.#watching.access !== undefined
    const request = this.#request
    request.route = route
    request.sinceMs = isLogged || ++this.#untimed % TIMED_OF === 0 ? performance.now() : 0
    if (!isLogged) return
    request.method = readMethod(req)
    request.target = readTarget(req)
  }

  /** A copy for a request that is answered later. */
  pause(): WatchedRequest {
    return { ...this.#request }
  }

  resume(request: WatchedRequest): void {
    Object.assign(this.#request, request)
  }

  /** The answer to this request will be held back for so long, and is timed so. */
  delayed(ms: number): void {
    if (this.#request.sinceMs !== 0) this.#request.sinceMs -= ms
  }

  count(head: Head, bytes: number): void {
    const { tally, access, routeNames, keyId } = this.#watching
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
      status: ANSWER_KINDS[head.kind]?.status ?? 0,
      microseconds,
      bytes,
    })
  }
}
