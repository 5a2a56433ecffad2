/**
 * The store that replicas share. A lease admits several requests without another round trip. Times are read from the store's
 * clock.
 */
import type { WindowCounts } from '../quotas/counters.js'

export type { WindowCounts }

export interface LeaseRequest {
  keyId: string
  limitMinute: number
  limitDay: number
  waiting: number
  /** Whether to grant all of `waiting` or nothing, because `waiting` is one request that counts as several. */
  isAllOrNothing: boolean
  /** For future requests; granted only in part if little of the quota is left. */
  prefetch: number
  /** Requests that were leased before and not spent. */
  returned: number
  /** Requests that were admitted without a lease and not reported before. */
  unreportedMinute: number
  unreportedDay: number
  /** The windows of `returned` and `unreported`; if the store has lost its counts, it restores them from these. */
  known: WindowCounts
}

/** The store's answer; its counts include leased requests. */
export interface Lease extends WindowCounts {
  granted: number
  nowMs: number
}

/** The number of active replicas, and this one's position among them. */
export interface Presence {
  replicas: number
  rank: number
  /** Age of the oldest heartbeat among the replicas. */
  silentMs: number
}

export interface LeaseStore {
  /** Concurrent calls are answered in order. Rejects with `DamagedKeyError` if only this key is affected. */
  lease(request: LeaseRequest): Promise<Lease>
  /** Resolves once the store accepts writes. */
  announce(replicaId: string): Promise<Presence>
}

/** The store's record of one key is unusable. */
export class DamagedKeyError extends Error {
  override readonly name = 'DamagedKeyError'
}
