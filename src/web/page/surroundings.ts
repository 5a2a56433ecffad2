import type { Surroundings } from '../app/surroundings.js'
import { to } from './address.js'
import { lang, other, t } from './language.js'
import { longestLine } from './parts.js'

/** Of this document, as it is now: the dataset's facts and the country may come later than the page. */
export const surroundings = (): Surroundings => ({ lang, other, t, longestLine: longestLine(), to })
