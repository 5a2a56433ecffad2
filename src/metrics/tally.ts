/** A thread's counters in shared memory. Only that thread writes, so there are no locks. Doubles never overflow. */

/** With more routes or kinds than this, counters would overlap; a test checks that there are not more. */
export const ROUTES_MAX = 64
export const KINDS_MAX = 32

/** Upper bounds in microseconds; one more bucket counts all longer times. */
export const BUCKETS_US: readonly number[] = [
  2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 100_000, 1_000_000,
]
const BUCKETS = BUCKETS_US.length + 1

/** `accessDropped`: lines of the access log that were dropped. `delay…`: delay of the event loop in seconds. */
const THREAD_FIGURES = [
  'connections',
  'accessDropped',
  'delayP50',
  'delayP99',
  'delayMax',
  'chaosLatency',
  'chaosStatus',
  'chaosReset',
  'chaosSlowBody',
  'emptySearches',
] as const
export type ThreadFigure = (typeof THREAD_FIGURES)[number]

// the index at which each group of counters starts
const COUNTS_AT = 0
const BYTES_AT = COUNTS_AT + ROUTES_MAX * KINDS_MAX
const BUCKETS_AT = BYTES_AT + ROUTES_MAX
const TIME_AT = BUCKETS_AT + ROUTES_MAX * BUCKETS
const FIGURES_AT = TIME_AT + ROUTES_MAX
/** Two counters for each key slot: all responses, and responses with 429. Memory of unused slots is never touched. */
const KEYS_AT = FIGURES_AT + THREAD_FIGURES.length

export class Tally {
  readonly #doubles: Float64Array

  constructor(readonly buffer: SharedArrayBuffer = new SharedArrayBuffer(KEYS_AT * 8)) {
    this.#doubles = new Float64Array(buffer)
  }

  static withKeys(slots: number): Tally {
    return new Tally(new SharedArrayBuffer((KEYS_AT + 2 * slots) * 8))
  }

  /** Counts nothing if `slot` is negative, which means that there is no key. */
  countKey(slot: number, isRefused: boolean): void {
    const doubles = this.#doubles
    const at = KEYS_AT + 2 * slot
    if (slot < 0 || at >= doubles.length) return
    doubles[at] = doubles[at] + 1
    if (isRefused) doubles[at + 1] = doubles[at + 1] + 1
  }

  /** Adds this thread's counts of keys to `totals`, two for each slot. */
  addKeys(totals: Float64Array): void {
    const end = Math.min(totals.length, this.#doubles.length - KEYS_AT)
    for (let i = 0; i < end; i++) totals[i] = totals[i] + this.#doubles[KEYS_AT + i]
  }

  count(route: number, kind: number, bytes: number): void {
    const doubles = this.#doubles
    const at = COUNTS_AT + route * KINDS_MAX + kind
    doubles[at] = doubles[at] + 1
    doubles[BYTES_AT + route] = doubles[BYTES_AT + route] + bytes
  }

  time(route: number, us: number): void {
    const doubles = this.#doubles
    let bucket = 0
    while (bucket < BUCKETS_US.length && us > BUCKETS_US[bucket]) bucket++
    const at = BUCKETS_AT + route * BUCKETS + bucket
    doubles[at] = doubles[at] + 1
    doubles[TIME_AT + route] = doubles[TIME_AT + route] + us
  }

  set(figure: ThreadFigure, value: number): void {
    this.#doubles[FIGURES_AT + THREAD_FIGURES.indexOf(figure)] = value
  }

  increment(figure: ThreadFigure): void {
    this.set(figure, this.get(figure) + 1)
  }

  get(figure: ThreadFigure): number {
    return this.#doubles[FIGURES_AT + THREAD_FIGURES.indexOf(figure)]
  }

  responses(route: number, kind: number): number {
    return this.#doubles[COUNTS_AT + route * KINDS_MAX + kind]
  }

  bytes(route: number): number {
    return this.#doubles[BYTES_AT + route]
  }

  /** Returns the count of each bucket, not cumulative. */
  buckets(route: number): number[] {
    const at = BUCKETS_AT + route * BUCKETS
    return Array.from(this.#doubles.subarray(at, at + BUCKETS))
  }

  microseconds(route: number): number {
    return this.#doubles[TIME_AT + route]
  }
}
