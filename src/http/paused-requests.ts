/** Requests that are answered after their handler has returned. Each keeps the state that its response needs. */
import type { Gate } from '../gate/gate.js'
import { copyDecision } from '../quotas/decision.js'
import type { Waiter } from '../quotas/waiting-requests.js'
import type { Paused, Responder } from '../responses/respond.js'
import type { Settled } from './refuse.js'

export class PausedRequests {
  readonly #paused = new Set<Paused>()

  constructor(
    private readonly gate: Gate,
    /** Answers a request whose handler threw. */
    private readonly onFault: (error: unknown, out: Responder) => void,
  ) {}

  get size(): number {
    return this.#paused.size
  }

  /** `forget` is called if the client disconnects before the request is resumed. */
  pause(out: Responder, forget: () => void): Paused {
    const paused = out.pause()
    this.#paused.add(paused)
    paused.res.onAborted(() => {
      this.#paused.delete(paused)
      forget()
    })
    return paused
  }

  resume(out: Responder, paused: Paused, answer: () => void): void {
    this.#paused.delete(paused)
    paused.res.cork(() => {
      out.resume(paused)
      try {
        answer()
      } catch (error) {
        this.onFault(error, out)
      }
    })
  }

  /** Calls `then` once Redis has decided, and keeps the decision with the request. */
  settle(paused: Paused, then: (verdict: Settled) => void): Waiter {
    return this.gate.wait(verdict => {
      paused.decision = copyDecision(this.gate.decision)
      then(verdict as Settled)
    })
  }

  /** Pauses until Redis has decided. `forget` is called if the client disconnects. */
  wait(out: Responder, answer: (verdict: Settled) => void, forget?: () => void): void {
    const paused = this.pause(out, () => {
      waiter.cancel()
      forget?.()
    })
    const waiter = this.settle(paused, verdict => this.resume(out, paused, () => answer(verdict)))
  }
}
