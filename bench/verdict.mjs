/** Whether two alternately measured programs differ by more than the spread of each. */

/** Smaller differences are ignored. */
const MARGIN_MIN = 0.03

/** @param {number[]} bests smaller is better */
function summarise(bests) {
  const best = Math.min(...bests)
  return { best, spread: Math.max(...bests) / best - 1 }
}

export function verdict(now, before) {
  const [a, b] = [summarise(now), summarise(before)]
  const change = a.best / b.best - 1
  const margin = Math.max(MARGIN_MIN, a.spread, b.spread)
  const word = Math.abs(change) <= margin ? 'same' : change < 0 ? 'faster' : 'slower'
  return { now: a.best, before: b.best, change, margin, word }
}

export const percent = share => `${share > 0 ? '+' : ''}${(share * 100).toFixed(1)} %`
