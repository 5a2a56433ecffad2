/** What was reported to a store of each key, by slot: what a counter shows beyond that was spent since. */
import type { Usage } from './usage-store.js'

/** A key's counts without its name. */
export type Counts = Omit<Usage, 'keyId'>

export class Ledger {
  readonly #day: Int32Array
  readonly #dayCount: Int32Array
  readonly #minuteStartMs: Float64Array
  readonly #minuteCount: Int32Array

  constructor(capacity: number) {
    this.#day = new Int32Array(capacity)
    this.#dayCount = new Int32Array(capacity)
    this.#minuteStartMs = new Float64Array(capacity)
    this.#minuteCount = new Int32Array(capacity)
  }

  /** Whether the store knows of so many requests on that day: most keys were not used since the last report. */
  knows(slot: number, day: number, dayCount: number): boolean {
    return slot < this.#day.length && this.#day[slot] === day && this.#dayCount[slot] === dayCount
  }

  /** The part of these counts that the store does not know of. */
  unreported(slot: number, { day, dayCount, minuteStartMs, minuteCount }: Counts): Counts {
    const reportedDay = this.#day[slot] === day ? this.#dayCount[slot] : 0
    const reportedMinute = this.#minuteStartMs[slot] === minuteStartMs ? this.#minuteCount[slot] : 0
    return { day, dayCount: dayCount - reportedDay, minuteStartMs, minuteCount: minuteCount - reportedMinute }
  }

  /** The store knows these counts of the key. */
  markReported(slot: number, { day, dayCount, minuteStartMs, minuteCount }: Counts): void {
    this.#day[slot] = day
    this.#dayCount[slot] = dayCount
    this.#minuteStartMs[slot] = minuteStartMs
    this.#minuteCount[slot] = minuteCount
  }
}
