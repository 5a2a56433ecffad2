/** The requests of a lease manager to the store: when they are sent in batches, ahead of time, or not at all. */
import { mock } from 'node:test'
import tap from 'tap'
import { MINUTE_MS } from '../../src/clock.js'
import { Gate } from '../../src/gate/gate.js'
import { Verdict } from '../../src/quotas/verdict.js'
import { makeKey, START_MS } from '../support/service.js'
import { nextTurn, setUp, until } from './manager.js'

tap.test('requests of one turn are sent to the store together, and those that it does not grant are refused', async t => {
  const { admit, next, gate } = setUp(t)
  const waiting = [admit(), admit(), admit()]
  t.ok(waiting.every(({ at }) => at === Verdict.Waiting))
  const { ask, answer } = await next()
  t.equal(ask.waiting, 3)
  answer({ granted: 2, minuteCount: 100, dayCount: 100 })
  t.strictSame(await Promise.all(waiting.map(({ later }) => later)), [Verdict.Admitted, Verdict.Admitted, Verdict.OverLimit])
  t.equal(gate.shown.remainingMinute, 0)
  t.equal(gate.retryAfterSeconds, 60)
  t.equal(admit().at, Verdict.OverLimit, 'the store is not asked again for a while')
})

tap.test('a request whose key is revoked while it waits is refused, whatever the store grants', async t => {
  const { admit, next, gate, key } = setUp(t)
  const waiting = admit()
  const { answer } = await next()
  gate.removeKey(gate.slotOf(key.slice(8, 18)))
  answer({ granted: 4, minuteCount: 4, dayCount: 4 })
  t.equal(await waiting.later, Verdict.InvalidKey)
  t.equal(gate.shown.limitMinute, 30, 'the response has the limits of an unknown key')
})

tap.test('requests leased ahead are spent without asking the store, and only in their minute', async t => {
  const { admit, next, clock, gate, store } = setUp(t)
  const first = admit()
  ;(await next()).answer({ granted: 4, minuteCount: 4, dayCount: 4 })
  t.equal(await first.later, Verdict.Admitted)
  t.equal(gate.shown.remainingMinute, 99, 'unspent requests of the lease remain')
  t.equal(admit().at, Verdict.Admitted)
  t.equal(gate.shown.remainingMinute, 98)
  clock.ms += MINUTE_MS
  const later = admit()
  t.equal(later.at, Verdict.Waiting, 'a lease does not apply to the next minute')
  await until(() => store.asked.length > 1)
  const asked = store.asked.at(-1)
  asked?.answer({ granted: 1, minuteStartMs: clock.ms, nowMs: clock.ms, minuteCount: 1, dayCount: 5 })
  t.equal(await later.later, Verdict.Admitted)
  t.ok(
    store.asked.some(({ ask }) => ask.returned > 0 && ask.known.minuteStartMs === START_MS),
    'the rest of the lease is returned',
  )
})

tap.test('a prefetch for which nothing is granted is not repeated while the rest of the lease is spent', async t => {
  const { admitMany, next, grant, store } = setUp(t)
  await grant({ granted: 10, minuteCount: 100, dayCount: 100 })
  t.equal(admitMany(6), 6)
  const { ask, answer } = await next()
  t.equal(ask.waiting, 0)
  answer({ minuteCount: 100, dayCount: 100 })
  await nextTurn()
  const asked = store.asked.length
  t.equal(admitMany(3), 3)
  await nextTurn()
  t.equal(store.asked.length, asked)
})

tap.test('the grant of a client that disconnects goes to the next request', async t => {
  const { admit, next } = setUp(t)
  const gone = admit()
  const { answer } = await next()
  gone.cancel()
  answer({ granted: 1, minuteCount: 1, dayCount: 1 })
  await nextTurn()
  t.equal(admit().at, Verdict.Admitted)
})

tap.test('a prefetch does not replace requests that have not been sent yet', async t => {
  const { admit, next, grant } = setUp(t)
  await grant({ granted: 9, minuteCount: 9, dayCount: 9 })
  const large = admit(20)
  t.equal(large.at, Verdict.Waiting)
  t.equal(admit(6).at, Verdict.Admitted, 'the request is admitted from the lease')
  const { ask, answer } = await next()
  t.match(ask, { waiting: 20, isAllOrNothing: true })
  answer({ granted: 20, minuteCount: 29, dayCount: 29 })
  t.equal(await large.later, Verdict.Admitted)
})

tap.test('a busy key leases further requests before its lease is spent, one call at a time', async t => {
  const { admit, next, store, grant } = setUp(t)
  await grant({ granted: 9, minuteCount: 9, dayCount: 9 })
  const verdicts = Array.from({ length: 4 }, () => admit().at)
  await nextTurn()
  t.equal(store.asked.length, 1, 'half of the lease is left')
  verdicts.push(admit().at, admit().at)
  const { ask, answer } = await next()
  t.match(ask, { waiting: 0, isAllOrNothing: false, returned: 0 })
  t.ok(ask.prefetch > 0)
  verdicts.push(admit().at)
  await nextTurn()
  t.equal(store.asked.length, 2, 'the store is not asked again before it has replied')
  answer({ granted: 8, minuteCount: 17, dayCount: 17 })
  await nextTurn()
  for (let n = 0; n < 4; n++) verdicts.push(admit().at)
  await nextTurn()
  t.equal(store.asked.length, 2)
  verdicts.push(admit().at)
  await next()
  t.strictSame(new Set(verdicts), new Set([Verdict.Admitted]), 'no request waited')
})

tap.test('a lease without prefetch is spent without asking the store, and so is a lease after the store was lost', async t => {
  const { admit, next, store, reported, grant, loseStore } = setUp(t)
  const one = admit()
  const two = admit()
  const { answer } = await next()
  two.cancel()
  answer({ granted: 2, minuteCount: 2, dayCount: 2 })
  await one.later
  t.equal(admit().at, Verdict.Admitted, 'the lease has the request that the disconnected client did not use')
  await nextTurn()
  t.equal(store.asked.length, 1)
  await grant({ granted: 9, minuteCount: 11, dayCount: 11 })
  loseStore()
  for (let n = 0; n < 8; n++) t.equal(admit().at, Verdict.Admitted)
  await nextTurn()
  t.equal(store.asked.length, 2)
  t.strictSame(reported, ['gone'])
})

tap.test('a request that counts as several is sent alone and granted whole or not at all', async t => {
  const { admit, next, store } = setUp(t, 100)
  const one = admit()
  const several = admit(40)
  const other = admit()
  const first = await next()
  t.match(first.ask, { waiting: 2, isAllOrNothing: false })
  const second = await next()
  t.match(second.ask, { waiting: 40, isAllOrNothing: true })
  first.answer({ granted: 2, minuteCount: 62, dayCount: 62 })
  second.answer({ granted: 0, minuteCount: 62, dayCount: 62 })
  t.strictSame(await Promise.all([one.later, other.later, several.later]), [
    Verdict.Admitted,
    Verdict.Admitted,
    Verdict.OverLimit,
  ])
  const later = admit()
  t.equal(later.at, Verdict.Waiting, 'a single request is still admitted')
  const third = await next()
  third.answer({ granted: 1, minuteCount: 63, dayCount: 63 })
  t.equal(await later.later, Verdict.Admitted)
  const questions = store.asked.length
  t.equal(admit(101).at, Verdict.OverLimit, 'a request for more than the limit is never sent')
  t.equal(store.asked.length, questions)
})

tap.test('requests of one turn that each count as several are sent separately, without an additional empty call', async t => {
  const { admit, next, store } = setUp(t)
  const both = [admit(40), admit(30)]
  t.strictSame([(await next()).ask.waiting, (await next()).ask.waiting], [40, 30])
  await nextTurn()
  t.equal(store.asked.length, 2)
  for (const one of both) one.cancel()
})

tap.test('a request of exactly the limit is sent, for a minute and for a day', async t => {
  const perMinute = setUp(t, 100)
  t.equal(perMinute.admit(100).at, Verdict.Waiting)
  t.equal(perMinute.admit(101).at, Verdict.OverLimit)
  const perDay = setUp(t, 2_000)
  t.equal(perDay.admit(1_000).at, Verdict.Waiting)
  t.equal(perDay.admit(1_001).at, Verdict.OverLimit)
})

tap.test('while 10,000 requests wait, the store is not asked for further requests', async t => {
  const { admit, next, store } = setUp(t, 20_000)
  const waiting = Array.from({ length: 10_000 }, () => admit())
  t.ok(waiting.every(({ at }) => at === Verdict.Waiting))
  t.equal(admit().at, Verdict.Admitted, 'the counts of this process decide')
  t.equal((await next()).ask.waiting, 10_000)
  t.equal(store.asked.length, 1)
  for (const one of waiting) one.cancel()
})

tap.test('if a key is revoked while its request waits, this request and later ones are refused', async t => {
  const { gate, key, admit, next } = setUp(t)
  const request = admit()
  const { answer } = await next()
  for (let slot = 0; slot < gate.slots; slot++) gate.removeKey(slot)
  answer({ granted: 1, minuteCount: 1, dayCount: 1 })
  t.equal(await request.later, Verdict.InvalidKey)
  t.equal(gate.admit(key, START_MS), Verdict.InvalidKey)
})

tap.test('after a wait for the store, a decision is for the key of its own request, whichever request came last', async t => {
  const { gate, key, clock, store } = setUp(t)
  const other = makeKey('pro')
  gate.setKey(other.record)
  const decided = [key, other.key].map(one => {
    t.equal(gate.admit(one, clock.ms), Verdict.Waiting)
    const { slot } = gate.decision
    return new Promise<{ asked: number; decided: number }>(resolve => {
      gate.wait(() => resolve({ asked: slot, decided: gate.decision.slot }))
    })
  })
  await until(() => store.asked.length === 2)
  for (const { answer } of store.asked) answer({ granted: 1, minuteCount: 1, dayCount: 1 })
  const slots = await Promise.all(decided)
  t.not(slots[0].asked, slots[1].asked)
  for (const one of slots) t.equal(one.decided, one.asked)
})

tap.test('figures for a request that is not counted are fetched at most once a second', async t => {
  const { gate, key, clock, next } = setUp(t)
  t.equal(gate.peek(key, clock.ms), Verdict.Waiting)
  const shown = new Promise<Verdict>(resolve => {
    gate.wait(resolve)
  })
  const { ask, answer } = await next()
  t.equal(ask.waiting, 0)
  answer({ minuteCount: 30, dayCount: 130 })
  t.equal(await shown, Verdict.Admitted)
  t.equal(gate.shown.remainingMinute, 70)
  t.equal(gate.peek(key, clock.ms), Verdict.Admitted)
  t.equal(gate.shown.remainingDay, 870)
  clock.ms += 1_000
  t.equal(gate.peek(key, clock.ms), Verdict.Waiting)
})

tap.test('the time that the store takes is counted in hundredths of a millisecond', async t => {
  const { admit, next, table } = setUp(t)
  const startMs = performance.now()
  const request = admit()
  const { answer } = await next()
  answer({ granted: 1, minuteCount: 1, dayCount: 1 })
  await request.later
  t.ok(table.figures.tripTicks <= Math.ceil(100 * (performance.now() - startMs)))
  t.equal(table.figures.asked, 1)
  t.equal(table.figures.waited, 1)
})

tap.test('while no keys are known, no key is refused as wrong', async t => {
  const gate = new Gate()
  gate.hasKeys = false
  t.equal(gate.admit('', START_MS), Verdict.NoKeys)
  t.equal(gate.admit('hs_free_x', START_MS), Verdict.NoKeys)
})

tap.test('a request that was cancelled before it was sent is not sent', async t => {
  const { admit, next } = setUp(t)
  const [first, gone] = [admit(), admit()]
  gone.cancel()
  const { ask, answer } = await next()
  t.equal(ask.waiting, 1)
  answer({ granted: 1, minuteCount: 1, dayCount: 1 })
  t.equal(await first.later, Verdict.Admitted)
})

tap.test('the time spent waiting for the store is counted in hundredths of a millisecond', async t => {
  const { admit, next, table } = setUp(t)
  let nowMs = 1_000
  const now = mock.method(performance, 'now', () => nowMs)
  t.teardown(() => now.mock.restore())
  const { later } = admit()
  const { answer } = await next()
  nowMs += 12.34
  answer({ granted: 1, minuteCount: 1, dayCount: 1 })
  await later
  t.equal(table.figures.tripTicks, 1_234)
})

tap.test('a closed lease manager no longer announces its replica', async t => {
  const { leaseManager, store } = setUp(t)
  let announced = 0
  store.announce = async () => {
    announced++
    return store.presence
  }
  let isClosed = false
  void leaseManager.close().then(() => {
    isClosed = true
  })
  await until(() => isClosed)
  announced = 0
  mock.timers.tick(5_000)
  await nextTurn()
  t.equal(announced, 0)
})
