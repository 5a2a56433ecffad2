/**
 * The knee: the highest rate that a deployment bears. The rate is doubled until it breaks, then the gap between the last
 * that held and the first that broke is narrowed.
 */

/** A gap of so much is narrow enough: runs of the same rate differ by more. */
const GAP = 1.1
const GROWTH = 2
/** Doubling from 1 to the highest rate and narrowing take fewer. */
const STEPS_MAX = 24
/** One good try shows that a rate can be borne; a bad one may be the fault of a neighbour. */
const TRIES_EACH = 2

/**
 * @param {{from: number, max: number, deadline: () => boolean, attempt: (rate: number) => Promise<{reason?: string}>}}
 *   options `attempt` loads at a rate and tells by `reason` what broke; `deadline` whether time is over
 * @returns {Promise<{held?: number, broke?: number, reason?: string, steps: object[], isTimeOver: boolean}>} no `broke`:
 *   even the highest rate held
 */
export async function findLimit({ from, max, deadline, attempt }) {
  const steps = []
  let held
  let broke
  let reason
  const next = () => {
    if (broke === undefined) return held === undefined ? from : Math.min(max, held * GROWTH)
    return held === undefined ? undefined : Math.round(Math.sqrt(held * broke))
  }
  const isNarrow = () => held !== undefined && broke !== undefined && broke <= Math.max(held * GAP, held + 1)
  const isFound = () => held === max || isNarrow()
  for (let rate = next(); rate !== undefined && !isFound() && steps.length < STEPS_MAX; rate = next()) {
    let result
    for (let i = 0; i < TRIES_EACH && (i === 0 || result.reason !== undefined); i++) {
      if (deadline()) return { held, broke, reason, steps, isTimeOver: true }
      result = await attempt(rate)
    }
    steps.push({ rate, ...result })
    if (result.reason === undefined) held = rate
    else {
      broke = rate
      reason = result.reason
    }
  }
  return { held, broke, reason, steps, isTimeOver: false }
}
