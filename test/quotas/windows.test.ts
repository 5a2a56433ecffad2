import t from 'tap'
import { DAY_MS, utcDay } from '../../src/clock.js'
import { Counters, LEASED, LIMIT_DAY, LIMIT_MINUTE } from '../../src/quotas/counters.js'
import { Verdict } from '../../src/quotas/verdict.js'
import { Windows } from '../../src/quotas/windows.js'
import { START_MS } from '../support/service.js'

const MIDNIGHT = (utcDay(START_MS) + 1) * DAY_MS

function slotWith(perMinute: number, perDay: number, counted: Partial<ReturnType<Counters['counts']>> = {}, leased = 0) {
  const counters = Counters.create(1)
  const at = counters.at(0)
  const set = (minute: number, day: number) => {
    counters.words[at + LIMIT_MINUTE] = minute
    counters.words[at + LIMIT_DAY] = day
  }
  set(perMinute, perDay)
  counters.setCounts(0, { minuteStartMs: 0, minuteCount: 0, day: 0, dayCount: 0, ...counted })
  counters.words[at + LEASED] = leased
  return { counters, set, leased: () => counters.words[at + LEASED] }
}

t.test('the remaining figure is never negative, also after limits were lowered', async t => {
  const { counters, set } = slotWith(10, 10)
  const windows = new Windows(counters)
  for (let i = 0; i < 5; i++) windows.count(0, START_MS, 1)
  set(3, 4)
  t.equal(windows.count(0, START_MS, 1), Verdict.OverLimit)
  t.match(windows.shown, { limitMinute: 3, remainingMinute: 0, limitDay: 4, remainingDay: 0 })
})

t.test('a key that has requests left in the minute waits only for the day', async t => {
  const { counters } = slotWith(2, 1)
  const windows = new Windows(counters)
  t.equal(windows.count(0, MIDNIGHT - 10_000, 1), Verdict.Admitted)
  t.equal(windows.count(0, MIDNIGHT - 9_000, 1), Verdict.OverLimit)
  t.equal(windows.retryAfterSeconds, 9, 'the wait ends at midnight, although the minute lasts longer')
  t.match(windows.shown, { minuteEndMs: MIDNIGHT + 50_000, dayEndMs: MIDNIGHT })
})

t.test('leased requests are counted by this server but are not spent; a lease ends with its minute and its day', async t => {
  const alone = { spendAlone: () => true }
  const counted = { minuteStartMs: START_MS, minuteCount: 5, day: utcDay(START_MS), dayCount: 50 }
  const inMinute = slotWith(10, 100, counted, 3)
  const windows = new Windows(inMinute.counters, alone)
  t.equal(windows.count(0, START_MS + 1_000, 2), Verdict.Admitted)
  t.match(windows.shown, { remainingMinute: 6, remainingDay: 51 })
  t.match(inMinute.counters.counts(0), { minuteCount: 7, dayCount: 52 })
  t.equal(inMinute.leased(), 3)
  t.equal(windows.count(0, START_MS + 60_000, 1), Verdict.Admitted, 'a new minute begins')
  t.match(windows.shown, { remainingMinute: 9, remainingDay: 50 })
  t.match(inMinute.counters.counts(0), { minuteStartMs: START_MS + 60_000, minuteCount: 1, dayCount: 50 })
  t.equal(inMinute.leased(), 0)

  const overMidnight = slotWith(10, 100, { ...counted, minuteStartMs: MIDNIGHT - 1_000 }, 3)
  t.equal(new Windows(overMidnight.counters, alone).count(0, MIDNIGHT + 1_000, 1), Verdict.Admitted, 'a new day begins')
  t.match(overMidnight.counters.counts(0), { minuteStartMs: MIDNIGHT - 1_000, minuteCount: 3, dayCount: 1 })
  t.equal(overMidnight.leased(), 0)
})
