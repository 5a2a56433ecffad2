/** Stage 6: each further code of a heading scores less, so that one heading does not fill the page. */
import { sortByScore } from './order.js'
import type { Ranking, Tier } from './ranking.js'
import { REPEAT_WEIGHT, REPEATS_MAX } from './weights.js'

/** Lowers the scores of each heading's further codes among the first records of a tier, and sorts these records. */
export function spreadHeadings({ score }: Ranking, tier: Tier, headingOf: ArrayLike<number>): void {
  const ordered = sortByScore(tier.first, score)
  for (const [i, repeats] of repeatsOf(ordered, headingOf).entries())
    score[ordered[i]] = score[ordered[i]] * REPEAT_WEIGHT ** Math.min(repeats, REPEATS_MAX)
  tier.first = sortByScore(ordered, score)
}

/** For each record, how many records before it have the same heading. */
export function repeatsOf(records: readonly number[], headingOf: ArrayLike<number>): number[] {
  const counts = new Map<number, number>()
  return records.map(record => {
    const repeats = counts.get(headingOf[record]) ?? 0
    counts.set(headingOf[record], repeats + 1)
    return repeats
  })
}
