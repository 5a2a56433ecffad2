/** Counts per key, by slot. In shared memory all threads decide from one set of them, exactly. */

/** Words of a slot: together in memory, since a decision needs them all. */
const SLOT_WORDS = 4
export const MINUTE_COUNT = 0
/** The day that the day's count is of, in days since the epoch. */
export const DAY = 1
export const DAY_COUNT = 2
/** 0 free, 1 taken; used only where threads share the counters. */
const LOCK = 3
const SLOT_BYTES = 8 + SLOT_WORDS * 4
/** One word before the slots says whether anything changed since it was last asked. */
const HEAD_BYTES = 8

export class Counters {
  readonly buffer: ArrayBufferLike
  readonly capacity: number
  readonly isShared: boolean
  /** By slot: when its minute began. */
  readonly minuteStartMs: Float64Array
  /** By `at(slot)` and one of the names above. */
  readonly words: Int32Array
  readonly #changed: Int32Array

  constructor(buffer: ArrayBufferLike) {
    const capacity = Math.floor((buffer.byteLength - HEAD_BYTES) / SLOT_BYTES)
    this.buffer = buffer
    this.capacity = capacity
    this.isShared = buffer instanceof SharedArrayBuffer
    this.#changed = new Int32Array(buffer, 0, 1)
    this.minuteStartMs = new Float64Array(buffer, HEAD_BYTES, capacity)
    this.words = new Int32Array(buffer, HEAD_BYTES + capacity * 8, capacity * SLOT_WORDS)
  }

  static alone(capacity: number): Counters {
    return new Counters(new ArrayBuffer(HEAD_BYTES + capacity * SLOT_BYTES))
  }

  static shared(capacity: number): Counters {
    return new Counters(new SharedArrayBuffer(HEAD_BYTES + capacity * SLOT_BYTES))
  }

  /** The same counts with more room; for a single thread only. */
  grown(capacity: number): Counters {
    const wider = Counters.alone(capacity)
    wider.minuteStartMs.set(this.minuteStartMs)
    wider.words.set(this.words)
    if (this.takeChanged()) wider.markChanged()
    return wider
  }

  /** Where a slot's words begin. */
  at(slot: number): number {
    return slot * SLOT_WORDS
  }

  /** A decision takes well under a microsecond, so whoever finds a slot taken tries again at once. */
  take(slot: number): void {
    if (!this.isShared) return
    while (Atomics.compareExchange(this.words, this.at(slot) + LOCK, 0, 1) !== 0);
  }

  release(slot: number): void {
    if (this.isShared) Atomics.store(this.words, this.at(slot) + LOCK, 0)
  }

  markChanged(): void {
    if (this.isShared) Atomics.store(this.#changed, 0, 1)
    else this.#changed[0] = 1
  }

  takeChanged(): boolean {
    return Atomics.exchange(this.#changed, 0, 0) === 1
  }
}
