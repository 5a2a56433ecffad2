/** The store that replicas share. A replica that holds a lease may admit that many requests without another round trip. */

/** A key's windows as a replica knows them; all counts include what is leased. */
export interface WindowCounts {
  /** By the store's clock, as every time here. */
  minuteStartMs: number
  minuteCount: number
  /** UTC days since the epoch. */
  day: number
  dayCount: number
}

export interface LeaseRequest {
  keyId: string
  limitMinute: number
  limitDay: number
  /** Requests that wait for it. */
  waiting: number
  /** Whether all that wait are granted or none is: one request that counts as several. */
  isWhole: boolean
  /** Wanted for requests to come; granted where there is plenty. */
  prefetch: number
  /** Leased before and not spent. */
  returned: number
  /** Admitted without a lease, and not reported to the store before. */
  unreportedMinute: number
  unreportedDay: number
  /** The windows that `returned` and `unreported` belong to, and what is put in force where the store lost its own. */
  known: WindowCounts
}

export interface Lease extends WindowCounts {
  granted: number
  nowMs: number
}

/** The replicas that spoke to the store lately, this one included, and how many of them come before it. */
export interface Presence {
  replicas: number
  rank: number
}

export interface LeaseStore {
  /** Several may be under way; they are answered in their order. Rejects with `DamagedKeyError` for one key alone. */
  lease(request: LeaseRequest): Promise<Lease>
  /** Settles once the store takes writes. */
  announce(replicaId: string): Promise<Presence>
}

/** What the store has of one key cannot be used; other keys are not affected. */
export class DamagedKeyError extends Error {
  override readonly name = 'DamagedKeyError'
}
