/** Time is a parameter: the server passes a `CoarseClock`, tests pass one that they move. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
}

/** How old the time that a server reads may be. */
const COARSE_MS = 10

/**
 * The system's time, read once in a while instead of at every request: where the kernel must be asked for it,
 * one reading costs more than finding a code.
 */
export class CoarseClock implements Clock {
  #now = Date.now()
  readonly #timer = setInterval(() => {
    this.#now = Date.now()
  }, COARSE_MS)

  now(): number {
    return this.#now
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}

export const MINUTE_MS = 60_000
export const DAY_MS = 86_400_000

/**
 * A day already counted is never counted anew: where a clock goes back by up to so many days, the later day's count goes
 * on until its end. Further back the clock was wrong before; holding on to that day would lock keys out for as long.
 */
export const DAYS_BACK_MAX = 2

/**
 * Whether two starts are of the same minute of a key, which began with its first request anywhere: clocks differ a little,
 * and the next minute begins no sooner than this one ends.
 */
export function isSameMinute(startMs: number, otherStartMs: number): boolean {
  return Math.abs(startMs - otherStartMs) < MINUTE_MS
}

/** The UTC calendar day as a count of days since the epoch. */
export function utcDay(nowMs: number): number {
  return Math.floor(nowMs / DAY_MS)
}

/** Seconds, UTC, with an explicit offset: 2026-05-04T12:00:00+00:00 */
export function isoSeconds(nowMs: number): string {
  return `${new Date(nowMs).toISOString().slice(0, 19)}+00:00`
}
