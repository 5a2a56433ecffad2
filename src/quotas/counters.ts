/**
 * Limits and counts of a key are next to each other in memory: with many keys, every additional location would be a cache miss.
 * Threads that share the memory count exactly. The table never grows: reserved memory costs nothing until it is touched.
 */

export interface WindowCounts {
  minuteStartMs: number
  minuteCount: number
  /** The UTC day, as a number of days since the epoch. */
  day: number
  dayCount: number
}

/** A slot consists of the start of its minute as a double, and the 32-bit words below. */
const SLOT_DOUBLES = 5
const SLOT_WORDS = 2 * SLOT_DOUBLES
const SLOT_BYTES = 8 * SLOT_DOUBLES
export const MINUTE_COUNT = 2
export const DAY = 3
export const DAY_COUNT = 4
/** A lock: 0 is free, 1 is taken. Used only if threads share the counters. */
export const LOCK = 5
export const LIMIT_MINUTE = 6
export const LIMIT_DAY = 7
/** The last valid day; for an unlimited key, the complement of that day, which is negative. */
export const LAST_DAY = 8
/** Requests that are leased and not spent; the counts include them. */
export const LEASED = 9
/** Stored before the slots: whether anything changed since the last `takeChanged`. */
const HEAD_BYTES = 8
/** Stored after the slots: one byte per slot, which marks counts to save. */
const USED_BYTES = 1
const COUNT_MAX = 2 ** 31 - 1
/** A decision takes less than a microsecond; a lock held for longer belongs to a descheduled thread. */
const SPINS_MAX = 1_000
const LOCK_WAIT_MS = 1
/** After this many waits the holder is considered dead. */
const LOCK_WAITS_MAX = 1_000

export function allocate(bytes: number, isShared: boolean): ArrayBufferLike {
  return isShared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes)
}

export class Counters {
  readonly buffer: ArrayBufferLike
  readonly capacity: number
  readonly isShared: boolean
  /** Indexed by `at(slot)` plus one of the constants above. */
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

  static create(capacity: number, isShared = false): Counters {
    return new Counters(allocate(HEAD_BYTES + capacity * (SLOT_BYTES + USED_BYTES), isShared))
  }

  at(slot: number): number {
    return slot * SLOT_WORDS
  }

  minuteStartMs(slot: number): number {
    return this.#doubles[slot * SLOT_DOUBLES]
  }

  startMinute(slot: number, nowMs: number): void {
    this.#doubles[slot * SLOT_DOUBLES] = nowMs
  }

  counts(slot: number): WindowCounts {
    const { words } = this
    const at = this.at(slot)
    return {
      minuteStartMs: this.minuteStartMs(slot),
      minuteCount: words[at + MINUTE_COUNT],
      day: words[at + DAY],
      dayCount: words[at + DAY_COUNT],
    }
  }

  setCounts(slot: number, { minuteStartMs, minuteCount, day, dayCount }: WindowCounts): void {
    const { words } = this
    const at = this.at(slot)
    this.startMinute(slot, minuteStartMs)
    words[at + MINUTE_COUNT] = Math.min(minuteCount, COUNT_MAX)
    words[at + DAY] = day
    words[at + DAY_COUNT] = Math.min(dayCount, COUNT_MAX)
  }

  /** Locks a slot. Only for code that cannot throw before `release`; other code uses `locked`. */
  take(slot: number): void {
    if (!this.isShared) return
    const lock = this.at(slot) + LOCK
    for (let spins = 0; spins < SPINS_MAX; spins++) if (Atomics.compareExchange(this.words, lock, 0, 1) === 0) return
    this.#takeSlowly(lock)
  }

  /** Takes over the lock of a dead holder: one count may be wrong then, but no thread hangs. */
  #takeSlowly(lock: number): void {
    for (let waits = 0; waits < LOCK_WAITS_MAX; waits++) {
      Atomics.wait(this.words, lock, 1, LOCK_WAIT_MS)
      if (Atomics.compareExchange(this.words, lock, 0, 1) === 0) return
    }
  }

  release(slot: number): void {
    if (this.isShared) Atomics.store(this.words, this.at(slot) + LOCK, 0)
  }

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
