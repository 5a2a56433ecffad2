/** How many requests a key leases in advance, so that a busy key rarely waits. */

/** A prefetch takes at most 1/64 of the remaining quota, so that a replica holds little that others could use. */
export const PREFETCH_PART = 64
/** All replicas together are assumed to have prefetched at most 1/4 of the remaining quota. */
const PREFETCHED_PART_MAX = 4
const PREFETCH_FIRST = 8
const PREFETCH_MAX = 8_192
/** A key that needs its next lease within BUSY_MS prefetches more; one that needs it only after IDLE_MS prefetches less. */
const BUSY_MS = 100
const IDLE_MS = 1_000

export function nextPrefetch(before: number, sinceLastMs: number): number {
  if (sinceLastMs < BUSY_MS) return Math.min(PREFETCH_MAX, Math.max(PREFETCH_FIRST, 2 * before))
  return sinceLastMs > IDLE_MS ? Math.floor(before / 4) : before
}

/** The remaining quota if each other replica has made one prefetch that we do not know of. */
export function leftAfterPrefetch(left: number, others: number): number {
  const prefetched = others * Math.floor(Math.max(0, left) / PREFETCH_PART)
  return left - Math.min(prefetched, Math.floor(Math.max(0, left) / PREFETCHED_PART_MAX))
}
