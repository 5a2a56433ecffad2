/** How fast a page may ask, by what is left of the quota. */
import { limits } from './api.js'

/**
 * How long to wait after a letter, by what is left of the minute: nothing as long as there is plenty, a pause of typing where it
 * gets scarce, and null (only by Enter) at the end. A free key has 30 a minute; the pages' own has 600.
 */
export function pause(isCostly: boolean): number | null {
  const { limit, remaining } = limits
  if (remaining > 200 || (limit >= 300 && remaining > 100)) return 0
  if (remaining > limit * 0.5) return isCostly ? 250 : 120
  if (remaining > Math.min(10, limit * 0.2)) return isCostly ? 450 : 300
  return null
}
