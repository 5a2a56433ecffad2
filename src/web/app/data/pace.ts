/** How fast a page may send requests, depending on the remaining quota. */
import { limits } from './api.js'

/**
 * Milliseconds to wait after a typed letter: 0 while plenty of the minute's quota is left; longer when it is low; null (send
 * only on Enter) when it is nearly used up. A free key has 30 requests a minute; the pages' own key has 600.
 */
export function pause(isCostly: boolean): number | null {
  const { limit, remaining } = limits.peek()
  if (remaining > 200 || (limit >= 300 && remaining > 100)) return 0
  if (remaining > limit * 0.5) return isCostly ? 250 : 120
  if (remaining > Math.min(10, limit * 0.2)) return isCostly ? 450 : 300
  return null
}
