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
export const LOCK = 5
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
/** A decision takes well under a microsecond: a slot that is taken for longer belongs to a thread that lost its core. */
const SPINS_MAX = 1_000
const LOCK_WAIT_MS = 1
/** A thread that holds a slot through so many waits is gone. */
const LOCK_WAITS_MAX = 1_000

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
    return this.#doubles[slot * SLOT_DOUBLES]
  }

  startMinute(slot: number, nowMs: number): void {
    this.#doubles[slot * SLOT_DOUBLES] = nowMs
  }

  /** For decisions, which do nothing that can fail until `release`; everything else uses `locked`. */
  take(slot: number): void {
    if (!this.isShared) return
    const lock = this.at(slot) + LOCK
    for (let spins = 0; spins < SPINS_MAX; spins++) if (Atomics.compareExchange(this.words, lock, 0, 1) === 0) return
    this.#takeSlowly(lock)
  }

  /** A slot whose holder is gone is taken over: one count may be wrong then, but no thread hangs. */
  #takeSlowly(lock: number): void {
    for (let waits = 0; waits < LOCK_WAITS_MAX; waits++) {
      Atomics.wait(this.words, lock, 1, LOCK_WAIT_MS)
      if (Atomics.compareExchange(this.words, lock, 0, 1) === 0) return
    }
  }

  release(slot: number): void {
    if (this.isShared) Atomics.store(this.words, this.at(slot) + LOCK, 0)
  }

  /** A change of a slot that no other thread sees half done. */
  locked<Result>(slot: number, change: () => Result): Result {
    this.take(slot)
    try {
      return change()
    } finally {
      this.release(slot)
    }
  }

  markChanged(): void {
    if (this.isShared) Atomics.store(this.#changed, 0, 1)
    else this.#changed[0] = 1
  }

  takeChanged(): boolean {
    return Atomics.exchange(this.#changed, 0, 0) === 1
  }
}
