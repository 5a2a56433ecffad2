/** Finds out whose quota a request is charged to: a key's, or a visitor's on our own pages. */
import type { Clock } from '../clock.js'
import type { HttpRequest, HttpResponse } from '../engines/engine.js'
import { readKey } from '../engines/request.js'
import type { Gate } from '../gate/gate.js'
import { Verdict } from '../quotas/verdict.js'
import type { Settled } from './refuse.js'
import type { Visitors } from './visitors.js'

export interface Payer {
  /** The key, or the visitor's address. */
  name: string
  /** Counts requests, all or none. */
  charge(requests: number): Verdict
}

export class Payers {
  constructor(
    private readonly gate: Gate,
    private readonly clock: Clock,
    private readonly visitors: Visitors | undefined,
  ) {}

  ofKey(key: string): Payer {
    return { name: key, charge: requests => this.gate.admit(key, this.clock.now(), requests) }
  }

  /** Finds the payer and charges one request. */
  admit(req: HttpRequest, res: HttpResponse): { payer: Payer; verdict: Verdict } {
    const payer = this.ofKey(readKey(req))
    const verdict = payer.charge(1)
    const visitor = this.visitorOf(verdict, req, res)
    if (visitor === '') return { payer, verdict }
    const charge = (requests: number) => this.admitVisitor(visitor, requests)
    return { payer: { name: visitor, charge }, verdict: charge(1) }
  }

  isKnown(key: string, req: HttpRequest, res: HttpResponse): boolean {
    const verdict = this.gate.peek(key, this.clock.now())
    if (verdict === Verdict.Admitted || verdict === Verdict.Waiting) return true
    return this.visitorOf(verdict, req, res) !== ''
  }

  /**
   * The address of a visitor to our own pages, or ''. Checked only if the key is unknown, so that requests with a known key
   * lose no time.
   */
  visitorOf(verdict: Verdict, req: HttpRequest, res: HttpResponse): string {
    const isUnknown = verdict === Verdict.InvalidKey || verdict === Verdict.NoKeys
    return isUnknown ? (this.visitors?.addressWithKey(readKey(req), req, res) ?? '') : ''
  }

  admitVisitor(address: string, requests: number): Settled {
    const { guests } = this.visitors as Visitors
    const verdict = guests.count(address, this.clock.now(), requests)
    this.gate.showGuest(guests)
    return verdict as Settled
  }
}
