/** How much a key leases beyond what waits, so that a busy key is admitted from memory. */

/** A prefetch takes at most this part of what is left, so that little of it waits unused anywhere. */
export const PREFETCH_PART = 64
/** More than this part is never taken for prefetched, however many replicas there are. */
const PREFETCHED_PART_MAX = 4
const PREFETCH_FIRST = 8
const PREFETCH_MAX = 8_192
/** A key that needs another lease so soon gets more, one that needs it so late gets less. */
const BUSY_MS = 100
const IDLE_MS = 1_000

export function nextPrefetch(before: number, sinceLastMs: number): number {
  if (sinceLastMs < BUSY_MS) return Math.min(PREFETCH_MAX, Math.max(PREFETCH_FIRST, 2 * before))
  return sinceLastMs > IDLE_MS ? Math.floor(before / 4) : before
}

/** What the other replicas leave of so many requests if each has prefetched once more than we know. */
export function leftAfterPrefetch(left: number, others: number): number {
  const prefetched = others * Math.floor(Math.max(0, left) / PREFETCH_PART)
  return left - Math.min(prefetched, Math.floor(Math.max(0, left) / PREFETCHED_PART_MAX))
}
