/** Which successors of a code of an earlier edition are shown first. */

import { headingOf } from '../../../codes/levels.js'

const LIKELY_MAX = 5
/** Number of successors shown first if all of them are in other headings. */
const ELSEWHERE_MAX = 3

/** Most goods stay in their heading; successors in other headings cover rare cases. */
export function likelyOf(wanted: string, codes: readonly string[]): readonly string[] {
  const near = codes.filter(one => one.startsWith(headingOf(wanted)))
  const likely = near.length > 0 ? near.slice(0, LIKELY_MAX) : codes.slice(0, ELSEWHERE_MAX)
  return codes.length - likely.length > 1 ? likely : codes
}
