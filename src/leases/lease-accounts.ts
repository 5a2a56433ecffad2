/** Counts, lease, unreported requests and local share of each key. Threads share them, so every change takes the key's lock. */
import { DAYS_BACK_MAX, isSameMinute, MINUTE_MS, utcDay } from '../clock.js'
import {
  type Counters,
  DAY,
  DAY_COUNT,
  LEASED,
  LIMIT_DAY,
  LIMIT_MINUTE,
  MINUTE_COUNT,
  type WindowCounts,
} from '../quotas/counters.js'
import type { Lease, LeaseRequest } from './lease-store.js'
import type { LeaseTable } from './lease-table.js'
import { leftAfterPrefetch } from './prefetch.js'

export type RequestedLease = Partial<Pick<LeaseRequest, 'waiting' | 'isAllOrNothing' | 'prefetch'>>

/** Whether another thread already knows later windows than those of the lease. */
function isStale(lease: Lease, known: WindowCounts): boolean {
  const isOlderMinute = lease.minuteStartMs <= known.minuteStartMs - MINUTE_MS
  // a window that starts far ahead of the store's clock comes from a wrong clock
  const isMinutePossible = known.minuteStartMs <= lease.nowMs + MINUTE_MS
  const isDayPossible = known.day - utcDay(lease.nowMs) <= DAYS_BACK_MAX
  return (isOlderMinute && isMinutePossible) || (lease.day < known.day && isDayPossible)
}

function returnOf(request: LeaseRequest, returned: number, known: WindowCounts): LeaseRequest {
  const nothing = { waiting: 0, isAllOrNothing: false, prefetch: 0, unreportedMinute: 0, unreportedDay: 0 }
  return { ...request, ...nothing, returned, known }
}

export class LeaseAccounts {
  constructor(
    private readonly counters: Counters,
    private readonly table: LeaseTable,
  ) {}

  leased(slot: number): number {
    return this.counters.words[this.counters.at(slot) + LEASED]
  }

  /** Spends from the lease; returns what is left of it, or -1 if the lease is too small or its window is over. */
  spend(slot: number, storeMs: number, charge: number): number {
    const counters = this.counters
    const { words } = counters
    const at = counters.at(slot)
    counters.take(slot)
    const left = words[at + LEASED] - charge
    const isGood = left >= 0 && this.isInWindow(slot, storeMs)
    if (isGood) words[at + LEASED] = left
    counters.release(slot)
    return isGood ? left : -1
  }

  /** Like `spend`, but right after a lease was granted, so its window is not checked. */
  spendGranted(slot: number, charge: number): boolean {
    const { words } = this.counters
    const leased = this.counters.at(slot) + LEASED
    return this.counters.locked(slot, () => {
      const isEnough = words[leased] >= charge
      if (isEnough) words[leased] -= charge
      return isEnough
    })
  }

  isInWindow(slot: number, storeMs: number): boolean {
    const startMs = this.counters.minuteStartMs(slot)
    const day = this.counters.words[this.counters.at(slot) + DAY]
    return storeMs < startMs + MINUTE_MS && utcDay(storeMs) <= day
  }

  /** Spends from this replica's share. The caller has locked the slot and changes its counts. */
  spendAlone(slot: number, charge: number, inMinute: boolean, isSameDay: boolean): boolean {
    const table = this.table
    const { words } = this.counters
    const at = this.counters.at(slot)
    if (!inMinute) {
      table.leftMinute[slot] = words[at + LIMIT_MINUTE]
      table.aloneMinute[slot] = 0
    }
    if (!isSameDay) {
      table.leftDay[slot] = words[at + LIMIT_DAY]
      table.aloneDay[slot] = 0
    }
    if (table.share(slot) < charge) return false
    table.aloneMinute[slot] += charge
    table.aloneDay[slot] += charge
    table.unreportedMinute[slot] = (inMinute ? table.unreportedMinute[slot] : 0) + charge
    table.unreportedDay[slot] = (isSameDay ? table.unreportedDay[slot] : 0) + charge
    return true
  }

  /** Builds a request to the store that also reports the unreported requests. */
  takeRequest(slot: number, keyId: string, wanted: RequestedLease): LeaseRequest {
    return this.counters.locked(slot, () => this.#takeRequest(slot, keyId, wanted, 0))
  }

  /** Like `takeRequest`, but the request also gives the whole lease back. */
  takeReturn(slot: number, keyId: string): LeaseRequest {
    const { words } = this.counters
    const at = this.counters.at(slot)
    return this.counters.locked(slot, () => {
      const leased = words[at + LEASED]
      const request = this.#takeRequest(slot, keyId, {}, leased)
      words[at + LEASED] = 0
      words[at + MINUTE_COUNT] = Math.max(0, words[at + MINUTE_COUNT] - leased)
      words[at + DAY_COUNT] = Math.max(0, words[at + DAY_COUNT] - leased)
      return request
    })
  }

  #takeRequest(slot: number, keyId: string, wanted: RequestedLease, returned: number): LeaseRequest {
    const { words } = this.counters
    const at = this.counters.at(slot)
    const request: LeaseRequest = {
      keyId,
      limitMinute: words[at + LIMIT_MINUTE],
      limitDay: words[at + LIMIT_DAY],
      waiting: 0,
      isAllOrNothing: false,
      prefetch: 0,
      ...wanted,
      returned,
      unreportedMinute: this.table.unreportedMinute[slot],
      unreportedDay: this.table.unreportedDay[slot],
      known: this.counters.counts(slot),
    }
    this.table.unreportedMinute[slot] = 0
    this.table.unreportedDay[slot] = 0
    return request
  }

  /** After a failed request, marks the requests that it reported as unreported again. */
  restoreUnreported(slot: number, { unreportedMinute, unreportedDay, known }: LeaseRequest): void {
    this.counters.locked(slot, () => {
      const { minuteStartMs, day } = this.counters.counts(slot)
      if (isSameMinute(minuteStartMs, known.minuteStartMs)) this.table.unreportedMinute[slot] += unreportedMinute
      if (day === known.day) this.table.unreportedDay[slot] += unreportedDay
    })
  }

  /**
   * Takes over a lease that the store has granted. `admittedAlone` of its requests were admitted locally before it arrived.
   * While the store is not up, the rest of the lease is returned, because every replica already has its share. In the
   * result, `isStale` means that a later window has started here and the lease was not used; `returns` are the requests to
   * the store that give unused parts of leases back.
   */
  apply(slot: number, request: LeaseRequest, lease: Lease, admittedAlone: number, isStoreUp: boolean) {
    return this.counters.locked(slot, () => {
      if (!isStale(lease, this.counters.counts(slot)))
        return { isStale: false, returns: this.#applyNew(slot, request, lease, admittedAlone, isStoreUp) }
      return { isStale: true, returns: lease.granted > 0 ? [returnOf(request, lease.granted, lease)] : [] }
    })
  }

  #applyNew(slot: number, request: LeaseRequest, lease: Lease, admittedAlone: number, isStoreUp: boolean): LeaseRequest[] {
    const table = this.table
    const { words } = this.counters
    const at = this.counters.at(slot)
    const before = this.counters.counts(slot)
    const leasedBefore = words[at + LEASED]
    const inMinute = isSameMinute(lease.minuteStartMs, before.minuteStartMs)
    const isSameDay = lease.day === before.day
    const unreportedMinute = inMinute ? table.unreportedMinute[slot] : 0
    const unreportedDay = isSameDay ? table.unreportedDay[slot] : 0
    // the grant already includes these requests
    const covered = Math.min(lease.granted, admittedAlone, unreportedDay)
    const dueMinute = Math.max(0, unreportedMinute - covered)
    const dueDay = unreportedDay - covered
    const granted = isStoreUp ? lease.granted - covered : 0
    const spare = lease.granted - covered - granted
    const minuteCount = Math.max(0, lease.minuteCount - spare)
    const dayCount = Math.max(0, lease.dayCount - spare)
    const isSameWindow = inMinute && isSameDay

    table.unreportedMinute[slot] = dueMinute
    table.unreportedDay[slot] = dueDay
    this.counters.startMinute(slot, lease.minuteStartMs)
    words[at + MINUTE_COUNT] = minuteCount + dueMinute
    words[at + DAY] = lease.day
    words[at + DAY_COUNT] = dayCount + dueDay
    words[at + LEASED] = (isSameWindow ? leasedBefore : 0) + granted

    // until the store is up, other replicas have unreported requests, so less is left than the store's counts show
    if (isStoreUp || !inMinute) {
      table.leftMinute[slot] = leftAfterPrefetch(request.limitMinute - minuteCount, table.others)
      table.aloneMinute[slot] = dueMinute
    }
    if (isStoreUp || !isSameDay) {
      table.leftDay[slot] = leftAfterPrefetch(request.limitDay - dayCount, table.others)
      table.aloneDay[slot] = dueDay
    }

    const returns: LeaseRequest[] = []
    if (spare > 0) returns.push(returnOf(request, spare, lease))
    if (!isSameWindow && leasedBefore > 0) returns.push(returnOf(request, leasedBefore, before))
    return returns
  }
}
