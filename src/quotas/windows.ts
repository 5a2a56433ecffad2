/** Admits or refuses requests by a slot's minute and day windows. */
import { DAY_MS, DAYS_BACK_MAX, MINUTE_MS, utcDay } from '../clock.js'
import { type Counters, DAY, DAY_COUNT, LEASED, LIMIT_DAY, LIMIT_MINUTE, MINUTE_COUNT } from './counters.js'
import { Verdict } from './verdict.js'

/** A minute that another thread has started may be ahead of this thread's clock by this much. */
const CLOCK_SKEW_MS = 1_000

/** Whether a day was counted before the clock was set back; see `DAYS_BACK_MAX`. */
export function isCountedAhead(counted: number, today: number): boolean {
  return counted > today && counted - today <= DAYS_BACK_MAX
}

export interface Figures {
  limitMinute: number
  remainingMinute: number
  limitDay: number
  remainingDay: number
  /** 0 if the window has not started. */
  minuteEndMs: number
  dayEndMs: number
}

export interface SharedQuota {
  /** Charges this replica's share while the slot is locked; returns false if too little of the share is left. */
  spendAlone(slot: number, charge: number, isSameMinute: boolean, isSameDay: boolean): boolean
}

export class Windows {
  readonly #counters: Counters
  readonly #quota: SharedQuota | undefined

  /** The figures of the last decision. */
  readonly shown: Figures = {
    limitMinute: 0,
    remainingMinute: 0,
    limitDay: 0,
    remainingDay: 0,
    minuteEndMs: 0,
    dayEndMs: 0,
  }
  /** After OverLimit: whole seconds until the exhausted window ends. */
  retryAfterSeconds = 0

  constructor(counters: Counters, quota?: SharedQuota) {
    this.#counters = counters
    this.#quota = quota
  }

  /** Counts `charge` requests, all or none; with 0, only sets the figures. */
  count(slot: number, nowMs: number, charge: number): Verdict {
    const counters = this.#counters
    const { words } = counters
    const at = counters.at(slot)
    const today = utcDay(nowMs)
    const limitMinute = words[at + LIMIT_MINUTE]
    const limitDay = words[at + LIMIT_DAY]
    const needed = charge === 0 ? 1 : charge
    counters.take(slot)
    const minuteStartMs = counters.minuteStartMs(slot)
    // a window that starts in the future is over: a clock that was set back must not lock a key out
    const inMinute = nowMs < minuteStartMs + MINUTE_MS && nowMs >= minuteStartMs - CLOCK_SKEW_MS
    const counted = words[at + DAY]
    const day = isCountedAhead(counted, today) ? counted : today
    // the counts include leased requests that are not spent
    const leased = words[at + LEASED]
    let minuteCount = inMinute ? words[at + MINUTE_COUNT] - leased : 0
    let dayCount = counted === day ? words[at + DAY_COUNT] - leased : 0
    let room = minuteCount + needed <= limitMinute && dayCount + needed <= limitDay
    if (charge !== 0 && room) {
      if (this.#quota !== undefined) room = this.#spendAlone(slot, charge, inMinute, counted === day)
      if (room) {
        minuteCount += charge
        dayCount += charge
        // a lease is only valid in its own minute and day
        const validLease = inMinute && counted === day ? leased : 0
        words[at + LEASED] = validLease
        words[at + MINUTE_COUNT] = minuteCount + validLease
        words[at + DAY_COUNT] = dayCount + validLease
        if (!inMinute) counters.startMinute(slot, nowMs)
        if (counted !== day) {
          words[at + DAY] = day
          counters.used[slot] = 1
        }
        counters.markChanged()
      }
    }
    counters.release(slot)
    const shown = this.shown
    shown.limitMinute = limitMinute
    shown.limitDay = limitDay
    shown.remainingMinute = minuteCount < limitMinute ? limitMinute - minuteCount : 0
    shown.remainingDay = dayCount < limitDay ? limitDay - dayCount : 0
    shown.minuteEndMs = (inMinute ? minuteStartMs : nowMs) + MINUTE_MS
    shown.dayEndMs = (day + 1) * DAY_MS
    return room ? Verdict.Admitted : this.#refuseFor(needed, inMinute ? minuteStartMs : nowMs, day, nowMs)
  }

  /** Only this part of a decision may throw; a `finally` around the whole decision would be slower. */
  #spendAlone(slot: number, charge: number, inMinute: boolean, isSameDay: boolean): boolean {
    try {
      return (this.#quota as SharedQuota).spendAlone(slot, charge, inMinute, isSameDay)
    } catch (error) {
      this.#counters.release(slot)
      throw error
    }
  }

  #refuseFor(needed: number, minuteStartMs: number, day: number, nowMs: number): Verdict {
    // a minute may start ahead of this clock, see CLOCK_SKEW_MS
    const minuteMs = Math.min(MINUTE_MS, minuteStartMs + MINUTE_MS - nowMs)
    const waitMs = this.shown.remainingMinute < needed ? minuteMs : 0
    const dayMs = this.shown.remainingDay < needed ? (day + 1) * DAY_MS - nowMs : 0
    this.retryAfterSeconds = Math.max(1, Math.ceil(Math.max(waitMs, dayMs) / 1000))
    return Verdict.OverLimit
  }
}
