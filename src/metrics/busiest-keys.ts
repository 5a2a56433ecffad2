/** The keys with the most requests in the last minute, from the counts of all threads. */
import type { Tally } from './tally.js'

const SHOWN_MAX = 20
/** Number of keys kept for each part of the minute; they include every key that is busy for the whole minute. */
const KEPT_MAX = 100
const PART_MS = 15_000
/** Number of complete parts; together with the current part they cover at most a minute. */
const PARTS = 3

export interface BusyKey {
  id: string
  requests: number
  /** Requests that were answered with 429. */
  refused: number
}

type Counts = { slot: number; requests: number; refused: number }

const byRequests = (a: Counts, b: Counts) => b.requests - a.requests || a.slot - b.slot

export class BusiestKeys {
  #parts: Counts[][] = []
  /** Totals at the start of the current part, two for each slot. */
  #before: Float64Array = new Float64Array(0)
  readonly #timer: NodeJS.Timeout

  constructor(
    private readonly tallies: readonly Tally[],
    /** Only slots below this number can have counts. */
    private readonly slots: () => number,
    private readonly idOf: (slot: number) => string,
  ) {
    this.#timer = setInterval(() => this.endPart(), PART_MS)
    this.#timer.unref()
  }

  endPart(): void {
    const totals = this.#totals()
    this.#parts = [this.#since(totals).slice(0, KEPT_MAX), ...this.#parts].slice(0, PARTS)
    this.#before = totals
  }

  list(): BusyKey[] {
    const sums = new Map<number, Counts>()
    for (const { slot, requests, refused } of [this.#since(this.#totals()), ...this.#parts].flat()) {
      const sum = sums.get(slot) ?? { slot, requests: 0, refused: 0 }
      sum.requests += requests
      sum.refused += refused
      sums.set(slot, sum)
    }
    const busiest = [...sums.values()].sort(byRequests).slice(0, SHOWN_MAX)
    return busiest.map(({ slot, requests, refused }) => ({ id: this.idOf(slot), requests, refused }))
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #totals(): Float64Array {
    const slots = this.slots()
    const totals = new Float64Array(2 * slots)
    for (const tally of this.tallies) tally.addKeys(totals)
    return totals
  }

  /** Counts requests since the start of the current part, the busiest key first. */
  #since(totals: Float64Array): Counts[] {
    const counts: Counts[] = []
    for (let i = 0; i < totals.length; i += 2) {
      const requests = totals[i] - (this.#before[i] ?? 0)
      if (requests > 0) counts.push({ slot: i / 2, requests, refused: totals[i + 1] - (this.#before[i + 1] ?? 0) })
    }
    return counts.sort(byRequests)
  }
}
