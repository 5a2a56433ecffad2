/**
 * What a decision needs of a key, by slot: its rules and its counts, side by side in memory, since with many keys every
 * further place costs a cache miss. In shared memory all threads decide from one set of them, exactly. They never grow: room
 * for many more keys is reserved, since memory that is not touched costs nothing, and copying a million slots would.
 */

/** Bytes of a slot: when its minute began as a double, then the words below. */
const SLOT_DOUBLES = 5
const SLOT_WORDS = 2 * SLOT_DOUBLES
const SLOT_BYTES = 8 * SLOT_DOUBLES
export const MINUTE_COUNT = 2
/** The day that the day's count is of, in days since the epoch. */
export const DAY = 3
export const DAY_COUNT = 4
/** 0 free, 1 taken; used only where threads share the counters. */
const LOCK = 5
export const LIMIT_MINUTE = 6
export const LIMIT_DAY = 7
/** The last day on which the key is good; of a key without limits its complement, which is below zero. */
export const LAST_DAY = 8
/** Requests that a shared store has set aside for this process and that are not spent yet. They are in the counts already. */
export const LEASED = 9
/** One word before the slots says whether anything changed since it was last asked. */
const HEAD_BYTES = 8
/** After the slots: a byte for each that has counts worth keeping, so that saving need not look at them all. */
const USED_BYTES = 1

export class Counters {
  readonly buffer: ArrayBufferLike
  readonly capacity: number
  readonly isShared: boolean
  /** By `at(slot)` and one of the names above. */
  readonly words: Int32Array
  readonly used: Uint8Array
  readonly #doubles: Float64Array
  readonly #changed: Int32Array

  constructor(buffer: ArrayBufferLike) {
    const capacity = Math.floor((buffer.byteLength - HEAD_BYTES) / (SLOT_BYTES + USED_BYTES))
    this.buffer = buffer
    this.capacity = capacity
    this.isShared = buffer instanceof SharedArrayBuffer
    this.#changed = new Int32Array(buffer, 0, 1)
    this.words = new Int32Array(buffer, HEAD_BYTES, capacity * SLOT_WORDS)
    this.#doubles = new Float64Array(buffer, HEAD_BYTES, capacity * SLOT_DOUBLES)
    this.used = new Uint8Array(buffer, HEAD_BYTES + capacity * SLOT_BYTES, capacity)
  }

  static alone(capacity: number): Counters {
    return new Counters(new ArrayBuffer(HEAD_BYTES + capacity * (SLOT_BYTES + USED_BYTES)))
  }

  static shared(capacity: number): Counters {
    return new Counters(new SharedArrayBuffer(HEAD_BYTES + capacity * (SLOT_BYTES + USED_BYTES)))
  }

  /** Where a slot's words begin. */
  at(slot: number): number {
    return slot * SLOT_WORDS
  }

  minuteStartMs(slot: number): number {
    return this.#doubles[slot * SLOT_DOUBLES] as number
  }

  startMinute(slot: number, nowMs: number): void {
    this.#doubles[slot * SLOT_DOUBLES] = nowMs
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
