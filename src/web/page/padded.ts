/** Codes that the data adds by zeros: the same goods with more digits. */
import type { Step } from './api.js'
import { ours } from './language.js'

/** Whether `longer` only repeats `shorter`. */
export function isPadded(shorter: Step, longer: Step): boolean {
  const { hs_code, description } = longer
  const rest = hs_code.startsWith(shorter.hs_code) ? hs_code.slice(shorter.hs_code.length) : ''
  return /^0+$/.test(rest) && ours(description) === ours(shorter.description)
}

export const withoutPadded = (path: readonly Step[]): Step[] =>
  path.filter((step, at) => at === 0 || !isPadded(path[at - 1] as Step, step))
