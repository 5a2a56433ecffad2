import {
  INCLUDES,
  LOOKUP_INCLUDES,
  type SEARCH_INCLUDES,
  SHORT_CHARS_DEFAULT,
  SHORT_CHARS_MAX,
  SHORT_CHARS_MIN,
} from '../limits.js'
import { invalidParameter, type Refusal } from './refusal.js'

export type IncludeName = (typeof LOOKUP_INCLUDES)[number] | (typeof SEARCH_INCLUDES)[number]
export type Include = Record<IncludeName, boolean> & {
  /** Whether the answer is a single record, which includes all its notes. */
  ofOneRecord: boolean
  /** A day such as 2026-11-17; the country taxes in force on this day are included. */
  day: string
  /** Maximum code points of a short description. */
  shortMax: number
}

export const NOTHING: Include = {
  ofOneRecord: false,
  day: '',
  shortMax: SHORT_CHARS_DEFAULT,
  path: false,
  editions: false,
  rate: false,
  unit: false,
  notes: false,
  see_also: false,
  controls: false,
  examples: false,
  short: false,
  children: false,
  siblings: false,
  lines: false,
  countries: false,
  matched: false,
}

export function refuseShortMax(shortMax: number): Refusal | undefined {
  if (Number.isInteger(shortMax) && shortMax >= SHORT_CHARS_MIN && shortMax <= SHORT_CHARS_MAX) return undefined
  return invalidParameter('short_max', `must be a whole number from ${SHORT_CHARS_MIN} to ${SHORT_CHARS_MAX}`)
}

/** Reads a list of names; undefined for an empty list. `allowed`: the names that the question accepts. */
export function readInclude(
  list: string,
  allowed: readonly IncludeName[] = INCLUDES,
  shortMax = SHORT_CHARS_DEFAULT,
): Include | undefined | Refusal {
  const refusal = refuseShortMax(shortMax)
  if (refusal !== undefined) return refusal
  if (list === '') return undefined
  const include = { ...NOTHING, shortMax, ofOneRecord: allowed === LOOKUP_INCLUDES }
  for (const name of list.split(',')) {
    if (!(allowed as readonly string[]).includes(name))
      return invalidParameter('include', `must be one or more of ${allowed.join(', ')}, separated by commas`)
    include[name as IncludeName] = true
  }
  return include
}
