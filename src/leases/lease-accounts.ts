/**
 * What a process knows and owes of each key: counts, the lease, what is not reported yet, and the share that it may spend
 * should the store be lost. Every change is made under the key's lock, since threads share all of it.
 */
import { DAYS_BACK_MAX, isSameMinute, MINUTE_MS, utcDay } from '../clock.js'
import { type Counters, DAY, DAY_COUNT, LEASED, LIMIT_DAY, LIMIT_MINUTE, MINUTE_COUNT } from '../quotas/counters.js'
import type { Lease, LeaseRequest, WindowCounts } from './lease-store.js'
import type { LeaseTable } from './lease-table.js'
import { leftAfterPrefetch } from './prefetch.js'

/** What a request to the store is for, beyond the report. */
export type Wanted = Partial<Pick<LeaseRequest, 'waiting' | 'isWhole' | 'prefetch'>>

/** What came of an answer of the store. */
export interface Applied {
  /** Whether a later window is in force here, so that nothing of the answer was used. */
  isStale: boolean
  /** To be sent to the store: what was granted and is of no use here. */
  returns: LeaseRequest[]
}

/** An answer about windows that are over, as this process knows from another one of its threads. */
function isStale(lease: Lease, known: WindowCounts): boolean {
  const isOlderMinute = lease.minuteStartMs <= known.minuteStartMs - MINUTE_MS
  // a window that lies in the store's future was a wrong clock's, and says nothing
  const isMinutePossible = known.minuteStartMs <= lease.nowMs + MINUTE_MS
  const isDayPossible = known.day - utcDay(lease.nowMs) <= DAYS_BACK_MAX
  return (isOlderMinute && isMinutePossible) || (lease.day < known.day && isDayPossible)
}

function returnOf(request: LeaseRequest, returned: number, known: WindowCounts): LeaseRequest {
  const nothing = { waiting: 0, isWhole: false, prefetch: 0, unreportedMinute: 0, unreportedDay: 0 }
  return { ...request, ...nothing, returned, known }
}

export class LeaseAccounts {
  readonly #counters: Counters
  readonly #table: LeaseTable

  constructor(counters: Counters, table: LeaseTable) {
    this.#counters = counters
    this.#table = table
  }

  leased(slot: number): number {
    return this.#counters.words[this.#counters.at(slot) + LEASED]
  }

  /** Spends from the lease; what is left of it, or -1 where it is too small or its window is over. */
  spend(slot: number, storeMs: number, charge: number): number {
    const counters = this.#counters
    const { words } = counters
    const at = counters.at(slot)
    counters.take(slot)
    const left = words[at + LEASED] - charge
    const isGood = left >= 0 && this.isInWindow(slot, storeMs)
    if (isGood) words[at + LEASED] = left
    counters.release(slot)
    return isGood ? left : -1
  }

  /** As `spend`, for a request that the store has just answered. */
  spendGranted(slot: number, charge: number): boolean {
    const { words } = this.#counters
    const at = this.#counters.at(slot)
    return this.#counters.locked(slot, () => {
      const left = words[at + LEASED] - charge
      if (left >= 0) words[at + LEASED] = left
      return left >= 0
    })
  }

  isInWindow(slot: number, storeMs: number): boolean {
    const startMs = this.#counters.minuteStartMs(slot)
    const day = this.#counters.words[this.#counters.at(slot) + DAY]
    return storeMs < startMs + MINUTE_MS && utcDay(storeMs) <= day
  }

  /** Spends from this replica's share, without the store. The caller has locked the slot and changes its counts. */
  spendAlone(slot: number, charge: number, inMinute: boolean, isSameDay: boolean): boolean {
    const table = this.#table
    const { words } = this.#counters
    const at = this.#counters.at(slot)
    // of a new window all is left
    if (!inMinute) table.setLeftMinute(slot, words[at + LIMIT_MINUTE], 0)
    if (!isSameDay) table.setLeftDay(slot, words[at + LIMIT_DAY], 0)
    if (table.shareMinute(slot) < charge || table.shareDay(slot) < charge) return false
    table.addAlone(slot, charge)
    table.setUnreported(
      slot,
      (inMinute ? table.unreportedMinute(slot) : 0) + charge,
      (isSameDay ? table.unreportedDay(slot) : 0) + charge,
    )
    return true
  }

  /** A request to the store, which takes along what is not reported yet. */
  takeRequest(slot: number, keyId: string, wanted: Wanted = {}): LeaseRequest {
    return this.#counters.locked(slot, () => this.#takeRequest(slot, keyId, wanted, 0))
  }

  /** The same with the whole lease, which is no longer counted here. */
  takeReturn(slot: number, keyId: string): LeaseRequest {
    const { words } = this.#counters
    const at = this.#counters.at(slot)
    return this.#counters.locked(slot, () => {
      const leased = words[at + LEASED]
      const request = this.#takeRequest(slot, keyId, {}, leased)
      words[at + LEASED] = 0
      words[at + MINUTE_COUNT] = Math.max(0, words[at + MINUTE_COUNT] - leased)
      words[at + DAY_COUNT] = Math.max(0, words[at + DAY_COUNT] - leased)
      this.#table.setLow(slot, 0)
      return request
    })
  }

  #takeRequest(slot: number, keyId: string, wanted: Wanted, returned: number): LeaseRequest {
    const { words } = this.#counters
    const at = this.#counters.at(slot)
    const request: LeaseRequest = {
      keyId,
      limitMinute: words[at + LIMIT_MINUTE],
      limitDay: words[at + LIMIT_DAY],
      waiting: 0,
      isWhole: false,
      prefetch: 0,
      ...wanted,
      returned,
      unreportedMinute: this.#table.unreportedMinute(slot),
      unreportedDay: this.#table.unreportedDay(slot),
      known: this.#windowsOf(slot),
    }
    this.#table.setUnreported(slot, 0, 0)
    return request
  }

  #windowsOf(slot: number): WindowCounts {
    const { words } = this.#counters
    const at = this.#counters.at(slot)
    return {
      minuteStartMs: this.#counters.minuteStartMs(slot),
      minuteCount: words[at + MINUTE_COUNT],
      day: words[at + DAY],
      dayCount: words[at + DAY_COUNT],
    }
  }

  /** The report in a request that failed is due again. */
  restoreUnreported(slot: number, { unreportedMinute, unreportedDay, known }: LeaseRequest): void {
    const table = this.#table
    this.#counters.locked(slot, () => {
      const { minuteStartMs, day } = this.#windowsOf(slot)
      const minute = isSameMinute(minuteStartMs, known.minuteStartMs) ? unreportedMinute : 0
      const inDay = day === known.day ? unreportedDay : 0
      table.setUnreported(slot, table.unreportedMinute(slot) + minute, table.unreportedDay(slot) + inDay)
    })
  }

  /**
   * Puts an answer in force. `admittedAlone` requests of it were admitted before it came. While the store is not up what
   * nobody waits for goes back: every replica has its share, and a grant on top would be too much.
   */
  apply(slot: number, request: LeaseRequest, lease: Lease, admittedAlone: number, isStoreUp: boolean): Applied {
    return this.#counters.locked(slot, () => {
      const before = this.#windowsOf(slot)
      if (isStale(lease, before)) {
        const returns = lease.granted > 0 ? [returnOf(request, lease.granted, lease)] : []
        return { isStale: true, returns }
      }
      return { isStale: false, returns: this.#applyNew(slot, request, lease, admittedAlone, isStoreUp) }
    })
  }

  #applyNew(slot: number, request: LeaseRequest, lease: Lease, admittedAlone: number, isStoreUp: boolean): LeaseRequest[] {
    const table = this.#table
    const { words } = this.#counters
    const at = this.#counters.at(slot)
    const before = this.#windowsOf(slot)
    const leasedBefore = words[at + LEASED]
    const inMinute = isSameMinute(lease.minuteStartMs, before.minuteStartMs)
    const isSameDay = lease.day === before.day
    const unreportedMinute = inMinute ? table.unreportedMinute(slot) : 0
    const unreportedDay = isSameDay ? table.unreportedDay(slot) : 0
    // requests that the grant counts need no report
    const covered = Math.min(lease.granted, admittedAlone, unreportedDay)
    const dueMinute = Math.max(0, unreportedMinute - covered)
    const dueDay = unreportedDay - covered
    const granted = isStoreUp ? lease.granted - covered : 0
    const spare = lease.granted - covered - granted
    const minuteCount = Math.max(0, lease.minuteCount - spare)
    const dayCount = Math.max(0, lease.dayCount - spare)
    const isSameWindow = inMinute && isSameDay

    table.setUnreported(slot, dueMinute, dueDay)
    this.#counters.startMinute(slot, lease.minuteStartMs)
    words[at + MINUTE_COUNT] = minuteCount + dueMinute
    words[at + DAY] = lease.day
    words[at + DAY_COUNT] = dayCount + dueDay
    words[at + LEASED] = (isSameWindow ? leasedBefore : 0) + granted

    // until the store is up others have not reported all they admitted, and more seems left than is
    const leftMinute = leftAfterPrefetch(request.limitMinute - minuteCount, table.others)
    const leftDay = leftAfterPrefetch(request.limitDay - dayCount, table.others)
    if (isStoreUp || !inMinute) table.setLeftMinute(slot, leftMinute, dueMinute)
    if (isStoreUp || !isSameDay) table.setLeftDay(slot, leftDay, dueDay)

    const returns: LeaseRequest[] = []
    if (spare > 0) returns.push(returnOf(request, spare, lease))
    if (!isSameWindow && leasedBefore > 0) returns.push(returnOf(request, leasedBefore, before))
    return returns
  }
}
