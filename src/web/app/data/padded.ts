/** Padded codes: a shorter code with zeros added, for the same goods. */
import { isPadding } from '../../../codes/levels.js'
import type { Step } from './api.js'

/** Whether `longer` is `shorter` with zeros added, for the same goods. */
export function isPadded(shorter: Step, longer: Step): boolean {
  return (
    isPadding(shorter.hs_code, longer.hs_code) &&
    longer.description.en === shorter.description.en &&
    longer.description.ar === shorter.description.ar
  )
}

export const withoutPadded = (path: readonly Step[]): Step[] =>
  path.filter((step, at) => at === 0 || !isPadded(path[at - 1] as Step, step))
