/**
 * Checks options of a new key, for commands and the admin port. Each message is the second half of a sentence that starts with
 * the field.
 */
import { DAY_MS, MINUTE_MS } from '../clock.js'
import { CONTROL_CHARACTERS } from '../control-characters.js'
import { isDay } from '../day.js'

export const NAME_CHARS_MAX = 200

export function nameProblem(name: string): string | undefined {
  const characters = [...name].length
  if (name.search(CONTROL_CHARACTERS) >= 0) return 'contains a control character, such as a line break; remove it'
  if (characters > NAME_CHARS_MAX) return `has ${characters} characters; it may have ${NAME_CHARS_MAX} at most`
  return undefined
}

/** Returns why a new key cannot expire on this day. `today` is the UTC day. */
export function expiryProblem(day: string, today: string): string | undefined {
  if (!isDay(day)) return `is "${day}"; it must be a day such as 2027-12-31, or never`
  return day < today ? `is ${day}, which has passed; it must be today (UTC) or later, or never` : undefined
}

const GRACE_UNITS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: DAY_MS }
const GRACE_DAYS_MAX = 90
export const GRACE_RULE = `it must be a time such as 30m, 24h or 7d, ${GRACE_DAYS_MAX}d at most`

/** Reads how long an old secret works after a rotation, in milliseconds; undefined if the text is not such a time. */
export function readGrace(text: string): number | undefined {
  const [, count = '0', unit = ''] = /^([0-9]{1,6})([mhd])$/.exec(text) ?? []
  const ms = Number(count) * (GRACE_UNITS[unit] ?? 0)
  return ms > 0 && ms <= GRACE_DAYS_MAX * DAY_MS ? ms : undefined
}
