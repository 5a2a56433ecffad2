/** Requests that wait for the store, and for how long. */
import type { Verdict } from './verdict.js'

/** Tick length; longer gaps count as our own stall, not as latency of the store. */
const TICK_MS = 5
const TICK_MS_MAX = 10

/** The verdict, or undefined where it has to be found without the store; by the store's clock. */
export type Decided = (verdict: Verdict | undefined, charge: number, nowMs: number) => void

export interface Waiter {
  /** For a client that went away. */
  cancel(): void
}

export class WaitingRequest<Round> implements Waiter {
  isOver = false
  /** The round trip that it is part of, once that began. */
  round: Round | undefined

  constructor(
    readonly slot: number,
    readonly charge: number,
    /** In time that we were awake. */
    readonly deadlineMs: number,
    readonly decided: Decided,
    readonly cancel: () => void,
  ) {}
}

export class WaitingRequests<Round> {
  readonly #waitMs: number
  readonly #now: () => number
  readonly #onLate: () => void
  /** The longest waiting first. */
  readonly #waiting = new Set<WaitingRequest<Round>>()
  #ticker: NodeJS.Timeout | undefined
  #tickedMs = 0
  /** Time that passed while something waited, without our own stalls. */
  #awakeMs = 0

  /** `onLate` is told when a request has waited for `waitMs`. */
  constructor(waitMs: number, now: () => number, onLate: () => void) {
    this.#waitMs = waitMs
    this.#now = now
    this.#onLate = onLate
  }

  get size(): number {
    return this.#waiting.size
  }

  add(slot: number, charge: number, decided: Decided): WaitingRequest<Round> {
    const deadlineMs = this.#awakeMs + this.#waitMs
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
    this.#tickedMs = this.#now()
    // after a turn of the event loop, so that an answer that is already here is read first
    this.#ticker = setInterval(() => setImmediate(() => this.#tick()), TICK_MS)
  }

  #tick(): void {
    const now = this.#now()
    this.#awakeMs += Math.min(TICK_MS_MAX, Math.max(0, now - this.#tickedMs))
    this.#tickedMs = now
    const [oldest] = this.#waiting
    if (oldest === undefined) this.close()
    else if (oldest.deadlineMs <= this.#awakeMs) this.#onLate()
  }

  close(): void {
    clearInterval(this.#ticker)
    this.#ticker = undefined
  }
}
