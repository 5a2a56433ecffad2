/** What a store was told of each key, by slot: what a counter shows beyond it was spent since. */
import type { Usage } from './usage-store.js'

/** A key's counts without its name. */
export type Counts = Omit<Usage, 'keyId'>

const FIRST_SLOTS = 64

export class Ledger {
  #day = new Int32Array(FIRST_SLOTS)
  #dayCount = new Int32Array(FIRST_SLOTS)
  #minuteStartMs = new Float64Array(FIRST_SLOTS)
  #minuteCount = new Int32Array(FIRST_SLOTS)

  #reserve(slot: number): void {
    if (slot < this.#day.length) return
    const size = 2 * (slot + 1)
    const grown = <A extends Int32Array | Float64Array>(from: A, to: A): A => {
      to.set(from)
      return to
    }
    this.#day = grown(this.#day, new Int32Array(size))
    this.#dayCount = grown(this.#dayCount, new Int32Array(size))
    this.#minuteStartMs = grown(this.#minuteStartMs, new Float64Array(size))
    this.#minuteCount = grown(this.#minuteCount, new Int32Array(size))
  }

  /** Whether the store knows of so many requests on that day: most keys were not used since it was told. */
  knows(slot: number, day: number, dayCount: number): boolean {
    return slot < this.#day.length && this.#day[slot] === day && this.#dayCount[slot] === dayCount
  }

  /** The part of these counts that the store does not know of. */
  unspoken(slot: number, { day, dayCount, minuteStartMs, minuteCount }: Counts): Counts {
    this.#reserve(slot)
    const toldDay = this.#day[slot] === day ? (this.#dayCount[slot] as number) : 0
    const toldMinute = this.#minuteStartMs[slot] === minuteStartMs ? (this.#minuteCount[slot] as number) : 0
    return { day, dayCount: dayCount - toldDay, minuteStartMs, minuteCount: minuteCount - toldMinute }
  }

  /** The store knows these counts of the key. */
  told(slot: number, { day, dayCount, minuteStartMs, minuteCount }: Counts): void {
    this.#reserve(slot)
    this.#day[slot] = day
    this.#dayCount[slot] = dayCount
    this.#minuteStartMs[slot] = minuteStartMs
    this.#minuteCount[slot] = minuteCount
  }
}
