import fc from 'fast-check'
import t from 'tap'
import { Gate } from '../../src/gate/gate.js'
import { Verdict } from '../../src/quotas/verdict.js'
import { makeKey, START_MS } from '../support/service.js'

const DAY_MS = 86_400_000

/** The contract's rules in their simplest form: the start of a minute, a day, and two counters. */
class Model {
  readonly #perMinute: number
  readonly #perDay: number
  #minuteStart = Number.NEGATIVE_INFINITY
  #inMinute = 0
  #day = -1
  #inDay = 0
  constructor(perMinute: number, perDay: number) {
    this.#perMinute = perMinute
    this.#perDay = perDay
  }
  ask(now: number): { admitted: boolean; left: [number, number]; retry: number } {
    const day = Math.floor(now / DAY_MS)
    if (day !== this.#day) {
      this.#day = day
      this.#inDay = 0
    }
    if (now >= this.#minuteStart + 60_000) this.#inMinute = 0
    const admitted = this.#inMinute < this.#perMinute && this.#inDay < this.#perDay
    if (admitted) {
      if (this.#inMinute === 0) this.#minuteStart = now
      this.#inMinute++
      this.#inDay++
    }
    const waits = [0]
    if (this.#inMinute >= this.#perMinute) waits.push(this.#minuteStart + 60_000 - now)
    if (this.#inDay >= this.#perDay) waits.push((day + 1) * DAY_MS - now)
    return {
      admitted,
      left: [this.#perMinute - this.#inMinute, this.#perDay - this.#inDay],
      retry: Math.max(1, Math.ceil(Math.max(...waits) / 1000)),
    }
  }
}

t.test('the gate admits, counts and sets the retry time by the rules, whenever requests arrive', async t => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 12 }),
      fc.array(fc.oneof(fc.integer({ min: 0, max: 90_000 }), fc.integer({ min: 0, max: DAY_MS })), {
        maxLength: 60,
        size: 'max',
      }),
      (perMinute, perDay, gaps) => {
        const { key, record } = makeKey('free', { per_minute: perMinute, per_day: perDay })
        const gate = new Gate()
        gate.setKey(record)
        const model = new Model(perMinute, perDay)
        let now = START_MS
        for (const gap of gaps) {
          now += gap
          const verdict = gate.admit(key, now)
          const expected = model.ask(now)
          if ((verdict === Verdict.Admitted) !== expected.admitted) return false
          if (gate.shown.remainingMinute !== expected.left[0] || gate.shown.remainingDay !== expected.left[1]) return false
          if (!expected.admitted && gate.retryAfterSeconds !== expected.retry) return false
        }
        return true
      },
    ),
    { numRuns: 500 },
  )
  t.pass('the gate agrees with the model')
})

t.test('counts survive a restart', async t => {
  const { key, record } = makeKey('free', { per_minute: 5, per_day: 5 })
  const before = new Gate()
  before.setKey(record)
  for (let i = 0; i < 3; i++) before.admit(key, START_MS + i)
  const usage = await before.usage.takeSpent(START_MS + 10)
  t.equal(usage?.[0]?.dayCount, 3)
  t.equal(await before.usage.takeSpent(START_MS + 10), undefined, 'there is nothing new to save')
  const after = new Gate()
  after.usage.restore(usage ?? [])
  after.setKey(record)
  after.admit(key, START_MS + 1000)
  t.match(after.shown, { remainingMinute: 1, remainingDay: 1 })
  t.match(await after.usage.takeSpent(START_MS + 1000), [{ dayCount: 1, minuteCount: 1 }], 'further counts are saved')
})

t.test("yesterday's counts are not saved", async t => {
  const { key, record } = makeKey('free')
  const gate = new Gate()
  gate.setKey(record)
  gate.admit(key, START_MS)
  t.strictSame(await gate.usage.takeSpent(START_MS + DAY_MS), [])
})

t.test('a reload of the keys keeps the counts and applies the new limits', async t => {
  const { key, record } = makeKey('free')
  const gate = new Gate()
  gate.setKey(record)
  gate.admit(key, START_MS)
  for (const changed of [makeKey('pro').record, { ...record, per_minute: 2 }]) gate.setKey(changed)
  gate.admit(key, START_MS)
  t.match(gate.shown, { limitMinute: 2, remainingMinute: 0, remainingDay: 998 })
  gate.setKey({ ...record, revoked_at: '2026-05-04T12:00:00+00:00' })
  t.equal(gate.admit(key, START_MS), Verdict.InvalidKey)
})

t.test('a thread without keys refuses unknown keys as soon as it has received its first key', async t => {
  const first = new Gate()
  const slot = first.setKey(makeKey('free').record)
  const other = new Gate()
  other.hasKeys = false
  t.equal(other.admit('unknown', START_MS), Verdict.NoKeys)
  t.equal(other.admit('', START_MS), Verdict.NoKeys)
  other.takeBatch(first.batchOf([slot]))
  t.equal(other.admit('unknown', START_MS), Verdict.InvalidKey)
  t.equal(other.admit('', START_MS), Verdict.MissingKey)
})

t.test('a clock that is set back does not lock a key out', async t => {
  const { key, record } = makeKey('free', { per_minute: 1 })
  const gate = new Gate()
  gate.setKey(record)
  gate.admit(key, START_MS)
  t.equal(gate.admit(key, START_MS - 3_600_000), Verdict.Admitted)
})

t.test('hundreds of keys are counted separately', async t => {
  const keys = Array.from({ length: 300 }, () => makeKey('free', { per_minute: 1000 }))
  const gate = new Gate()
  for (const { record } of keys) gate.setKey(record)
  keys.forEach(({ key }, i) => {
    for (let n = 0; n <= i % 7; n++) gate.admit(key, START_MS)
  })
  keys.forEach(({ key }, i) => {
    gate.peek(key, START_MS)
    t.equal(gate.shown.remainingMinute, 1000 - (i % 7) - 1)
  })
})

t.test('Retry-After for the minute is never longer than a minute, however far apart the clocks are', async t => {
  const { key, record } = makeKey('free', { per_minute: 1 })
  const gate = new Gate()
  gate.setKey(record)
  gate.admit(key, START_MS + 1_000)
  t.equal(gate.admit(key, START_MS), Verdict.OverLimit)
  t.equal(gate.retryAfterSeconds, 60)
})

t.test('if the clock goes back past midnight, requests are still counted for the later day', async t => {
  const midnight = (Math.floor(START_MS / DAY_MS) + 1) * DAY_MS
  const { key, record } = makeKey('free', { per_minute: 1000, per_day: 3 })
  const gate = new Gate()
  gate.setKey(record)
  gate.admit(key, midnight - 1_000)
  for (let i = 0; i < 2; i++) t.equal(gate.admit(key, midnight + 1_000), Verdict.Admitted)
  for (const back of [midnight - 1_000, midnight - DAY_MS - 1_000]) {
    gate.peek(key, back)
    t.equal(gate.shown.remainingDay, 1, 'requests counted on the later day still count after the clock goes back')
  }
  t.equal(gate.admit(key, midnight - 1_000), Verdict.Admitted)
  t.equal(gate.admit(key, midnight - 1_000), Verdict.OverLimit)
  t.equal(gate.retryAfterSeconds, DAY_MS / 1000 + 1, 'the wait lasts until the end of the later day')
  t.equal(
    gate.admit(key, midnight + 2_000),
    Verdict.OverLimit,
    'the key is still refused after the clock passes midnight a second time',
  )
  t.equal(gate.admit(key, midnight + DAY_MS), Verdict.Admitted)
})

t.test('if the clock goes back by more than two days, counting starts again, because the earlier time was wrong', async t => {
  const { key, record } = makeKey('free', { per_day: 1 })
  const gate = new Gate()
  gate.setKey(record)
  const wrong = START_MS + 3 * DAY_MS
  gate.admit(key, wrong)
  t.equal(gate.admit(key, START_MS), Verdict.Admitted)
  t.equal(gate.admit(key, START_MS), Verdict.OverLimit)
  // a store that still reports the wrong day must not reset the count of the real day
  const spent = (await gate.usage.takeSpent(START_MS)) ?? []
  await gate.usage.applyStoreCounts(
    spent,
    spent.map(one => ({ ...one, day: Math.floor(wrong / DAY_MS) })),
  )
  t.equal(gate.admit(key, START_MS), Verdict.OverLimit)
})
