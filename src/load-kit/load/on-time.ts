/**
 * Open loop: requests are sent when due, whether or not earlier ones are answered, and latency is measured from the due time. A
 * closed loop would hide stalls ("coordinated omission").
 */
import { Connection, type Target } from './connection.js'
import { Latencies, type Percentiles } from './latencies.js'

const LEAD_MS = 20
/** Timers are exact enough for longer waits; during shorter ones the loop spins. */
const SPIN_MS = 2.5
/** Maximum sleep, because an earlier request may be added to the schedule. */
const SLEEP_MS = 20
const ANSWER_MS = 30_000
const REOPEN_MS = 250
/** After this time without a connection, the server is considered gone. */
const AWAY_MS = 5_000
const CHECK_MS = 500

export interface Outgoing {
  bytes: Buffer
  isHead?: boolean
}

/** Requests and the times to send them. Further requests may be added while earlier ones are sent. */
export interface Schedule<Request extends Outgoing> {
  /** When the next request is due, in milliseconds from the start. Never decreases; Infinity if no request is known. */
  readonly nextMs: number
  /** When the last request is due; Infinity until known. */
  readonly endMs: number
  take(): Request
}

export interface OnTimeOptions<Request extends Outgoing> {
  target: Target
  schedule: Schedule<Request>
  connections: number
  /** How long to wait for answers after the last request was due; Infinity means the usual timeout. */
  graceMs: number
  /** Warm-up: requests due before this time are sent but not measured. */
  warmMs?: number
  /** `sent`: for schedules without pacing, where waiting for a connection is expected. */
  latencyFrom?: 'due' | 'sent'
  /** `status` 0 means no answer. */
  onAnswer(request: Request, status: number): void
  signal?: AbortSignal
}

export interface OnTimeResult {
  sent: number
  answered: number
  /** Connections that broke or timed out before an answer. */
  failures: number
  lastFailure: string | undefined
  pending: number
  unsent: number
  /** Requests that were sent late because no connection was free. */
  waited: number
  isAway: boolean
  seconds: number
  latency: Percentiles
  /** Delays while a connection was free, which the load generator itself causes. */
  lateness: Percentiles
}

class OnTime<Request extends Outgoing> {
  readonly #latencies = new Latencies()
  readonly #lateness = new Latencies()
  readonly #idle: Connection<Request>[] = []
  readonly #all = new Set<Connection<Request>>()
  #startMs = 0
  #connectedMs = 0
  #checkedMs = 0
  #isFinished = false
  #sent = 0
  #answered = 0
  #failures = 0
  #waited = 0
  #lastFailure: Error | undefined

  constructor(private readonly options: OnTimeOptions<Request>) {}

  async run(): Promise<OnTimeResult> {
    const { connections, schedule, latencyFrom } = this.options
    await Promise.all(Array.from({ length: connections }, () => this.#open()))
    this.#startMs = performance.now() + LEAD_MS
    await new Promise<void>(resolve => this.#tick(resolve))
    const endMs = performance.now()
    this.#isFinished = true
    // unanswered requests have lasted at least until now; omitting them would hide the worst latencies
    let pending = 0
    for (const connection of this.#all) {
      if (connection.context !== undefined) {
        pending++
        this.#time(connection, endMs)
        this.options.onAnswer(connection.context, 0)
      }
      connection.close()
    }
    let unsent = 0
    for (; this.#dueMs <= endMs; unsent++) {
      if (latencyFrom !== 'sent') this.#add(this.#latencies, this.#dueMs, endMs)
      this.options.onAnswer(schedule.take(), 0)
    }
    return {
      sent: this.#sent,
      answered: this.#answered,
      failures: this.#failures,
      lastFailure: this.#lastFailure?.message,
      pending,
      unsent,
      waited: this.#waited,
      isAway: this.#isAway(endMs),
      seconds: (endMs - this.#startMs) / 1000,
      latency: this.#latencies.percentiles(),
      lateness: this.#lateness.percentiles(),
    }
  }

  get #dueMs(): number {
    return this.#startMs + this.options.schedule.nextMs
  }

  #add(list: Latencies, dueMs: number, nowMs: number): void {
    if (dueMs - this.#startMs >= (this.options.warmMs ?? 0)) list.add(nowMs - dueMs)
  }

  #time(connection: Connection<Request>, nowMs: number): void {
    if (this.options.latencyFrom === 'sent') this.#latencies.add(nowMs - connection.sentMs)
    else this.#add(this.#latencies, connection.dueMs, nowMs)
  }

  readonly #tick = (done: () => void): void => {
    const now = performance.now()
    while (this.#idle.length > 0 && this.#dueMs <= now) {
      this.#add(this.#lateness, this.#dueMs, now)
      this.#send(this.#idle.pop() as Connection<Request>, now)
    }
    if (now - this.#checkedMs > CHECK_MS) this.#checkTimeouts(now)
    if (this.#isDone(now)) return done()
    const untilDueMs = this.#dueMs - now
    // without a free connection, the request that is due is sent after the next answer
    if (this.#idle.length > 0 && untilDueMs <= SPIN_MS) setImmediate(this.#tick, done)
    else setTimeout(this.#tick, Math.max(1, Math.min(SLEEP_MS, untilDueMs - SPIN_MS)), done)
  }

  #isDone(now: number): boolean {
    const { schedule, graceMs, signal } = this.options
    if (signal?.aborted || this.#isAway(now)) return true
    const isAllSent = schedule.endMs < Number.POSITIVE_INFINITY && schedule.nextMs === Number.POSITIVE_INFINITY
    if (isAllSent && this.#answered + this.#failures >= this.#sent) return true
    return now > this.#startMs + schedule.endMs + graceMs
  }

  #isAway(now: number): boolean {
    return this.#all.size === 0 && now - this.#connectedMs > AWAY_MS
  }

  #checkTimeouts(now: number): void {
    this.#checkedMs = now
    if (this.#all.size > 0) this.#connectedMs = now
    for (const connection of this.#all)
      if (connection.context !== undefined && now - connection.sentMs > ANSWER_MS)
        connection.breakOff(new Error(`no answer within ${ANSWER_MS / 1000} seconds`))
  }

  #send(connection: Connection<Request>, now: number): void {
    connection.dueMs = this.#dueMs
    connection.sentMs = now
    const request = this.options.schedule.take()
    connection.context = request
    this.#sent++
    connection.send(request.bytes, request.isHead)
  }

  readonly #onAnswer = (status: number, connection: Connection<Request>): void => {
    const now = performance.now()
    const request = connection.context
    if (request === undefined) {
      // the server closed an idle connection
      if (connection.isOver) this.#replace(connection)
      return
    }
    this.#time(connection, now)
    this.#answered++
    connection.context = undefined
    this.options.onAnswer(request, status)
    if (connection.isOver) this.#replace(connection)
    else if (this.#dueMs <= now) {
      this.#waited++
      this.#send(connection, now)
    } else this.#idle.push(connection)
  }

  readonly #onEnd = (error: Error | undefined, connection: Connection<Request>): void => {
    const request = connection.context
    if (request !== undefined) {
      this.#failures++
      this.#lastFailure = error ?? new Error('the connection was closed without an answer')
      this.#time(connection, performance.now())
      this.options.onAnswer(request, 0)
    }
    this.#replace(connection)
  }

  #replace(connection: Connection<Request>): void {
    this.#all.delete(connection)
    const place = this.#idle.indexOf(connection)
    if (place >= 0) this.#idle.splice(place, 1)
    this.#reopen()
  }

  async #open(): Promise<void> {
    const connection = await Connection.open(this.options.target, this.#onAnswer, this.#onEnd)
    if (this.#isFinished) return connection.close()
    this.#connectedMs = performance.now()
    this.#all.add(connection)
    this.#idle.push(connection)
  }

  /** Retries while the server restarts, for at most AWAY_MS. */
  #reopen(): void {
    if (this.#isFinished) return
    this.#open().catch(error => {
      this.#lastFailure = error as Error
      if (!this.#isFinished) setTimeout(() => this.#reopen(), REOPEN_MS)
    })
  }
}

export function sendOnTime<Request extends Outgoing>(options: OnTimeOptions<Request>): Promise<OnTimeResult> {
  return new OnTime(options).run()
}
