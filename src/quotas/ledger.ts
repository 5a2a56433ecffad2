/** What was reported to a store, by slot; the counters minus this is unreported. */
import type { WindowCounts } from './counters.js'

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

  isReported(slot: number, day: number, dayCount: number): boolean {
    return slot < this.#day.length && this.#day[slot] === day && this.#dayCount[slot] === dayCount
  }

  unreported(slot: number, { day, dayCount, minuteStartMs, minuteCount }: WindowCounts): WindowCounts {
    const reportedDay = this.#day[slot] === day ? this.#dayCount[slot] : 0
    const reportedMinute = this.#minuteStartMs[slot] === minuteStartMs ? this.#minuteCount[slot] : 0
    return { day, dayCount: dayCount - reportedDay, minuteStartMs, minuteCount: minuteCount - reportedMinute }
  }

  markReported(slot: number, { day, dayCount, minuteStartMs, minuteCount }: WindowCounts): void {
    this.#day[slot] = day
    this.#dayCount[slot] = dayCount
    this.#minuteStartMs[slot] = minuteStartMs
    this.#minuteCount[slot] = minuteCount
  }
}
