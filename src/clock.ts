/** Time is a parameter: the server passes `systemClock`, tests pass one that they move. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

export const DAY_MS = 86_400_000

/** The UTC calendar day as a count of days since the epoch. */
export function utcDay(nowMs: number): number {
  return Math.floor(nowMs / DAY_MS)
}

/** Seconds, UTC, with an explicit offset: 2026-05-04T12:00:00+00:00 */
export function isoSeconds(nowMs: number): string {
  return `${new Date(nowMs).toISOString().slice(0, 19)}+00:00`
}
