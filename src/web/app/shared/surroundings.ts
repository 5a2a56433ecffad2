import { to } from '../data/address.js'
import { longestLine } from '../data/facts.js'
import type { Surroundings } from '../ui/surroundings.js'
import { lang, other, t } from './language.js'

/** Of this document, as it is now: the dataset's facts and the country may come later than the page. */
export const surroundings = (): Surroundings => ({ lang, other, t, longestLine: longestLine(), to })
