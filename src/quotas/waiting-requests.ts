/** Requests that wait for Redis, and their deadlines. */
import type { Verdict } from './verdict.js'

/** A gap of more than TICK_MS_MAX between ticks means that this process stalled, not that Redis is slow. */
const TICK_MS = 5
const TICK_MS_MAX = 10

/** `verdict` is undefined if the request must be decided locally; `nowMs` is Redis time. */
export type Decided = (verdict: Verdict | undefined, charge: number, nowMs: number) => void

export interface Waiter {
  /** Must be called when the client has disconnected. */
  cancel(): void
}

export class WaitingRequest<Round> implements Waiter {
  isOver = false
  round: Round | undefined

  constructor(
    readonly slot: number,
    readonly charge: number,
    /** Measured in the time of `#awakeMs`. */
    readonly deadlineMs: number,
    readonly decided: Decided,
    readonly cancel: () => void,
  ) {}
}

export class WaitingRequests<Round> {
  /** The waiting requests, the oldest first. */
  readonly #waiting = new Set<WaitingRequest<Round>>()
  #ticker: NodeJS.Timeout | undefined
  #tickedMs = 0
  /** Time during which requests waited, not counting stalls of this process. */
  #awakeMs = 0

  /** Calls `onLate` when a request has waited for `waitMs`. */
  constructor(
    private readonly waitMs: number,
    private readonly now: () => number,
    private readonly onLate: () => void,
  ) {}

  get size(): number {
    return this.#waiting.size
  }

  add(slot: number, charge: number, decided: Decided): WaitingRequest<Round> {
    const deadlineMs = this.#awakeMs + this.waitMs
    const request: WaitingRequest<Round> = new WaitingRequest(slot, charge, deadlineMs, decided, () => this.end(request))
    this.#waiting.add(request)
    this.#startTicking()
    return request
  }

  end(request: WaitingRequest<Round>): void {
    request.isOver = true
    this.#waiting.delete(request)
  }

  all(): WaitingRequest<Round>[] {
    return [...this.#waiting]
  }

  #startTicking(): void {
    if (this.#ticker !== undefined) return
    this.#tickedMs = this.now()
    // one turn later, so that a response that has already arrived is read first
    this.#ticker = setInterval(() => setImmediate(() => this.#tick()), TICK_MS)
  }

  #tick(): void {
    const now = this.now()
    this.#awakeMs += Math.min(TICK_MS_MAX, Math.max(0, now - this.#tickedMs))
    this.#tickedMs = now
    const [oldest] = this.#waiting
    if (oldest === undefined) this.close()
    else if (oldest.deadlineMs <= this.#awakeMs) this.onLate()
  }

  close(): void {
    clearInterval(this.#ticker)
    this.#ticker = undefined
  }
}
