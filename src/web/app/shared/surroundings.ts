import { to } from '../data/address.js'
import { longestLine } from '../data/facts.js'
import type { Surroundings } from '../ui/surroundings.js'
import { lang, other, t } from './language.js'

let made: Surroundings | undefined

/**
 * The context of all components. A new object would redraw every component, so the object stays the same until `longestLine`
 * changes, which may happen after the first render.
 */
export function surroundings(): Surroundings {
  if (made?.longestLine !== longestLine()) made = { lang, other, t, longestLine: longestLine(), to }
  return made as Surroundings
}
