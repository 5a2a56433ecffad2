/**
 * Load that is shed: an address that keeps causing 401s gets 429 instead, without its key being looked at. Each thread
 * counts for itself.
 */
import { ERRORS } from '../errors.js'
import { Offenders } from '../gate/offenders.js'
import { Refusal } from '../questions/refusal.js'
import { ClientAddresses } from './client-address.js'
import type { HttpRequest, HttpResponse } from './engine.js'
import { Head } from './head.js'
import type { Network } from './ip-address.js'
import type { KeptBody } from './kept.js'
import type { Responder } from './respond.js'

const REFUSAL = new Refusal(
  'rateLimitExceeded',
  'Too many requests without a valid key came from your address; Retry-After says in how many seconds even a valid key is looked at again.',
)

export class Shedding {
  readonly offenders: Offenders
  readonly #addresses: ClientAddresses
  readonly #body: KeptBody
  /** By the seconds that they tell: 60 at most, for a minute is what anyone is shed for. */
  readonly #heads: (Head | undefined)[] = []

  constructor(unauthorizedPerMinute: number, trustedProxies: readonly Network[], out: Responder) {
    this.offenders = new Offenders(unauthorizedPerMinute)
    this.#addresses = new ClientAddresses(trustedProxies)
    this.#body = out.keepRefusal(REFUSAL).body
  }

  /** Seconds that the one who asks is still shed for, or 0. To be asked only where anyone is. */
  secondsFor(res: HttpResponse, req: HttpRequest, nowMs: number): number {
    return this.offenders.secondsShed(this.#addresses.of(res, req), nowMs)
  }

  /** Before a 401 is sent: the address of an answered request cannot be read. */
  count(res: HttpResponse, req: HttpRequest, nowMs: number): void {
    if (this.offenders.isCounting) this.offenders.count(this.#addresses.of(res, req), nowMs)
  }

  refuse(out: Responder, seconds: number): void {
    let head = this.#heads[seconds]
    if (head === undefined) {
      const headers = { 'Retry-After': String(seconds) }
      head = new Head({ status: ERRORS.rateLimitExceeded.statusLine, headers })
      this.#heads[seconds] = head
    }
    out.endKeptRefusal({ head, body: this.#body })
  }
}
