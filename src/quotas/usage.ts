/** Counts of a key, and their sum over several servers. */
import { isSameMinute } from '../clock.js'
import type { WindowCounts } from './counters.js'
import { isCountedAhead } from './windows.js'

export interface Usage extends WindowCounts {
  keyId: string
}

/** Adds the requests that were not reported yet to the counts of a key. */
export function addSpent(before: Usage | undefined, spent: Usage): Usage {
  if (before === undefined) return { ...spent }
  const { keyId } = before
  return { keyId, ...addDay(before, spent), ...addMinute(before, spent) }
}

function addDay(a: Usage, b: Usage): Pick<Usage, 'day' | 'dayCount'> {
  if (a.day === b.day) return { day: a.day, dayCount: a.dayCount + b.dayCount }
  const { day, dayCount } = isCountedAhead(a.day, b.day) ? a : b
  return { day, dayCount }
}

function addMinute(a: Usage, b: Usage): Pick<Usage, 'minuteStartMs' | 'minuteCount'> {
  if (isSameMinute(a.minuteStartMs, b.minuteStartMs))
    return { minuteStartMs: Math.min(a.minuteStartMs, b.minuteStartMs), minuteCount: a.minuteCount + b.minuteCount }
  const { minuteStartMs, minuteCount } = a.minuteStartMs > b.minuteStartMs ? a : b
  return { minuteStartMs, minuteCount }
}
