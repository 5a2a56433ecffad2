import { to } from '../data/address.js'
import { longestLine } from '../data/facts.js'
import type { Surroundings } from '../ui/surroundings.js'
import { lang, other, t } from './language.js'

let made: Surroundings | undefined

/**
 * The context of all components. Returns the same object until the dataset's line length arrives, which may be after the first
 * render: a new object redraws every component.
 */
export function surroundings(): Surroundings {
  if (made?.longestLine !== longestLine()) made = { lang, other, t, longestLine: longestLine(), to }
  return made as Surroundings
}
