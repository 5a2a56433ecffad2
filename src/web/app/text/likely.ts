/** Which successors of a code of an earlier edition are shown first. */

import { headingOf } from '../../../codes/levels.js'

const LIKELY_MAX = 5
/** Of codes that went to other headings only. */
const ELSEWHERE_MAX = 3

/** Most of the goods stay in their heading; what else is named takes up a rare part of them. */
export function likelyOf(wanted: string, codes: readonly string[]): readonly string[] {
  const near = codes.filter(one => one.startsWith(headingOf(wanted)))
  const likely = near.length > 0 ? near.slice(0, LIKELY_MAX) : codes.slice(0, ELSEWHERE_MAX)
  return codes.length - likely.length > 1 ? likely : codes
}
