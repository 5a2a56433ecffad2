/** How much a key leases beyond what waits, so that a busy key is admitted from memory. */
const PREFETCH_FIRST = 8
const PREFETCH_MAX = 8_192
/** A key that needs another lease so soon gets more, one that needs it so late gets less. */
const BUSY_MS = 100
const IDLE_MS = 1_000

export function nextPrefetch(before: number, sinceLastMs: number): number {
  if (sinceLastMs < BUSY_MS) return Math.min(PREFETCH_MAX, Math.max(PREFETCH_FIRST, 2 * before))
  return sinceLastMs > IDLE_MS ? Math.floor(before / 4) : before
}
