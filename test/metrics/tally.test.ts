import { mock } from 'node:test'
import t from 'tap'
import { ROUTE_NAMES } from '../../src/http/server.js'
import { BUCKETS_US, KINDS_MAX, ROUTES_MAX, Tally } from '../../src/metrics/tally.js'
import { watchThread } from '../../src/metrics/watch-thread.js'
import { RESPONSE_KINDS } from '../../src/responses/head.js'

t.test('a tally has room for every route and every kind of response', async t => {
  t.ok(ROUTE_NAMES.length <= ROUTES_MAX, `there are ${ROUTE_NAMES.length} routes, at most ${ROUTES_MAX} allowed`)
  t.ok(RESPONSE_KINDS.length <= KINDS_MAX, `there are ${RESPONSE_KINDS.length} kinds, at most ${KINDS_MAX} allowed`)
})

t.test('a time is counted in the first bucket whose bound it does not exceed, or in the last bucket', async t => {
  const tally = new Tally()
  const bucketOf = (us: number) => {
    const before = tally.buckets(1)
    tally.time(1, us)
    return tally.buckets(1).findIndex((count, i) => count > (before[i] ?? 0))
  }
  BUCKETS_US.forEach((us, i) => {
    t.equal(bucketOf(us), i)
    t.equal(bucketOf(us + 1), i + 1)
  })
  t.equal(bucketOf(0), 0)
  t.equal(tally.buckets(0).length, BUCKETS_US.length + 1)
  t.strictSame(new Set(tally.buckets(0)), new Set([0]), 'the route before has no counts')
  t.strictSame(new Set(tally.buckets(2)), new Set([0]), 'the route after has no counts')
})

t.test('each slot has its own counts, and slots outside the table are not counted', async t => {
  const tally = Tally.withKeys(3)
  tally.countKey(0, false)
  tally.countKey(2, true)
  for (const slot of [-1, 3]) tally.countKey(slot, true)
  const totals = new Float64Array(8)
  tally.addKeys(totals)
  tally.addKeys(totals)
  t.strictSame([...totals], [2, 0, 0, 0, 2, 2, 0, 0])
  const fewer = new Float64Array(2)
  tally.addKeys(fewer)
  t.strictSame([...fewer], [1, 0])
  t.equal(tally.get('delayMax'), 0, 'the counts of slots do not change other figures')
})

t.test('the figures of a thread are recorded every second until it stops', async t => {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const tally = new Tally()
  let connections = 3
  const stop = watchThread(tally, () => ({ connections, accessDropped: 2 * connections }))
  mock.timers.tick(1_000)
  t.strictSame([tally.get('connections'), tally.get('accessDropped')], [3, 6])
  t.ok(tally.get('delayP50') <= tally.get('delayMax') && tally.get('delayP99') >= 0)
  connections = 4
  mock.timers.tick(1_000)
  t.equal(tally.get('connections'), 4)
  stop()
  connections = 5
  mock.timers.tick(5_000)
  t.equal(tally.get('connections'), 4)
})
