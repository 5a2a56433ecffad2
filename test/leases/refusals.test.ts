/** How long a refusal by the store is repeated without asking again. */
import tap, { type Test } from 'tap'
import { DAY_MS, MINUTE_MS, utcDay } from '../../src/clock.js'
import type { Lease } from '../../src/leases/lease-store.js'
import { Verdict } from '../../src/quotas/verdict.js'
import { START_MS } from '../support/service.js'
import { setUp } from './manager.js'

/** Makes a request that the store refuses, so that the lease manager does not ask again for a while. */
async function refused(t: Test, lease: Partial<Lease>) {
  const set = setUp(t)
  const request = set.admit()
  ;(await set.next()).answer({ granted: 0, ...lease })
  t.equal(await request.later, Verdict.OverLimit)
  return set
}

tap.test('a refusal is repeated for a quarter of a second, or until a window ends; then the store is asked', async t => {
  const day = utcDay(START_MS)
  const midnightMs = (day + 1) * DAY_MS
  for (const [name, lease, ms] of [
    ['a full minute', { minuteCount: 100, dayCount: 100 }, 250],
    ['a full day', { minuteCount: 5, dayCount: 1_000 }, 250],
    ['a minute that ends', { minuteCount: 100, dayCount: 100, minuteStartMs: START_MS - MINUTE_MS + 100 }, 100],
    ['a minute that has ended', { minuteCount: 100, dayCount: 100, minuteStartMs: START_MS - MINUTE_MS }, 250],
    ['a day that ends', { minuteCount: 5, dayCount: 1_000, minuteStartMs: midnightMs - 40, nowMs: midnightMs - 40 }, 40],
  ] as const) {
    const { admit, clock } = await refused(t, lease)
    clock.ms += ms - 1
    t.equal(admit().at, Verdict.OverLimit, `${name}: ${ms - 1} ms later`)
    clock.ms += 1
    const asked = admit()
    t.equal(asked.at, Verdict.Waiting, `${name}: ${ms} ms later`)
    asked.cancel()
  }
})

tap.test('a refusal is not repeated if requests are left, or if the refused minute has ended', async t => {
  const { admit } = await refused(t, { minuteCount: 99, dayCount: 999 })
  t.equal(admit().at, Verdict.Waiting)
  const other = setUp(t)
  const one = other.admit()
  const first = await other.next()
  other.clock.ms += MINUTE_MS
  const two = other.admit()
  const now = { minuteStartMs: other.clock.ms, nowMs: other.clock.ms }
  ;(await other.next()).answer({ ...now, granted: 1, minuteCount: 1, dayCount: 101 })
  await two.later
  first.answer({ granted: 0, minuteCount: 100, dayCount: 100 })
  t.equal(await one.later, Verdict.OverLimit)
  t.equal(other.admit().at, Verdict.Waiting)
})

tap.test('figures are shown even while requests are refused', async t => {
  const { gate, key, clock } = await refused(t, { minuteCount: 100, dayCount: 100 })
  t.equal(gate.peek(key, clock.ms), Verdict.Admitted)
})

tap.test(
  'if the store refuses although requests are left by the counts of this process, the caller is told to wait for a second',
  async t => {
    const { gate, admit, next } = setUp(t)
    const several = admit(5)
    ;(await next()).answer({ granted: 0, minuteCount: 97, dayCount: 97 })
    t.equal(await several.later, Verdict.OverLimit)
    t.equal(gate.shown.remainingMinute, 3)
    t.equal(gate.retryAfterSeconds, 1)
  },
)
