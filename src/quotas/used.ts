/** Calculates how much of its quota a key has used, for operators. */
import { DAY_MS, isoDay, MINUTE_MS, utcDay } from '../clock.js'
import type { WindowCounts } from './counters.js'
import { isCountedAhead } from './windows.js'

export interface Used {
  minute: number
  day: number
  /** The last UTC day on which a request was counted. */
  lastDay: string | null
}

export function usedNow({ minuteStartMs, minuteCount, day, dayCount }: WindowCounts, nowMs: number): Used {
  const today = utcDay(nowMs)
  const isInMinute = Math.abs(nowMs - minuteStartMs) < MINUTE_MS
  const isInDay = day === today || isCountedAhead(day, today)
  return {
    minute: isInMinute ? minuteCount : 0,
    day: isInDay ? dayCount : 0,
    lastDay: dayCount > 0 ? isoDay(day * DAY_MS) : null,
  }
}
