/**
 * Finds the knee: the highest rate that a deployment sustains. Doubles the rate until it breaks, then narrows the gap between
 * the last rate that held and the first that broke.
 */

/** The search ends when the ratio is this small, because runs at the same rate differ by more. */
const GAP = 1.1
const GROWTH = 2
/** Bound on the number of steps; doubling from 1 to the highest rate and then narrowing takes fewer. */
const STEPS_MAX = 24
/** One good try shows that a rate can be sustained; a bad one may be caused by another process. */
const TRIES_EACH = 2

/**
 * @param {{from: number, max: number, deadline: () => boolean, attempt: (rate: number) => Promise<{reason?: string}>}} options
 * `attempt` applies a rate and returns as `reason` what broke; `deadline` returns whether time is up
 * @returns {Promise<{held?: number, broke?: number, reason?: string, steps: object[], isTimeOver: boolean}>} `broke` is undefined
 * if even the highest rate held
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
