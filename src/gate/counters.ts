/** Counts per key, by slot. In shared memory all threads decide from one set of them, exactly. */

/** Bytes of a slot: start of the minute, then four whole numbers. */
const SLOT_BYTES = 8 + 4 * 4
/** One word before the slots says whether anything changed since it was last asked. */
const HEAD_BYTES = 8

export class Counters {
  readonly buffer: ArrayBufferLike
  readonly capacity: number
  minuteStartMs: Float64Array
  minuteCount: Uint32Array
  day: Int32Array
  dayCount: Uint32Array
  readonly #changed: Int32Array
  /** 0 free, 1 taken; only where threads share the counters. */
  readonly #lock: Int32Array | undefined

  constructor(buffer: ArrayBufferLike) {
    const capacity = Math.floor((buffer.byteLength - HEAD_BYTES) / SLOT_BYTES)
    this.buffer = buffer
    this.capacity = capacity
    this.#changed = new Int32Array(buffer, 0, 1)
    this.minuteStartMs = new Float64Array(buffer, HEAD_BYTES, capacity)
    let at = HEAD_BYTES + capacity * 8
    const next = () => {
      at += capacity * 4
      return at - capacity * 4
    }
    this.minuteCount = new Uint32Array(buffer, next(), capacity)
    this.day = new Int32Array(buffer, next(), capacity)
    this.dayCount = new Uint32Array(buffer, next(), capacity)
    const lock = new Int32Array(buffer, next(), capacity)
    this.#lock = buffer instanceof SharedArrayBuffer ? lock : undefined
  }

  static alone(capacity: number): Counters {
    return new Counters(new ArrayBuffer(HEAD_BYTES + capacity * SLOT_BYTES))
  }

  static shared(capacity: number): Counters {
    return new Counters(new SharedArrayBuffer(HEAD_BYTES + capacity * SLOT_BYTES))
  }

  get isShared(): boolean {
    return this.#lock !== undefined
  }

  /** The same counts with more room; for a single thread only. */
  grown(capacity: number): Counters {
    const wider = Counters.alone(capacity)
    wider.minuteStartMs.set(this.minuteStartMs)
    wider.minuteCount.set(this.minuteCount)
    wider.day.set(this.day)
    wider.dayCount.set(this.dayCount)
    if (this.takeChanged()) wider.markChanged()
    return wider
  }

  /** A decision takes well under a microsecond, so whoever finds a slot taken tries again at once. */
  take(slot: number): void {
    if (this.#lock === undefined) return
    while (Atomics.compareExchange(this.#lock, slot, 0, 1) !== 0);
  }

  release(slot: number): void {
    if (this.#lock !== undefined) Atomics.store(this.#lock, slot, 0)
  }

  markChanged(): void {
    if (this.#lock === undefined) this.#changed[0] = 1
    else Atomics.store(this.#changed, 0, 1)
  }

  takeChanged(): boolean {
    return Atomics.exchange(this.#changed, 0, 0) === 1
  }
}
