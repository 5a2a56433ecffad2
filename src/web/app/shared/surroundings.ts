import { to } from '../data/address.js'
import { longestLine } from '../data/facts.js'
import type { Surroundings } from '../ui/surroundings.js'
import { lang, other, t } from './language.js'

let made: Surroundings | undefined

/**
 * Of this document, as it is now: the dataset's facts may come later than the page. The same object until they change, because
 * another one draws all components again.
 */
export function surroundings(): Surroundings {
  if (made?.longestLine !== longestLine()) made = { lang, other, t, longestLine: longestLine(), to }
  return made as Surroundings
}
