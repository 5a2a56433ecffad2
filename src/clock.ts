export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
}

const COARSE_MS = 10

/** Reads the system time on a timer, because a reading may need a system call, which takes longer than the lookup of a code. */
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
 * If the clock is set back by at most this many days, the count of the later day stays in use, so that no day is counted twice.
 * If it is set back further, the later day was wrong, and keeping its count would lock keys out until that day.
 */
export const DAYS_BACK_MAX = 2

/**
 * Whether two start times belong to the same minute window of a key. They may differ slightly, as the clocks of replicas do.
 */
export function isSameMinute(startMs: number, otherStartMs: number): boolean {
  return Math.abs(startMs - otherStartMs) < MINUTE_MS
}

/** The UTC calendar day as a count of days since the epoch. */
export function utcDay(nowMs: number): number {
  return Math.floor(nowMs / DAY_MS)
}

/** The UTC day, such as 2026-05-04. */
export function isoDay(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 10)
}

/** The UTC time in seconds, such as 2026-05-04T12:00:00+00:00. */
export function isoSeconds(nowMs: number): string {
  return `${new Date(nowMs).toISOString().slice(0, 19)}+00:00`
}
