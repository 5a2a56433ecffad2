/** A gate whose decisions a test makes, later than the request. */
import { Gate } from '../../src/gate/gate.js'
import { Verdict } from '../../src/quotas/verdict.js'
import type { Waiter } from '../../src/quotas/waiting-requests.js'

export interface PendingDecision {
  requests: number
  decide(verdict: Verdict): void
}

export class ManualGate extends Gate {
  readonly pending: PendingDecision[] = []
  cancelled = 0
  #requests = 0

  override admit(key: string, nowMs: number, requests = 1): Verdict {
    const verdict = super.admit(key, nowMs, requests)
    this.#requests = requests
    return verdict === Verdict.Admitted ? Verdict.Waiting : verdict
  }

  override wait(decide: (verdict: Verdict) => void): Waiter {
    this.pending.push({ requests: this.#requests, decide })
    return { cancel: () => this.cancelled++ }
  }

  /** Waits for the decision with this number, counted from 1. */
  async nth(count: number): Promise<PendingDecision> {
    for (const deadline = Date.now() + 5_000; this.pending.length < count; ) {
      if (Date.now() > deadline) throw new Error(`the gate has ${this.pending.length} pending decisions, ${count} expected`)
      await new Promise(done => setImmediate(done))
    }
    return this.pending[count - 1] as PendingDecision
  }
}
