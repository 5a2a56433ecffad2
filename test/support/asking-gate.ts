/** A gate that decides asynchronously; the test supplies the verdicts. */
import { Gate } from '../../src/gate/gate.js'
import { Verdict } from '../../src/quotas/verdict.js'
import type { Waiter } from '../../src/quotas/waiting-requests.js'

export interface Asked {
  requests: number
  tell(verdict: Verdict): void
}

export class AskingGate extends Gate {
  readonly asked: Asked[] = []
  cancelled = 0
  #requests = 0

  override admit(key: string, nowMs: number, requests = 1): Verdict {
    const verdict = super.admit(key, nowMs, requests)
    this.#requests = requests
    return verdict === Verdict.Admitted ? Verdict.Waiting : verdict
  }

  override wait(tell: (verdict: Verdict) => void): Waiter {
    this.asked.push({ requests: this.#requests, tell })
    return { cancel: () => this.cancelled++ }
  }

  /** Waits until the gate has asked this many times. */
  async nth(count: number): Promise<Asked> {
    for (const deadline = Date.now() + 5_000; this.asked.length < count; ) {
      if (Date.now() > deadline) throw new Error(`asked ${this.asked.length} times, not ${count}`)
      await new Promise(done => setImmediate(done))
    }
    return this.asked[count - 1] as Asked
  }
}
