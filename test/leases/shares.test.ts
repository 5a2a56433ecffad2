/** Without the store, a replica admits its share of the remaining quota. */
import tap from 'tap'
import { DAY_MS, MINUTE_MS } from '../../src/clock.js'
import { DamagedKeyError } from '../../src/leases/lease-store.js'
import { Verdict } from '../../src/quotas/verdict.js'
import { KNOWN_MS, nextTurn, setUp } from './manager.js'

tap.test('without the store, each replica admits its share of what was left', async t => {
  const shares: number[] = []
  for (const rank of [2, 0, 1]) {
    const set = setUp(t, 100)
    await set.join(3, rank)
    await set.grant({ granted: 1, minuteCount: 80, dayCount: 80 })
    set.loseStore()
    shares[rank] = set.admitMany(100)
    t.equal(set.gate.retryAfterSeconds, 1, 'a later reply of the store may renew the share')
    set.clock.ms += MINUTE_MS
    t.equal(set.admitMany(100), rank === 0 ? 34 : 33, 'the replica also admits its share of each new minute')
  }
  t.strictSame(shares, [7, 7, 6], 'the shares add up to the 20 requests that were left')
})

tap.test(
  "without the store, a replica in a new minute does not spend the previous minute's lease in addition to its share",
  async t => {
    const { clock, admitMany, grant, loseStore, join } = setUp(t, 100)
    await join(2, 0)
    await grant({ granted: 10, minuteCount: 10, dayCount: 10 })
    loseStore()
    clock.ms += MINUTE_MS
    t.equal(admitMany(100), 50)
  },
)

tap.test('a reply in a new minute renews the share of a replica that is still without the store', async t => {
  const { store, leaseManager, clock, admitMany, next, grant, loseStore, join } = setUp(t, 20)
  await join(2, 0)
  await grant({ granted: 1, minuteCount: 1, dayCount: 1 })
  loseStore()
  t.equal(admitMany(20), 10, 'the share is half of the 19 requests that were left')
  store.isThere = true
  const report = await next()
  clock.ms += MINUTE_MS
  report.answer({ minuteStartMs: clock.ms, nowMs: clock.ms, dayCount: 11 })
  await nextTurn()
  t.notOk(leaseManager.isUp)
  t.equal(admitMany(20), 10)
})

tap.test(
  'a replica that others may not know admits a twentieth of its share, because the others divide the whole quota',
  async t => {
    for (const [ms, admitted] of [
      [0, 2],
      [KNOWN_MS / 2, 2],
      [KNOWN_MS, 50],
    ] as const) {
      const { store, leaseManager, clock, admitMany, loseStore } = setUp(t)
      store.presence = { replicas: 2, rank: 1, silentMs: 0 }
      await leaseManager.announce()
      clock.ms += ms
      await leaseManager.announce()
      loseStore()
      t.equal(admitMany(100), admitted, `${ms} ms after the first reply of the store`)
    }
  },
)

tap.test('the first of all replicas admits all that was left, and so does a replica that never reached the store', async t => {
  const first = setUp(t)
  await first.leaseManager.announce()
  const alone = setUp(t)
  for (const { leaseManager, store, admitMany } of [first, alone]) {
    store.isThere = false
    leaseManager.lost('away')
    t.equal(admitMany(150), 100)
  }
})

tap.test('without the store, a replica does not spend what others may have leased since its last figures of the key', async t => {
  for (const [replicas, left, share] of [
    [4, 600, (600 - 3 * 9) / 4],
    [2, 127, (127 - 1) / 2],
    [100, 800, 600 / 100],
  ] as const) {
    const used = 1_000 - left
    for (const counts of [
      { minuteCount: used, dayCount: used },
      { minuteCount: used, dayCount: 1 },
      { minuteCount: 1, dayCount: used },
    ]) {
      const set = setUp(t, 1_000)
      await set.join(replicas, replicas - 1)
      await set.grant({ granted: 1, ...counts })
      set.loseStore()
      t.equal(set.admitMany(1_000), Math.floor(share), `${replicas} replicas, ${left} left`)
    }
  }
})

tap.test('a key that this replica has never seen is admitted by its share, too', async t => {
  const { admitMany, loseStore, join } = setUp(t, 100)
  await join(4, 3)
  loseStore()
  t.equal(admitMany(100), 25)
})

tap.test('a request that counts as several needs a share of that size', async t => {
  const { admit, loseStore, join } = setUp(t, 100)
  await join(4, 0)
  loseStore()
  t.equal(admit(26).at, Verdict.OverLimit)
  t.equal(admit(25).at, Verdict.Admitted)
  t.equal(admit().at, Verdict.OverLimit)
})

tap.test('without the store, a replica admits no more than what is left of the day, until the next day', async t => {
  const set = setUp(t, 400)
  set.loseStore()
  const minutes = []
  for (let n = 0; n < 3; n++) {
    minutes.push(set.admitMany(400))
    set.clock.ms += MINUTE_MS
  }
  t.strictSame(minutes, [400, 400, 200])
  set.clock.ms += DAY_MS
  t.equal(set.admitMany(500), 400)
  set.store.isThere = true
  t.match((await set.next()).ask, { unreportedMinute: 400, unreportedDay: 400 }, 'the ended day is not reported')
})

tap.test('without the store, a replica continues from the last count of the day that the store reported', async t => {
  const set = setUp(t)
  await set.grant({ granted: 1, minuteCount: 1, dayCount: 990 })
  set.loseStore()
  t.equal(set.admitMany(100), 10)
})

tap.test('without the store, replicas share what is left of the day, even if the minute has more', async t => {
  const set = setUp(t)
  await set.join(4, 3)
  await set.grant({ granted: 1, minuteCount: 1, dayCount: 960 })
  set.loseStore()
  t.equal(set.admitMany(100), 10, 'the share is a quarter of the 40 requests that were left')
})

tap.test('requests that were admitted locally and are not reported yet count towards the share of the day', async t => {
  const set = setUp(t)
  await set.join(2, 0)
  const [first, second] = [set.admit(2), set.admit(3)]
  const [asked, other] = [await set.next(), await set.next()]
  asked.fail(new DamagedKeyError('damaged'))
  t.equal(await first.later, Verdict.Admitted, 'the request is admitted locally, because the record of the key cannot be used')
  other.answer({ granted: 3, minuteCount: 3, dayCount: 980 })
  t.equal(await second.later, Verdict.Admitted)
  set.loseStore()
  t.equal(set.admitMany(100), 8, 'the share is half of the 20 requests that were left, without the two')
})
