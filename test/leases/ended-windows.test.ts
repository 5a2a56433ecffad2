/** Leases and answers for a minute or a day that has ended. */
import tap, { type Test } from 'tap'
import { DAY_MS, MINUTE_MS, utcDay } from '../../src/clock.js'
import type { Lease } from '../../src/leases/lease-store.js'
import { Verdict } from '../../src/quotas/verdict.js'
import { START_MS } from '../support/service.js'
import { lose, nextTurn, setUp } from './manager.js'

/** Makes two requests. The reply to the second, with the given lease, arrives first. */
async function overtaken(t: Test, second: Partial<Lease>) {
  const set = setUp(t)
  const several = set.admit(2)
  const first = await set.next()
  const other = set.admit()
  ;(await set.next()).answer({ granted: 1, minuteCount: 1, dayCount: 1, ...second })
  t.equal(await other.later, Verdict.Admitted)
  return { ...set, several, first }
}

tap.test('a lease of an ended minute is returned', async t => {
  const { admit, next } = setUp(t)
  const one = admit()
  const first = await next()
  const two = admit()
  const second = await next()
  const nextMs = START_MS + MINUTE_MS
  second.answer({ granted: 1, minuteStartMs: nextMs, minuteCount: 1, dayCount: 2, nowMs: nextMs })
  t.equal(await two.later, Verdict.Admitted)
  first.answer({ granted: 1, minuteStartMs: START_MS, minuteCount: 1, dayCount: 1 })
  const { ask } = await next()
  t.equal(ask.returned, 1)
  t.equal(ask.known.minuteStartMs, START_MS)
  t.equal((await next()).ask.known.minuteStartMs, nextMs, 'the request is decided in the new minute')
  one.cancel()
})

tap.test('a refusal from an ended minute changes no count of the new one', async t => {
  const { admit, next, gate, key, clock } = setUp(t)
  const one = admit()
  const first = await next()
  clock.ms += MINUTE_MS
  const two = admit()
  const second = await next()
  const now = { minuteStartMs: clock.ms, nowMs: clock.ms }
  second.answer({ ...now, granted: 1, minuteCount: 40, dayCount: 140 })
  t.equal(await two.later, Verdict.Admitted)
  first.answer({ granted: 0, minuteCount: 100, dayCount: 100 })
  await one.later
  gate.peek(key, clock.ms)
  t.equal(gate.shown.remainingMinute, 60)
})

tap.test('a lease does not apply to the next day, even within its minute', async t => {
  const set = setUp(t)
  const { admit, next, clock, store, grant } = set
  clock.ms = (utcDay(START_MS) + 1) * DAY_MS - 30_000
  const startMs = clock.ms
  await grant({ granted: 4, minuteCount: 4, dayCount: 4, minuteStartMs: startMs, nowMs: startMs })
  clock.ms += 29_999
  t.equal(admit().at, Verdict.Admitted)
  clock.ms += 1
  const later = admit()
  t.equal(later.at, Verdict.Waiting)
  const now = { minuteStartMs: startMs, nowMs: clock.ms, day: utcDay(clock.ms) }
  ;(await next()).answer({ ...now, granted: 1, minuteCount: 5, dayCount: 1 })
  t.equal(await later.later, Verdict.Admitted)
  await nextTurn()
  t.match(
    store.asked.at(-1)?.ask,
    { returned: 2, known: { day: utcDay(startMs) } },
    'the rest of the lease is returned to its day',
  )
  const another = admit()
  t.equal(another.at, Verdict.Waiting, 'the returned rest is not spent')
  another.cancel()
})

tap.test('a late reply from a new day opens its whole quota, and requests of the day before do not count in it', async t => {
  const set = setUp(t)
  const { clock, counters, store, grant, admitMany } = set
  const midnightMs = (utcDay(START_MS) + 1) * DAY_MS
  clock.ms = midnightMs - 1_000
  const now = { minuteStartMs: clock.ms, nowMs: clock.ms }
  await grant({ ...now, granted: 1, minuteCount: 1, dayCount: 995 })
  store.isThere = false
  const late = await lose(set)
  t.equal(admitMany(10), 4, 'five requests were left of the day, and one was decided without a reply')
  clock.ms = midnightMs
  late.answer({ ...now, granted: 1, minuteCount: 2, day: utcDay(midnightMs), dayCount: 1, nowMs: midnightMs })
  await nextTurn()
  t.match(counters.counts(0), { day: utcDay(midnightMs), dayCount: 0 })
  t.equal(admitMany(10), 10, 'the store is still lost, but the new day has its own quota')
})

tap.test('a lease of an ended day is returned whole, and nothing else is requested', async t => {
  const { first, next, several } = await overtaken(t, { day: utcDay(START_MS) + 1, nowMs: START_MS + DAY_MS })
  first.answer({ granted: 2, minuteCount: 2, dayCount: 2, nowMs: START_MS + DAY_MS - 1 })
  t.match((await next()).ask, {
    returned: 2,
    waiting: 0,
    isAllOrNothing: false,
    prefetch: 0,
    unreportedMinute: 0,
    unreportedDay: 0,
    known: { day: utcDay(START_MS) },
  })
  several.cancel()
})

tap.test('without a grant, nothing is returned', async t => {
  const { first, store, several } = await overtaken(t, { day: utcDay(START_MS) + 1, nowMs: START_MS + DAY_MS })
  first.answer({ granted: 0, minuteCount: 100, dayCount: 100, nowMs: START_MS + DAY_MS - 1 })
  t.equal(await several.later, Verdict.OverLimit)
  await nextTurn()
  t.equal(store.asked.length, 2)
})

tap.test('a window far in the future, which comes from a wrong clock, does not cause a lease to be returned', async t => {
  for (const [days, isUsed] of [
    [2, false],
    [3, true],
  ] as const) {
    const { first, several } = await overtaken(t, { day: utcDay(START_MS) + days })
    first.answer({ granted: 2, minuteCount: 2, dayCount: 2 })
    const verdict = await Promise.race([several.later, nextTurn().then(nextTurn)])
    t.equal(verdict === Verdict.Admitted, isUsed, `${days} days ahead`)
    several.cancel()
  }
  for (const [ms, isUsed] of [
    [MINUTE_MS, false],
    [MINUTE_MS + 1, true],
  ] as const) {
    const { first, several } = await overtaken(t, { minuteStartMs: START_MS + ms })
    first.answer({ granted: 2, minuteCount: 2, dayCount: 2 })
    const verdict = await Promise.race([several.later, nextTurn().then(nextTurn)])
    t.equal(verdict === Verdict.Admitted, isUsed, `${ms} ms ahead`)
    several.cancel()
  }
})
