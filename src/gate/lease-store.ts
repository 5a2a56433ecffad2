/** What several replicas share: who asks it for a lease may admit so many requests without asking again. */

/** A key's windows as an asker knows them; all counts include what is leased. */
export interface Windows {
  /** By the store's clock, as every time here. */
  minuteStartMs: number
  minuteCount: number
  /** UTC days since the epoch. */
  day: number
  dayCount: number
}

export interface LeaseAsk {
  keyId: string
  limitMinute: number
  limitDay: number
  /** Requests that wait for it. */
  waiting: number
  /** Whether all that wait are given theirs or none is: one request that counts as several. */
  isWhole: boolean
  /** Wanted besides, for those to come; given where there is plenty. */
  ahead: number
  /** Leased before and not spent. */
  back: number
  /** Admitted without a lease while the store was away. */
  spentMinute: number
  spentDay: number
  /** The windows that `back` and `spent` are of; and what is put in force should the store have lost its own. */
  known: Windows
}

export interface Lease extends Windows {
  granted: number
  nowMs: number
}

export interface LeaseStore {
  /** Several may be under way; they are answered in their order. */
  ask(ask: LeaseAsk): Promise<Lease>
  /** Settles once the store takes writes. */
  probe(): Promise<void>
}
