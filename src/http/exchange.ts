/**
 * A request that another protocol (MCP) answers later. The number of requests that it counts as becomes known only while it is
 * being answered.
 */
import type { Clock } from '../clock.js'
import type { Gate } from '../gate/gate.js'
import { Refusal } from '../questions/refusal.js'
import { copyDecision } from '../quotas/decision.js'
import { Verdict } from '../quotas/verdict.js'
import type { Paused } from '../responses/respond.js'
import type { Batches, Work } from './batches.js'

/** The reply of the protocol; `body` is JSON, or '' if there is none. */
export interface Reply {
  status: number
  body: string
}

export interface ReceivedMessage {
  key: string
  headers: readonly (readonly [name: string, value: string])[]
  body: unknown
}

export function exceedsLimit(requests: number, limit: number): Refusal {
  const message = `This list counts as ${requests} requests, more than this key's limit of ${limit}; send fewer items at once.`
  return new Refusal('rateLimitExceeded', message)
}

export class Exchange {
  readonly #disconnected = new AbortController()

  constructor(
    readonly sent: ReceivedMessage,
    private readonly paused: Paused,
    private readonly gate: Gate,
    private readonly clock: Clock,
    private readonly batches: Batches,
    /** Requests beyond the first that were already charged for the size of the body; `charge` subtracts them. */
    private readonly credit: number,
  ) {}

  /** Aborted when the client disconnects. */
  get signal(): AbortSignal {
    return this.#disconnected.signal
  }

  abort(): void {
    this.#disconnected.abort()
  }

  /** Counts requests beyond the first, all or none; resolves to the refusal, if any. Never settles after `abort`. */
  charge(requests: number): Promise<Refusal | undefined> {
    const due = Math.max(0, requests - this.credit)
    if (due === 0) return Promise.resolve(undefined)
    return new Promise(done => {
      const settle = (verdict: Verdict) => {
        this.paused.decision = copyDecision(this.gate.decision)
        done(verdict === Verdict.Admitted ? undefined : this.#refusalOf(verdict, due))
      }
      const verdict = this.gate.admit(this.sent.key, this.clock.now(), due)
      if (verdict !== Verdict.Waiting) return settle(verdict)
      const waiter = this.gate.wait(settle)
      this.signal.addEventListener('abort', () => waiter.cancel(), { once: true })
    })
  }

  /** Charges `requests` for a list (the first is already paid), then does one part of the work per turn of the event loop. */
  async doList(requests: number, work: Work): Promise<Refusal | undefined> {
    const batch = this.batches.enter(this.sent.key)
    if (batch instanceof Refusal) return batch
    const leave = () => batch.end()
    this.signal.addEventListener('abort', leave, { once: true })
    const refusal = await this.charge(requests - 1)
    if (refusal === undefined)
      await new Promise<void>((done, fail) => batch.start(work, error => (error === undefined ? done() : fail(error))))
    batch.end()
    return refusal
  }

  #refusalOf(verdict: Verdict, requests: number): Refusal {
    // the key was revoked, or its last day ended, since the first request
    if (verdict !== Verdict.OverLimit) return new Refusal('invalidApiKey')
    const { shown, retryAfterSeconds } = this.gate
    const limit = Math.min(shown.limitMinute, shown.limitDay)
    if (requests + 1 > limit) return exceedsLimit(requests + 1, limit)
    const left = Math.min(shown.remainingMinute, shown.remainingDay)
    const message = `This list needs ${requests} more requests, and this key has ${left} left for now. Send fewer items at once, or try again in ${retryAfterSeconds} seconds.`
    return new Refusal('rateLimitExceeded', message)
  }
}
