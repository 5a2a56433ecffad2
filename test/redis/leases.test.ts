/** The scripts in a real Redis, without servers. */
import tap, { type Test } from 'tap'
import { DAY_MS, MINUTE_MS } from '../../src/clock.js'
import type { LeaseRequest } from '../../src/leases/lease-store.js'
import { RedisConnection } from '../../src/redis/connection.js'
import { RedisLeases, windowsName } from '../../src/redis/leases.js'
import { readConfig } from '../../src/settings/config.js'
import { type RedisServer, startRedis, WITHOUT_REDIS } from '../support/redis.js'

const PREFIX = 'hsapi:'
const KEY = 'test'
const NAME = windowsName(PREFIX, KEY)
const REPLICAS = `${PREFIX}{replicas}`
const LIMIT = 40
const DAMAGED = { name: 'DamagedKeyError' }

interface Set {
  redis: RedisServer
  leases: RedisLeases
  /** Asks for a lease. Returns how many requests are granted to a replica that knows these counts of the current windows. */
  granted(wanted: Partial<LeaseRequest>, minuteCount?: number, dayCount?: number): Promise<number>
  /** A field of the key's record. */
  field(name: string): Promise<string>
}

async function setUp(t: Test): Promise<Set> {
  const redis = await startRedis(t)
  const connection = await RedisConnection.openNow({ url: redis.url, prefix: PREFIX })
  t.teardown(() => connection.close())
  const leases = new RedisLeases(connection)
  const startMs = Date.now()
  const request: LeaseRequest = {
    keyId: KEY,
    limitMinute: LIMIT,
    limitDay: 10 * LIMIT,
    waiting: 0,
    isAllOrNothing: false,
    prefetch: 0,
    returned: 0,
    unreportedMinute: 0,
    unreportedDay: 0,
    known: { minuteStartMs: 0, minuteCount: 0, day: 0, dayCount: 0 },
  }
  return {
    redis,
    leases,
    granted: async (wanted, minuteCount = 0, dayCount = minuteCount) => {
      const known = { minuteStartMs: startMs, minuteCount, day: Math.floor(startMs / DAY_MS), dayCount }
      return (await leases.lease({ ...request, known, ...wanted })).granted
    },
    field: name => redis.cli('HGET', NAME, name),
  }
}

tap.test('after a flush, Redis learns from a refused call that a key is exhausted', { skip: WITHOUT_REDIS }, async t => {
  const { redis, granted } = await setUp(t)
  for (const [minuteCount, dayCount, what] of [
    [LIMIT, LIMIT, 'the minute'],
    [0, 10 * LIMIT, 'the day'],
  ] as const) {
    await redis.cli('FLUSHALL')
    t.equal(await granted({ waiting: 1 }, minuteCount, dayCount), 0)
    t.equal(await granted({ waiting: 1 }), 0, `a replica without figures is refused, too: ${what}`)
  }
})

tap.test('a record with an invalid field continues from the counts of the replica', { skip: WITHOUT_REDIS }, async t => {
  const { redis, granted, leases } = await setUp(t)
  for (const [field, value] of [
    ['mc', 'many'],
    ['mc', '-1000000'],
    ['mc', 'nan'],
    ['mc', '0.5'],
    ['mc', 'inf'],
    ['m', ''],
    ['m', '9000000000000000'],
  ] as const) {
    await redis.cli('DEL', NAME)
    t.equal(await granted({ waiting: 30 }), 30)
    await redis.cli('HSET', NAME, field, value)
    t.equal(await granted({ waiting: LIMIT }, 30), 10, `${field} ${value}`)
    t.equal(await granted({ waiting: LIMIT }), 0, 'the record is repaired')
  }
  for (const [field, value] of [
    ['dc', '-1'],
    ['d', 'today'],
    ['d', '99999999'],
  ] as const) {
    await redis.cli('DEL', NAME)
    await granted({ waiting: 30 })
    await redis.cli('HSET', NAME, field, value)
    t.equal(await granted({ waiting: 5 }, 30, 10 * LIMIT - 2), 2, `${field} ${value}`)
  }
  await redis.cli('HSET', NAME, 'dc', 'many')
  await t.rejects(leases.look(KEY), DAMAGED)
})

tap.test('a record of the wrong type affects only its key', { skip: WITHOUT_REDIS }, async t => {
  const { redis, granted, leases } = await setUp(t)
  await redis.cli('SET', NAME, 'x')
  await t.rejects(granted({ waiting: 1 }), DAMAGED)
  t.match(await leases.announce('a'), { replicas: 1 })
  t.equal(await granted({ waiting: 1, keyId: 'other' }), 1)
})

tap.test('minutes whose starts are less than a minute apart count as the same minute', { skip: WITHOUT_REDIS }, async t => {
  const { granted, field } = await setUp(t)
  t.equal(await granted({ waiting: 10 }), 10)
  const startMs = Number(await field('m'))
  const known = { minuteCount: 10, day: Math.floor(startMs / DAY_MS), dayCount: 10 }
  for (const apartMs of [-1, 1, 1 - MINUTE_MS, MINUTE_MS - 1]) {
    await granted({ returned: 1, known: { ...known, minuteStartMs: startMs + apartMs } })
    await granted({
      unreportedMinute: 2,
      unreportedDay: 2,
      known: { ...known, minuteStartMs: startMs + apartMs },
    })
  }
  t.strictSame([await field('mc'), await field('dc')], ['14', '14'])
  await granted({ returned: 1, known: { ...known, minuteStartMs: startMs - MINUTE_MS } })
  t.strictSame([await field('mc'), await field('dc')], ['14', '13'], 'requests of an earlier minute are counted only for the day')
})

tap.test('a lease that is returned after its day does not lower the count of the next day', { skip: WITHOUT_REDIS }, async t => {
  const { granted, field } = await setUp(t)
  t.equal(await granted({ waiting: 10 }), 10)
  const [minuteStartMs, day] = [Number(await field('m')), Number(await field('d'))]
  const known = { minuteStartMs, minuteCount: 10, day: day - 1, dayCount: 10 }
  await granted({ returned: 4, known })
  t.strictSame(
    [await field('mc'), await field('dc')],
    ['6', '10'],
    'the lease is returned to the same minute, but not to the next day',
  )
})

tap.test('replicas with a recent heartbeat are counted, and each has a position', { skip: WITHOUT_REDIS }, async t => {
  const { redis, leases } = await setUp(t)
  const nowMs = () => Date.now()
  t.match(await leases.announce('b'), { replicas: 1, rank: 0 })
  t.match(await leases.announce('a'), { replicas: 2, rank: 0 })
  t.match(await leases.announce('c'), { replicas: 3, rank: 2 })
  t.match(await leases.announce('b'), { replicas: 3, rank: 1 }, 'a replica keeps its position')
  await redis.cli('ZADD', REPLICAS, String(nowMs() - 5_000), 'a')
  t.ok((await leases.announce('b')).silentMs >= 5_000, 'the age of the oldest heartbeat is returned')
  await redis.cli('ZADD', REPLICAS, String(nowMs() - 11_000), 'a')
  await redis.cli('ZADD', REPLICAS, String(nowMs() + DAY_MS), 'd')
  t.match(
    await leases.announce('b'),
    { replicas: 2, rank: 0 },
    'replicas that were silent for too long, or have a wrong clock, do not count',
  )
  t.ok(Number(await redis.cli('PTTL', REPLICAS)) > 0, 'every record expires')
  await redis.cli('SET', REPLICAS, 'x')
  t.match(await leases.announce('b'), { replicas: 1, rank: 0 }, 'a record of the wrong type is replaced')
})

tap.test('an impossible number of replicas is ignored', async t => {
  for (const answer of [null, [], [1, 0], [0, 0, 0], [1, 1, 0], [2, -1, 0], [2, 1, -1], ['1', '0', '0'], [2 ** 40, 0, 0]]) {
    const send = async () => answer
    const leases = new RedisLeases({ prefix: PREFIX, send, sendOrReconnect: send, reachAll: async () => {} })
    await t.rejects(leases.announce('a'), /number of replicas/, JSON.stringify(answer))
  }
})

tap.test('HSAPI_REDIS_WAIT_MS is a time in milliseconds', async t => {
  const read = (more: Record<string, string>) => readConfig({ HSAPI_REDIS_URL: 'redis://127.0.0.1', ...more }).redis?.waitMs
  t.equal(read({}), 250)
  t.equal(read({ HSAPI_REDIS_WAIT_MS: '10' }), 10)
  t.equal(read({ HSAPI_REDIS_WAIT_MS: '2000' }), 2_000)
  for (const wrong of ['', '0', '9', '2001', '50ms', '-1', '1.5'])
    t.throws(() => read({ HSAPI_REDIS_WAIT_MS: wrong }), {
      message: `HSAPI_REDIS_WAIT_MS is "${wrong}"; it must be a whole number from 10 to 2000`,
    })
})
