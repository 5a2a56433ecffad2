/**
 * Open loop: requests are sent at their times, whether or not earlier ones are answered, as callers who know nothing
 * of each other do. Latency counts from the time at which a request was due. A server that stalls therefore
 * pays for every request that came due meanwhile, also for those that waited for a free connection; a closed loop
 * would have left them out ("coordinated omission").
 */
import { performance } from 'node:perf_hooks'
import { Connection, type Target } from './connection.js'
import { Latencies, type Percentiles } from './latencies.js'

const LEAD_MS = 20
/** Further away than this a timer is exact enough; nearer, the loop spins. */
const SPIN_MS = 2.5
/** How long a timer may sleep: the schedule may learn of an earlier request meanwhile. */
const SLEEP_MS = 20
/** An answer that takes longer is not waited for. */
const ANSWER_MS = 30_000
const REOPEN_MS = 250
/** Without any connection for so long, nobody is there any more. */
const AWAY_MS = 5_000
const LOOK_MS = 500

export interface Outgoing {
  bytes: Buffer
  isHead?: boolean
}

/** What is to be sent and when. It may still be growing while it is sent. */
export interface Schedule<Request extends Outgoing> {
  /** When the next request is due, in milliseconds from the start, never falling; Infinity where none is known. */
  readonly nextMs: number
  /** When the last one is due; Infinity while that is not known. */
  readonly endMs: number
  /** The next request. */
  take(): Request
}

export interface OnTimeOptions<Request extends Outgoing> {
  target: Target
  schedule: Schedule<Request>
  connections: number
  /** How long answers may take after the last request was due; Infinity waits for each as long as for any. */
  graceMs: number
  /** What is due before is sent but not timed, while this process and the server compile their code. */
  warmMs?: number
  /** `sent`: for a schedule that wants everything at once, where the wait for a connection is no fault. */
  latencyFrom?: 'due' | 'sent'
  /** Told of every answer; `status` 0 is none, because the connection broke or nothing came in time. */
  onAnswer(request: Request, status: number): void
  signal?: AbortSignal
}

export interface OnTimeResult {
  sent: number
  answered: number
  /** Connections that broke, or were given up, before their answer came. */
  failures: number
  lastFailure: string | undefined
  /** Sent, but not answered when the time was over. */
  pending: number
  /** Due, but never sent. */
  unsent: number
  /** Sent late because no connection was free when they were due. */
  waited: number
  /** Nobody was there to connect to any more. */
  isAway: boolean
  seconds: number
  latency: Percentiles
  /** How late requests went out although a connection was free: what the generator itself adds. */
  lateness: Percentiles
}

class OnTime<Request extends Outgoing> {
  readonly #options: OnTimeOptions<Request>
  readonly #latencies = new Latencies()
  readonly #lateness = new Latencies()
  readonly #idle: Connection<Request>[] = []
  readonly #all = new Set<Connection<Request>>()
  #startMs = 0
  #connectedMs = 0
  #lookedMs = 0
  #isFinished = false
  #sent = 0
  #answered = 0
  #failures = 0
  #waited = 0
  #lastFailure: Error | undefined

  constructor(options: OnTimeOptions<Request>) {
    this.#options = options
  }

  async run(): Promise<OnTimeResult> {
    const { connections, schedule, latencyFrom } = this.#options
    await Promise.all(Array.from({ length: connections }, () => this.#open()))
    this.#startMs = performance.now() + LEAD_MS
    await new Promise<void>(resolve => this.#tick(resolve))
    const endMs = performance.now()
    this.#isFinished = true
    // what was never answered took at least until now; leaving it out would hide the worst
    let pending = 0
    for (const connection of this.#all) {
      if (connection.carried !== undefined) {
        pending++
        this.#time(connection, endMs)
        this.#options.onAnswer(connection.carried, 0)
      }
      connection.close()
    }
    let unsent = 0
    for (; this.#dueMs <= endMs; unsent++) {
      if (latencyFrom !== 'sent') this.#add(this.#latencies, this.#dueMs, endMs)
      this.#options.onAnswer(schedule.take(), 0)
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

  /** When the next request is due, on this process's clock. */
  get #dueMs(): number {
    return this.#startMs + this.#options.schedule.nextMs
  }

  #add(list: Latencies, dueMs: number, nowMs: number): void {
    if (dueMs - this.#startMs >= (this.#options.warmMs ?? 0)) list.add(nowMs - dueMs)
  }

  #time(connection: Connection<Request>, nowMs: number): void {
    if (this.#options.latencyFrom === 'sent') this.#latencies.add(nowMs - connection.sentMs)
    else this.#add(this.#latencies, connection.dueMs, nowMs)
  }

  readonly #tick = (done: () => void): void => {
    const now = performance.now()
    while (this.#idle.length > 0 && this.#dueMs <= now) {
      this.#add(this.#lateness, this.#dueMs, now)
      this.#send(this.#idle.pop() as Connection<Request>, now)
    }
    if (now - this.#lookedMs > LOOK_MS) this.#look(now)
    if (this.#isDone(now)) return done()
    const untilDueMs = this.#dueMs - now
    // without a free connection the next answer sends what is due
    if (this.#idle.length > 0 && untilDueMs <= SPIN_MS) setImmediate(this.#tick, done)
    else setTimeout(this.#tick, Math.max(1, Math.min(SLEEP_MS, untilDueMs - SPIN_MS)), done)
  }

  #isDone(now: number): boolean {
    const { schedule, graceMs, signal } = this.#options
    if (signal?.aborted || this.#isAway(now)) return true
    const isAllSent = schedule.endMs < Number.POSITIVE_INFINITY && schedule.nextMs === Number.POSITIVE_INFINITY
    if (isAllSent && this.#answered + this.#failures >= this.#sent) return true
    return now > this.#startMs + schedule.endMs + graceMs
  }

  #isAway(now: number): boolean {
    return this.#all.size === 0 && now - this.#connectedMs > AWAY_MS
  }

  /** Gives up on answers that take too long. */
  #look(now: number): void {
    this.#lookedMs = now
    if (this.#all.size > 0) this.#connectedMs = now
    for (const connection of this.#all)
      if (connection.carried !== undefined && now - connection.sentMs > ANSWER_MS)
        connection.breakOff(new Error(`no answer within ${ANSWER_MS / 1000} seconds`))
  }

  #send(connection: Connection<Request>, now: number): void {
    connection.dueMs = this.#dueMs
    connection.sentMs = now
    const request = this.#options.schedule.take()
    connection.carried = request
    this.#sent++
    connection.send(request.bytes, request.isHead)
  }

  readonly #onAnswer = (status: number, connection: Connection<Request>): void => {
    const now = performance.now()
    const request = connection.carried
    if (request === undefined) {
      // a server that says good-bye to an idle connection
      if (connection.isOver) this.#replace(connection)
      return
    }
    this.#time(connection, now)
    this.#answered++
    connection.carried = undefined
    this.#options.onAnswer(request, status)
    if (connection.isOver) this.#replace(connection)
    else if (this.#dueMs <= now) {
      this.#waited++
      this.#send(connection, now)
    } else this.#idle.push(connection)
  }

  readonly #onEnd = (error: Error | undefined, connection: Connection<Request>): void => {
    const request = connection.carried
    if (request !== undefined) {
      this.#failures++
      this.#lastFailure = error ?? new Error('the connection was closed without an answer')
      this.#time(connection, performance.now())
      this.#options.onAnswer(request, 0)
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
    const connection = await Connection.open(this.#options.target, this.#onAnswer, this.#onEnd)
    if (this.#isFinished) return connection.close()
    this.#connectedMs = performance.now()
    this.#all.add(connection)
    this.#idle.push(connection)
  }

  /** A server that restarts is back soon; one that is gone is not asked for ever. */
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
