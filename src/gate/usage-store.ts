/**
 * Where counts outlive the process. The gate decides from its own memory and hands over what changed; a store
 * may lag behind but never blocks a request. Files today; a store that several servers share fits behind the
 * same interface.
 */
export interface Usage {
  keyId: string
  /** UTC days since the epoch. */
  day: number
  dayCount: number
  minuteStartMs: number
  minuteCount: number
}

export interface UsageStore {
  load(): Promise<Usage[]>
  /** The state of all keys that have counts; called with at most one save in flight. */
  save(usage: Usage[]): Promise<void>
}
