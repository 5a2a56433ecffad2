/** The limits in the fields of the IETF draft "RateLimit header fields for HTTP". */
import { DAY_MS, MINUTE_MS, utcDay } from '../clock.js'
import type { Figures } from '../quotas/windows.js'
import { withLines } from './head.js'

const MINUTE_SECONDS = MINUTE_MS / 1000
const DAY_SECONDS = DAY_MS / 1000

const secondsTo = (endMs: number, nowMs: number, most: number) => Math.min(most, Math.max(0, Math.ceil((endMs - nowMs) / 1000)))

export function withLimitFields(head: ArrayBuffer, figures: Figures, nowMs: number): ArrayBuffer {
  const { limitMinute, remainingMinute, limitDay, remainingDay, minuteEndMs, dayEndMs } = figures
  const minute = minuteEndMs === 0 ? MINUTE_SECONDS : secondsTo(minuteEndMs, nowMs, MINUTE_SECONDS)
  const day = secondsTo(dayEndMs === 0 ? (utcDay(nowMs) + 1) * DAY_MS : dayEndMs, nowMs, DAY_SECONDS)
  const policy = `"minute";q=${limitMinute};w=${MINUTE_SECONDS}, "day";q=${limitDay};w=${DAY_SECONDS}`
  const left = `"minute";r=${remainingMinute};t=${minute}, "day";r=${remainingDay};t=${day}`
  return withLines(head, `\r\nRateLimit-Policy: ${policy}\r\nRateLimit: ${left}`)
}
