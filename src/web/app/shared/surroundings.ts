import { to } from '../data/address.js'
import { longestLine } from '../data/facts.js'
import type { Surroundings } from '../ui/surroundings.js'
import { lang, other, t } from './language.js'

let made: Surroundings | undefined

/**
 * The current surroundings; facts of the dataset may arrive after the page. Returns the same object until they change, because a
 * new one redraws all components.
 */
export function surroundings(): Surroundings {
  if (made?.longestLine !== longestLine()) made = { lang, other, t, longestLine: longestLine(), to }
  return made as Surroundings
}
