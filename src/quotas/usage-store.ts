/**
 * Where counts outlive the process, and where several servers add up theirs. The gate decides from its own memory; now
 * and then what was spent here goes out and what is true comes back. A store may lag behind but never blocks a request.
 */
import { DAYS_BACK_MAX, isSameMinute } from '../clock.js'

/** The counts of a key: what is true of it, as far as the teller knows. */
export interface Usage {
  keyId: string
  /** UTC days since the epoch. */
  day: number
  dayCount: number
  minuteStartMs: number
  minuteCount: number
}

/** Requests that were admitted here and that the store has not been told of yet: counts are those of these alone. */
export interface Spent extends Usage {}

export interface UsageStore {
  load(): Promise<Usage[]>
  /**
   * Adds what was spent and tells what is true of those keys afterwards, in their order, others' spending included.
   * Where it rejects, nothing was added, and the same will be sent again with what came since. One exchange at a time.
   */
  exchange(spent: readonly Spent[]): Promise<Usage[]>
  /** After the last exchange. */
  close(): Promise<void>
}

/** What is true of a key once this was spent on top of what was true before. */
export function addSpent(before: Usage | undefined, spent: Spent): Usage {
  if (before === undefined) return { ...spent }
  const { keyId } = before
  return { keyId, ...addDay(before, spent), ...addMinute(before, spent) }
}

/** A day far ahead of what is spent now was a wrong clock's. */
function addDay(a: Usage, b: Usage): Pick<Usage, 'day' | 'dayCount'> {
  if (a.day === b.day) return { day: a.day, dayCount: a.dayCount + b.dayCount }
  const isAhead = a.day > b.day && a.day - b.day <= DAYS_BACK_MAX
  return isAhead ? pickDay(a) : pickDay(b)
}

function addMinute(a: Usage, b: Usage): Pick<Usage, 'minuteStartMs' | 'minuteCount'> {
  if (!isSameMinute(a.minuteStartMs, b.minuteStartMs)) return a.minuteStartMs > b.minuteStartMs ? pickMinute(a) : pickMinute(b)
  return {
    minuteStartMs: Math.min(a.minuteStartMs, b.minuteStartMs),
    minuteCount: a.minuteCount + b.minuteCount,
  }
}

const pickDay = ({ day, dayCount }: Usage) => ({ day, dayCount })
const pickMinute = ({ minuteStartMs, minuteCount }: Usage) => ({ minuteStartMs, minuteCount })
