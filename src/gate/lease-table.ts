/** What leases need of a key besides its counters, by slot; in shared memory where threads share those. */
const SLOT_DOUBLES = 4
const SLOT_WORDS = 2 * SLOT_DOUBLES
/** Doubles: until when the store is known to have no room, and when it was last asked. Local time. */
const REFUSED_UNTIL = 0
const ASKED_AT = 1
/** Words. What was admitted without the store and not told to it yet. */
const UNTOLD_MINUTE = 4
const UNTOLD_DAY = 5
/** How much is asked for ahead. */
const SIZE = 6
/** More is asked for once so little is left. */
const LOW = 7
/** Before the slots: counts of what happened, for whoever watches. */
const FIGURES = 8
const FIGURE_BYTES = 4 * FIGURES

/** `tripTicks`: how long answers of the store took, in hundredths of a millisecond; it begins anew at 2^32. */
export const FIGURE_NAMES = ['asked', 'waited', 'alone', 'lost', 'tripTicks'] as const
export type FigureName = (typeof FIGURE_NAMES)[number]
export type LeaseFigures = Record<FigureName, number>

export class LeaseTable {
  readonly buffer: ArrayBufferLike
  readonly #figures: Int32Array
  readonly #words: Int32Array
  readonly #doubles: Float64Array

  constructor(buffer: ArrayBufferLike) {
    this.buffer = buffer
    this.#figures = new Int32Array(buffer, 0, FIGURES)
    this.#words = new Int32Array(buffer, FIGURE_BYTES)
    this.#doubles = new Float64Array(buffer, FIGURE_BYTES)
  }

  static alone(capacity: number): LeaseTable {
    return new LeaseTable(new ArrayBuffer(FIGURE_BYTES + capacity * SLOT_DOUBLES * 8))
  }

  static shared(capacity: number): LeaseTable {
    return new LeaseTable(new SharedArrayBuffer(FIGURE_BYTES + capacity * SLOT_DOUBLES * 8))
  }

  count(name: FigureName, by = 1): void {
    Atomics.add(this.#figures, FIGURE_NAMES.indexOf(name), by)
  }

  get figures(): LeaseFigures {
    return Object.fromEntries(
      FIGURE_NAMES.map((name, i) => [name, (this.#figures[i] as number) >>> 0]),
    ) as LeaseFigures
  }

  refusedUntil(slot: number): number {
    return this.#doubles[slot * SLOT_DOUBLES + REFUSED_UNTIL] as number
  }

  refuseUntil(slot: number, ms: number): void {
    this.#doubles[slot * SLOT_DOUBLES + REFUSED_UNTIL] = ms
  }

  askedAt(slot: number): number {
    return this.#doubles[slot * SLOT_DOUBLES + ASKED_AT] as number
  }

  askAt(slot: number, ms: number): void {
    this.#doubles[slot * SLOT_DOUBLES + ASKED_AT] = ms
  }

  untoldMinute(slot: number): number {
    return this.#words[slot * SLOT_WORDS + UNTOLD_MINUTE] as number
  }

  untoldDay(slot: number): number {
    return this.#words[slot * SLOT_WORDS + UNTOLD_DAY] as number
  }

  setUntold(slot: number, minute: number, day: number): void {
    this.#words[slot * SLOT_WORDS + UNTOLD_MINUTE] = minute
    this.#words[slot * SLOT_WORDS + UNTOLD_DAY] = day
  }

  size(slot: number): number {
    return this.#words[slot * SLOT_WORDS + SIZE] as number
  }

  setSize(slot: number, size: number): void {
    this.#words[slot * SLOT_WORDS + SIZE] = size
  }

  low(slot: number): number {
    return this.#words[slot * SLOT_WORDS + LOW] as number
  }

  setLow(slot: number, low: number): void {
    this.#words[slot * SLOT_WORDS + LOW] = low
  }
}
