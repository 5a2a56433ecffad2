/** Where counts outlive the process and several servers add up theirs. It may lag behind, and never blocks a request. */
import { isSameMinute } from '../clock.js'
import type { WindowCounts } from './counters.js'
import { isCountedAhead } from './windows.js'

export interface Usage extends WindowCounts {
  keyId: string
}

/** Counts only the requests that were not reported yet. */
export interface Spent extends Usage {}

export interface UsageStore {
  load(): Promise<Usage[]>
  /**
   * Adds what was spent and returns the total counts of the same keys, in the same order. If it rejects, nothing was added.
   * One exchange at a time.
   */
  exchange(spent: readonly Spent[]): Promise<Usage[]>
  /** After the last exchange. */
  close(): Promise<void>
}

export function addSpent(before: Usage | undefined, spent: Spent): Usage {
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
