/** While the store is unreachable, requests are decided locally and reported when it is back. */
import { mock } from 'node:test'
import tap from 'tap'
import { DAY_MS, MINUTE_MS } from '../../src/clock.js'
import { DamagedKeyError } from '../../src/leases/lease-store.js'
import { MINUTE_COUNT } from '../../src/quotas/counters.js'
import { Verdict } from '../../src/quotas/verdict.js'
import { makeKey, START_MS } from '../support/service.js'
import { lose, nextTurn, setUp, until, WAIT_MS } from './manager.js'

tap.test('requests admitted before a late reply are subtracted from its grant, once', async t => {
  const { admit, next, clock, reported, table, leaseManager, store, moveUntil } = setUp(t)
  store.isThere = false
  const request = admit()
  const { answer } = await next()
  clock.ms += 10 * WAIT_MS
  mock.timers.tick(WAIT_MS)
  await nextTurn()
  t.ok(leaseManager.isUp, 'a stall of this process is not mistaken for a stall of the store')
  await moveUntil(() => !leaseManager.isUp)
  t.equal(await request.later, Verdict.Admitted, 'the counts of this process decide')
  t.match(reported[0], /no answer within 50 ms/)
  t.equal(table.figures.alone, 1)
  t.equal(table.figures.lost, 1)
  answer({ granted: 1, minuteCount: 1, dayCount: 1 })
  store.isThere = true
  await until(() => reported.length > 1)
  t.equal(reported[1], 'back')
  const after = admit()
  const { ask } = await next()
  t.strictSame([ask.unreportedMinute, ask.unreportedDay], [0, 0], 'the store has already counted this request')
  t.equal(ask.known.dayCount, 1)
  after.cancel()
})

tap.test('a late grant covers a whole request that counts as several', async t => {
  const set = setUp(t)
  set.store.isThere = false
  const request = set.admit(3)
  const { answer } = await set.next()
  await set.moveUntil(() => !set.leaseManager.isUp)
  t.equal(await request.later, Verdict.Admitted)
  answer({ granted: 3, minuteCount: 3, dayCount: 3 })
  await nextTurn()
  t.match(set.counters.counts(0), { minuteCount: 3, dayCount: 3 }, 'the request is counted once')
  t.equal(set.store.asked.length, 1, 'nothing of the grant is returned')
})

tap.test('while the store is lost, requests are counted by this process and reported afterwards', async t => {
  const { admit, next, store, reported, leaseManager } = setUp(t, 3)
  store.isThere = false
  const request = admit()
  ;(await next()).fail(new Error('READONLY You cannot write against a read only replica.'))
  t.equal(await request.later, Verdict.Admitted)
  t.match(reported[0], /READONLY/)
  t.strictSame([admit().at, admit().at, admit().at], [Verdict.Admitted, Verdict.Admitted, Verdict.OverLimit])
  leaseManager.lost('again')
  t.equal(reported.length, 1, 'the loss is reported once')
  store.isThere = true
  const { ask } = await next()
  t.strictSame([ask.waiting, ask.unreportedMinute, ask.unreportedDay], [0, 3, 3])
  await until(() => reported.length > 1)
  t.equal(reported[1], 'back')
})

tap.test('counts that could not be reported are reported with the next call', async t => {
  const { admit, next, store } = setUp(t)
  store.isThere = false
  const request = admit()
  ;(await next()).fail(new Error('gone'))
  await request.later
  store.isThere = true
  ;(await next()).fail(new Error('the store is lost again'))
  const { ask } = await next()
  t.equal(ask.unreportedDay, 1)
})

tap.test('a failed report is repeated, but not for windows that have ended since', async t => {
  for (const [ms, minute, day] of [
    [MINUTE_MS, 1, 3],
    [DAY_MS, 1, 1],
  ] as const) {
    const set = setUp(t)
    const { admit, next, store, clock, loseStore } = set
    loseStore()
    t.equal(set.admitMany(2), 2)
    store.isThere = true
    const report = await next()
    t.match(report.ask, { unreportedMinute: 2, unreportedDay: 2 })
    store.isThere = false
    clock.ms += ms
    t.equal(admit().at, Verdict.Admitted)
    report.fail(new Error('gone'))
    await nextTurn()
    store.isThere = true
    await until(() => store.asked.some(({ ask }) => ask.unreportedDay === day && ask.unreportedMinute === minute))
    t.pass(`the report is repeated ${ms} ms later`)
  }
})

tap.test("unreported counts still apply if the store's minute began a moment earlier or later", async t => {
  for (const apartMs of [-1, 1, -30_000]) {
    const set = setUp(t, 10)
    const { store, admit, admitMany, next } = set
    store.isThere = false
    const { answer } = await lose(set)
    t.equal(admitMany(20), 9, 'the replica admits its limit of ten requests, minus the one that got no reply')
    answer({
      granted: 1,
      minuteStartMs: START_MS + apartMs,
      minuteCount: 1,
      dayCount: 1,
      nowMs: set.clock.ms,
    })
    await nextTurn()
    t.equal(admit().at, Verdict.OverLimit, `${apartMs} ms apart`)
    store.isThere = true
    t.match((await next()).ask, { unreportedMinute: 9, unreportedDay: 9 })
    set.leaseManager.lost('enough')
  }
})

tap.test('requests that were not sent before the store was lost are decided without it', async t => {
  const { admit, store, loseStore } = setUp(t)
  const request = admit()
  const left = admit()
  left.cancel()
  loseStore()
  t.equal(await request.later, Verdict.Admitted)
  await nextTurn()
  t.equal(store.asked.length, 0)
})

tap.test('waiting requests are decided once the store is lost, and their late grants are returned', async t => {
  const set = setUp(t, 20)
  const { store, leaseManager, admit, next, join } = set
  await join(4, 3)
  store.isThere = false
  const first = Array.from({ length: 8 }, () => admit())
  const { answer } = await next()
  await set.moveUntil(() => !leaseManager.isUp)
  const verdicts = await Promise.all(first.map(({ later }) => later))
  t.equal(
    verdicts.filter(verdict => verdict === Verdict.Admitted).length,
    5,
    'the share of this replica, a quarter of 20, is admitted',
  )
  answer({ granted: 8, minuteCount: 8, dayCount: 8 })
  const { ask } = await next()
  t.equal(ask.returned, 3, 'grants for which no request waits any more are returned')
  t.equal(admit().at, Verdict.OverLimit, 'returned grants are not spent')
})

tap.test('after a late grant, counts include the admitted requests that the grant does not cover', async t => {
  const set = setUp(t, 20)
  const { store, leaseManager, admit, next, counters, join } = set
  await join(4, 3)
  store.isThere = false
  const first = Array.from({ length: 8 }, () => admit())
  const { answer } = await next()
  await set.moveUntil(() => !leaseManager.isUp)
  await Promise.all(first.map(({ later }) => later))
  answer({ granted: 3, minuteCount: 10, dayCount: 40 })
  await nextTurn()
  t.match(
    counters.counts(0),
    { minuteCount: 12, dayCount: 42 },
    'five requests were admitted, and the store has granted three of them',
  )
})

tap.test('no lease is taken before all replicas have had time to report', async t => {
  const set = setUp(t, 20)
  const { store, leaseManager, admit, next, reported, loseStore, join } = set
  await join(2, 0)
  loseStore()
  t.equal(set.admitMany(4), 4)
  store.isThere = true
  const report = await next()
  t.match(report.ask, { waiting: 0, unreportedMinute: 4 })
  t.notOk(leaseManager.isUp)
  report.answer({ minuteCount: 4, dayCount: 4 })
  await nextTurn()
  t.equal(set.admitMany(20), 6, 'the reply does not renew the share')
  t.match((await next()).ask, { waiting: 0, unreportedMinute: 6 }, 'requests admitted from the share are reported at once')
  t.notOk(leaseManager.isUp, 'the report does not wait until leases are taken again')
  await until(() => leaseManager.isUp)
  t.equal(reported.at(-1), 'back')
  const later = admit()
  t.equal(later.at, Verdict.Waiting)
  later.cancel()
})

tap.test('a late reply does not bring the store back', async t => {
  const { store, leaseManager, clock, reported } = setUp(t)
  let probes = 0
  store.announce = async () => {
    // two late replies, then one in time
    if (probes++ < 2) clock.ms += WAIT_MS + 1
    return { replicas: 1, rank: 0, silentMs: 0 }
  }
  leaseManager.lost('gone')
  await until(() => leaseManager.isUp)
  t.ok(probes >= 3)
  t.strictSame(reported, ['gone', 'back'])
})

tap.test('a damaged record of a key does not affect other keys', async t => {
  const { gate, leaseManager, admit, next, key, reported, counters } = setUp(t, 3)
  const other = makeKey('pro', { per_minute: 3, per_day: 1_000 })
  gate.setKey(other.record)
  const damaged = new DamagedKeyError('WRONGTYPE')
  for (let n = 0; n < 5; n++) {
    const request = admit()
    ;(await next()).fail(damaged)
    t.equal(await request.later, n < 3 ? Verdict.Admitted : Verdict.OverLimit, 'the limit of the key applies')
  }
  t.ok(leaseManager.isUp)
  t.strictSame(reported, [`${leaseManager.idOf(0)} WRONGTYPE`], 'the damage is reported once')
  const sound = admit(1, other.key)
  ;(await next()).answer({ granted: 1, minuteCount: 1, dayCount: 1 })
  t.equal(await sound.later, Verdict.Admitted)
  const repaired = admit()
  const { ask, answer } = await next()
  t.equal(ask.unreportedMinute, 3, 'once the record is repaired, all admitted requests are reported')
  answer({ minuteCount: 3, dayCount: 3 })
  t.equal(await repaired.later, Verdict.OverLimit)
  t.equal(gate.admit(key, START_MS), Verdict.OverLimit)
  t.equal(counters.words[counters.at(0) + MINUTE_COUNT], 3)
})

tap.test('a record that is damaged again after its repair is reported again', async t => {
  const { admit, next, grant, reported, clock } = setUp(t)
  for (const times of [1, 2]) {
    const request = admit()
    ;(await next()).fail(new DamagedKeyError('WRONGTYPE'))
    await request.later
    t.equal(reported.length, times)
    clock.ms += MINUTE_MS
    await grant({ granted: 1, minuteStartMs: clock.ms, nowMs: clock.ms, minuteCount: 1, dayCount: times })
  }
})

tap.test("windows follow the store's clock, also while the store is lost", async t => {
  const { gate, key, clock, grant, loseStore } = setUp(t)
  const storeMs = START_MS + 30_000
  const minuteEndMs = storeMs + MINUTE_MS
  await grant({ granted: 1, minuteStartMs: storeMs, minuteCount: 1, dayCount: 1, nowMs: storeMs })
  gate.peek(key, clock.ms)
  t.match(gate.shown, { minuteEndMs, remainingMinute: 99 })
  loseStore()
  t.equal(gate.admit(key, clock.ms), Verdict.Admitted)
  t.match(gate.shown, { minuteEndMs, remainingMinute: 98 })
})
