/** The store that replicas share. A lease admits that many requests without another round trip. Times are the store's. */
import type { WindowCounts } from '../quotas/counters.js'

export type { WindowCounts }

export interface LeaseRequest {
  keyId: string
  limitMinute: number
  limitDay: number
  waiting: number
  /** Grant all of `waiting` or nothing: one request that counts as several. */
  isWhole: boolean
  /** For requests to come; granted if plenty is left. */
  prefetch: number
  /** Leased before and not spent. */
  returned: number
  /** Admitted without a lease, and not reported before. */
  unreportedMinute: number
  unreportedDay: number
  /** The windows of `returned` and `unreported`; restored if the store lost its own. */
  known: WindowCounts
}

/** Counts include what is leased. */
export interface Lease extends WindowCounts {
  granted: number
  nowMs: number
}

/** The number of active replicas, and this one's position among them. */
export interface Presence {
  replicas: number
  rank: number
}

export interface LeaseStore {
  /** Concurrent calls are answered in order. Rejects with `DamagedKeyError` if only this key is affected. */
  lease(request: LeaseRequest): Promise<Lease>
  /** Settles once the store takes writes. */
  announce(replicaId: string): Promise<Presence>
}

/** The store's record of one key is unusable. */
export class DamagedKeyError extends Error {
  override readonly name = 'DamagedKeyError'
}
