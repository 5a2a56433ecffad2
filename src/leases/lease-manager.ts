/**
 * Admits requests from leases of a shared store; without a lease a request waits for one. While the store is lost, each process
 * admits its share of the remaining quota, and reports those requests later. The store counts the requests of a lease when it
 * grants the lease, so a lost lease can only lower a key's quota.
 */
import { DAY_MS, MINUTE_MS } from '../clock.js'
import { type Counters, LIMIT_DAY, LIMIT_MINUTE } from '../quotas/counters.js'
import { Verdict } from '../quotas/verdict.js'
import { type Decided, type Waiter, type WaitingRequest, WaitingRequests } from '../quotas/waiting-requests.js'
import type { SharedQuota } from '../quotas/windows.js'
import { nextTurn, oncePerTurn, SLICE_KEYS } from '../slices.js'
import { LeaseAccounts, type RequestedLease } from './lease-accounts.js'
import { LeaseReturns } from './lease-returns.js'
import { DamagedKeyError, type Lease, type LeaseRequest, type LeaseStore } from './lease-store.js'
import type { LeaseTable } from './lease-table.js'
import { nextPrefetch } from './prefetch.js'
import { StoreClock } from './store-clock.js'
import { StoreLink } from './store-link.js'

/** If this many requests wait, further ones are decided locally. */
const WAITING_MAX = 10_000
/** How long a refusal is repeated without asking the store. It is short, since other replicas may return leases. */
const REFUSED_MS = 250
/** Maximum age of the figures in the headers of a request that is not charged. */
const SHOWN_AGE_MS_MAX = 1_000

/** One request to the store, and the requests that wait for its reply. */
interface Round {
  slot: number
  waiting: Waiting[]
  request: LeaseRequest
  sentMs: number
  /** Charges that were admitted locally before the reply arrived. */
  admittedAlone: number
}

type Waiting = WaitingRequest<Round>

/** Whether one of the limits is used up. */
function isFull({ limitMinute, limitDay }: LeaseRequest, { minuteCount, dayCount }: Lease): boolean {
  return minuteCount >= limitMinute || dayCount >= limitDay
}

export interface StoreEvents {
  lost(reason: string): void
  back(): void
  /** Called once when the store's record of a key becomes unusable. */
  damaged(keyId: string, reason: string): void
}

export class LeaseManager implements SharedQuota {
  readonly #accounts: LeaseAccounts
  readonly #clock = new StoreClock()
  readonly #link: StoreLink
  readonly #waiting: WaitingRequests<Round>
  readonly #returns: LeaseReturns
  /** The key id of a slot; set by the gate. */
  idOf: (slot: number) => string = () => ''
  /** By slot, the requests that the next flush sends; an empty list is a prefetch. */
  #unsent = new Map<number, Waiting[]>()
  readonly #unreported = new Set<number>()
  readonly #damaged = new Set<number>()
  /** The round of the request that is being decided locally. */
  #overdueRound: Round | undefined

  constructor(
    private readonly counters: Counters,
    private readonly table: LeaseTable,
    private readonly store: LeaseStore,
    waitMs: number,
    private readonly events: StoreEvents,
    private readonly now: () => number = Date.now,
  ) {
    this.#accounts = new LeaseAccounts(counters, table)
    this.#waiting = new WaitingRequests(waitMs, now, () => this.lost(`no answer within ${waitMs} ms`))
    this.#link = new StoreLink({
      table,
      store,
      waitMs,
      now,
      onLost: reason => {
        table.count('lost')
        events.lost(reason)
        for (const waiting of this.#waiting.all()) this.#decideAlone(waiting)
      },
      onAnswer: () => this.#reportSoon(),
      onBack: () => {
        events.back()
        this.#reportSoon()
      },
    })
    this.#returns = new LeaseReturns({
      accounts: this.#accounts,
      storeTime: () => (this.#link.isUp ? this.storeTime(now()) : undefined),
      giveBack: slot => this.#giveBack(slot),
    })
  }

  get isUp(): boolean {
    return this.#link.isUp
  }

  storeTime(nowMs: number): number {
    return this.#clock.at(nowMs)
  }

  announce(): Promise<void> {
    return this.#link.announce()
  }

  lost(reason: string): void {
    this.#link.lost(reason)
  }

  /** Tries to admit from the lease. Returns Waiting if the store must be asked, undefined if it cannot be asked. */
  tryLease(slot: number, nowMs: number, charge: number): Verdict | undefined {
    if (charge > 0 && this.#accounts.leased(slot) >= charge) {
      const left = this.#accounts.spend(slot, this.#clock.at(nowMs), charge)
      if (left >= 0) {
        if (left < this.table.prefetchBelow[slot]) this.#prefetchSoon(slot)
        return Verdict.Admitted
      }
    }
    if (!this.#link.isUp || this.#waiting.size >= WAITING_MAX) return undefined
    const { words } = this.counters
    const at = this.counters.at(slot)
    if (charge > words[at + LIMIT_MINUTE] || charge > words[at + LIMIT_DAY]) return Verdict.OverLimit
    const now = this.now()
    if (charge === 0 && now - this.table.requestedAt[slot] < SHOWN_AGE_MS_MAX) return Verdict.Admitted
    if (charge > 0 && now < this.table.refusedUntil[slot]) return Verdict.OverLimit
    return Verdict.Waiting
  }

  wait(slot: number, charge: number, decided: Decided): Waiter {
    const waiting = this.#waiting.add(slot, charge, decided)
    this.table.count('waited')
    this.#sendSoon(waiting)
    return waiting
  }

  spendAlone(slot: number, charge: number, isSameMinute: boolean, isSameDay: boolean): boolean {
    if (!this.#accounts.spendAlone(slot, charge, isSameMinute, isSameDay)) return false
    this.table.count('alone', charge)
    this.#unreported.add(slot)
    if (this.#overdueRound !== undefined) this.#overdueRound.admittedAlone += charge
    if (this.#link.isSettling) this.#reportSoon()
    return true
  }

  #sendSoon(waiting: Waiting): void {
    const others = this.#unsent.get(waiting.slot)
    if (others === undefined) this.#unsent.set(waiting.slot, [waiting])
    else others.push(waiting)
    this.#flushSoon()
  }

  #prefetchSoon(slot: number): void {
    if (!this.#link.isUp || this.#unsent.has(slot)) return
    // one prefetch at a time: the reply sets `prefetchBelow` again
    this.table.prefetchBelow[slot] = 0
    this.#unsent.set(slot, [])
    this.#flushSoon()
  }

  readonly #flushSoon = oncePerTurn(() => {
    const unsent = this.#unsent
    this.#unsent = new Map()
    for (const [slot, waiting] of unsent) this.#send(slot, waiting)
  })

  #send(slot: number, all: readonly Waiting[]): void {
    const waiting = all.filter(({ isOver }) => !isOver)
    if (!this.#link.isUp) {
      for (const one of waiting) this.#decideAlone(one)
      return
    }
    const now = this.now()
    const prefetch = nextPrefetch(this.table.prefetch[slot], now - this.table.requestedAt[slot])
    this.table.prefetch[slot] = prefetch
    this.table.requestedAt[slot] = now
    // a request that counts as several is sent alone, because it needs its whole lease
    const several = waiting.filter(({ charge }) => charge > 1)
    const single = waiting.filter(({ charge }) => charge <= 1)
    const charges = single.reduce((sum, { charge }) => sum + charge, 0)
    if (single.length > 0 || several.length === 0) this.#begin(slot, single, { waiting: charges, prefetch }, now)
    for (const one of several) this.#begin(slot, [one], { waiting: one.charge, isAllOrNothing: true, prefetch }, now)
  }

  #begin(slot: number, waiting: Waiting[], wanted: RequestedLease, now: number): void {
    const request = this.#accounts.takeRequest(slot, this.idOf(slot), wanted)
    this.#unreported.delete(slot)
    const round: Round = { slot, waiting, request, sentMs: now, admittedAlone: 0 }
    for (const one of waiting) one.round = round
    void this.#exchange(round)
  }

  async #exchange(round: Round): Promise<void> {
    this.table.count('asked')
    const startMs = performance.now()
    let lease: Lease
    try {
      lease = await this.store.lease(round.request)
    } catch (error) {
      this.#failed(round.slot, round.request, error as Error)
      for (const one of round.waiting) if (!one.isOver) this.#decideAlone(one)
      return
    }
    this.#damaged.delete(round.slot)
    this.#clock.measure(lease.nowMs, round.sentMs)
    this.table.count('tripTicks', Math.round(100 * (performance.now() - startMs)))
    this.#answered(round, lease)
  }

  #failed(slot: number, request: LeaseRequest, error: Error): void {
    this.#accounts.restoreUnreported(slot, request)
    if (request.unreportedDay > 0) this.#unreported.add(slot)
    if (!(error instanceof DamagedKeyError)) this.lost(error.message)
    else if (!this.#damaged.has(slot)) {
      this.#damaged.add(slot)
      this.events.damaged(request.keyId, error.message)
    }
  }

  #answered(round: Round, lease: Lease): void {
    const { slot, request } = round
    const isUp = this.#link.isUp
    const { isStale, returns } = this.#accounts.apply(slot, request, lease, round.admittedAlone, isUp)
    if (!isStale) {
      const spare = this.#accounts.leased(slot) - request.waiting
      this.table.prefetchBelow[slot] = lease.granted > request.waiting ? spare >> 1 : 0
      if (spare > 0) this.#returns.watch(slot)
    }
    const isExhausted = lease.granted < request.waiting
    if (isExhausted && !isStale && isFull(request, lease)) this.table.refusedUntil[slot] = this.#refusedUntil(lease)
    for (const one of round.waiting) if (!one.isOver) this.#serve(one, isExhausted, lease.nowMs)
    for (const one of returns) void this.#return(slot, one)
  }

  /** A refusal lasts at most until a window ends. */
  #refusedUntil({ minuteStartMs, day, nowMs }: Lease): number {
    const minuteMs = minuteStartMs + MINUTE_MS - nowMs
    const dayMs = (day + 1) * DAY_MS - nowMs
    return this.now() + Math.min(REFUSED_MS, minuteMs > 0 ? minuteMs : REFUSED_MS, dayMs)
  }

  #serve(waiting: Waiting, isExhausted: boolean, storeMs: number): void {
    if (this.#accounts.spendGranted(waiting.slot, waiting.charge)) this.#finish(waiting, Verdict.Admitted, storeMs)
    else if (isExhausted) this.#finish(waiting, Verdict.OverLimit, storeMs)
    // another thread has spent the lease
    else this.#sendSoon(waiting)
  }

  #finish(waiting: Waiting, verdict: Verdict | undefined, storeMs: number): void {
    this.#waiting.end(waiting)
    waiting.decided(verdict, waiting.charge, storeMs)
  }

  #decideAlone(waiting: Waiting): void {
    this.#overdueRound = waiting.round
    this.#finish(waiting, undefined, this.storeTime(this.now()))
    this.#overdueRound = undefined
  }

  readonly #reportSoon = oncePerTurn(async () => {
    let reported = 0
    for (const slot of [...this.#unreported]) {
      if (this.#unreported.has(slot)) this.#begin(slot, [], {}, this.now())
      if (++reported % SLICE_KEYS === 0) await nextTurn()
    }
  })

  #giveBack(slot: number): Promise<void> {
    this.#unreported.delete(slot)
    return this.#return(slot, this.#accounts.takeReturn(slot, this.idOf(slot)))
  }

  /** Returns requests to the store. If that fails, the key has a lower quota until its windows end. */
  async #return(slot: number, request: LeaseRequest): Promise<void> {
    try {
      await this.store.lease(request)
    } catch (error) {
      this.#failed(slot, request, error as Error)
    }
  }

  /** Tries to return leases even while the store is lost: it may be reachable again. */
  async close(): Promise<void> {
    this.#waiting.close()
    this.#link.close()
    await this.#returns.close(this.#unreported)
  }
}
