/** A lease manager with a store that answers when the test says so. The test moves the timers, not the real clock. */
import { mock } from 'node:test'
import type { Test } from 'tap'
import { utcDay } from '../../src/clock.js'
import { Gate } from '../../src/gate/gate.js'
import { LeaseManager, type StoreEvents } from '../../src/leases/lease-manager.js'
import type { Lease, LeaseRequest, LeaseStore, Presence } from '../../src/leases/lease-store.js'
import { LeaseTable } from '../../src/leases/lease-table.js'
import { Counters } from '../../src/quotas/counters.js'
import { Verdict } from '../../src/quotas/verdict.js'
import { makeKey, START_MS } from '../support/service.js'

export const SLOTS = 16
export const WAIT_MS = 50
/** Time from the first reply of the store to a replica until all other replicas know this replica. */
export const KNOWN_MS = 2_000

class StoreByHand implements LeaseStore {
  readonly asked: { ask: LeaseRequest; answer(lease: Partial<Lease>): void; fail(error: Error): void }[] = []
  isThere = true
  presence: Presence = { replicas: 1, rank: 0, silentMs: 0 }

  lease(ask: LeaseRequest): Promise<Lease> {
    return new Promise((resolve, reject) => {
      this.asked.push({
        ask,
        answer: lease =>
          resolve({
            granted: 0,
            minuteStartMs: START_MS,
            minuteCount: 0,
            day: utcDay(START_MS),
            dayCount: 0,
            nowMs: START_MS,
            ...lease,
          }),
        fail: reject,
      })
    })
  }

  async announce(): Promise<Presence> {
    if (!this.isThere) throw new Error('away')
    return this.presence
  }
}

interface Set {
  gate: Gate
  leaseManager: LeaseManager
  store: StoreByHand
  clock: { ms: number }
  reported: string[]
  key: string
  table: LeaseTable
  counters: Counters
  /** Makes a request. `at` is the verdict now, `later` the verdict after waiting. */
  admit(requests?: number, key?: string): { at: Verdict; later: Promise<Verdict>; cancel(): void }
  /** Makes this many requests. Returns how many are admitted at once. */
  admitMany(requests: number): number
  /** Waits for the next request to the store. */
  next(): Promise<StoreByHand['asked'][number]>
  /** Makes a request for which the store grants this lease. */
  grant(lease: Partial<Lease>): Promise<void>
  /** Joins as one of this many replicas, all of which know it. */
  join(replicas: number, rank: number): Promise<void>
  loseStore(): void
  /** Moves the clock until the condition is true. */
  moveUntil(isSo: () => boolean): Promise<void>
}

export const nextTurn = () => new Promise(done => setImmediate(done))
/** A limit against hanging, higher than any test needs. */
const TURNS_MAX = 10_000

/** Moves timers by a millisecond per turn of the event loop until the condition is true. */
export async function until(isSo: () => boolean, eachTurn = () => {}): Promise<void> {
  for (let turns = 0; !isSo(); turns++) {
    if (turns === TURNS_MAX) throw new Error(`not within ${TURNS_MAX} turns: ${isSo}`)
    eachTurn()
    mock.timers.tick(1)
    await nextTurn()
  }
}

let areTimersMocked = false

/** Mocks timers until the end of the test. */
function mockTimers(t: Test): void {
  if (areTimersMocked) return
  areTimersMocked = true
  mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
  t.teardown(() => {
    mock.timers.reset()
    areTimersMocked = false
  })
}

/** Closes the lease manager even if the store does not answer. */
async function close(leaseManager: LeaseManager): Promise<void> {
  let isClosed = false
  void leaseManager.close().then(() => {
    isClosed = true
  })
  await until(() => isClosed)
}

export function setUp(t: Test, perMinute = 100, counters = Counters.create(SLOTS)): Set {
  mockTimers(t)
  const table = LeaseTable.create(SLOTS)
  const store = new StoreByHand()
  const clock = { ms: START_MS }
  const reported: string[] = []
  const events: StoreEvents = {
    lost: reason => reported.push(reason),
    back: () => reported.push('back'),
    damaged: (keyId, reason) => reported.push(`${keyId} ${reason}`),
  }
  const leaseManager = new LeaseManager(counters, table, store, WAIT_MS, events, () => clock.ms)
  t.teardown(() => close(leaseManager))
  const gate = new Gate(counters, leaseManager)
  const { key, record } = makeKey('pro', { per_minute: perMinute, per_day: 1_000 })
  gate.setKey(record)
  let seen = 0
  const admit: Set['admit'] = (requests, of = key) => {
    const at = gate.admit(of, clock.ms, requests)
    if (at !== Verdict.Waiting) return { at, later: Promise.resolve(at), cancel: () => {} }
    let cancel = () => {}
    const later = new Promise<Verdict>(resolve => {
      const waiter = gate.wait(resolve)
      cancel = () => waiter.cancel()
    })
    return { at, later, cancel }
  }
  const next: Set['next'] = async () => {
    await until(() => store.asked.length > seen)
    return store.asked[seen++] as StoreByHand['asked'][number]
  }
  return {
    gate,
    leaseManager,
    store,
    clock,
    reported,
    key,
    table,
    counters,
    admit,
    next,
    admitMany: requests => {
      let admitted = 0
      for (let n = 0; n < requests; n++) if (admit().at === Verdict.Admitted) admitted++
      return admitted
    },
    grant: async lease => {
      const { later } = admit()
      ;(await next()).answer(lease)
      await later
    },
    join: async (replicas, rank) => {
      store.presence = { replicas, rank, silentMs: 0 }
      await leaseManager.announce()
      clock.ms += KNOWN_MS
      await leaseManager.announce()
      clock.ms -= KNOWN_MS
    },
    loseStore: () => {
      store.isThere = false
      leaseManager.lost('gone')
    },
    moveUntil: isSo =>
      until(isSo, () => {
        clock.ms++
      }),
  }
}

/**
 * Makes a request that the store does not answer in time, so that the replica decides it locally. The test can still answer it.
 */
export async function lose({ admit, next, moveUntil, leaseManager }: Set): Promise<StoreByHand['asked'][number]> {
  const request = admit()
  const asked = await next()
  await moveUntil(() => !leaseManager.isUp)
  await request.later
  return asked
}
