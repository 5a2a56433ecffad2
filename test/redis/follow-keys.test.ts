/** Tests the follower of keys in Redis. The clock is stopped, because the follower writes its copy at most once a second. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mock } from 'node:test'
import tap, { type Test } from 'tap'
import { Gate } from '../../src/gate/gate.js'
import type { MadeKey } from '../../src/keys/key-record.js'
import { RedisKeyFollower } from '../../src/process/follow-redis-keys.js'
import { Counters } from '../../src/quotas/counters.js'
import { Verdict } from '../../src/quotas/verdict.js'
import { RedisConnection } from '../../src/redis/connection.js'
import { RedisKeys } from '../../src/redis/keys.js'
import { startRedis, WITHOUT_REDIS } from '../support/redis.js'
import { START_MS, temporaryDirectory } from '../support/service.js'
import { until } from '../support/until.js'

const KEY = { tier: 'pro', name: '', expiresAt: null, perMinute: null, perDay: null } as const
const NOW = '2026-05-04T12:00:00+00:00'
const NOW_REVOKED = '2026-05-05T12:00:00+00:00'

tap.test(
  'a key created within a second of a copy is in force after a restart without Redis',
  { skip: WITHOUT_REDIS },
  async t => {
    mock.timers.enable({ apis: ['Date'], now: START_MS })
    t.teardown(() => mock.timers.reset())
    const redis = await startRedis(t)
    const directory = temporaryDirectory(t)
    const options = { url: redis.url, prefix: 'hsapi:' }
    const connection = await RedisConnection.openNow(options)
    t.teardown(() => connection.close())
    const keys = new RedisKeys(connection)
    const open = async () => {
      const follower = await RedisKeyFollower.open(options, directory, () => {})
      const gate = new Gate()
      await follower.load(gate)
      return { follower, gate }
    }
    const isCopied = (id: string) => readFileSync(join(directory, 'keys-of-redis.json'), 'utf8').includes(id)

    const first = await keys.create(KEY, NOW)
    const { follower } = await open()
    await follower.checkForChanges()
    const second = await keys.create(KEY, NOW)
    await follower.checkForChanges()
    t.strictSame([isCopied(first.record.id), isCopied(second.record.id)], [true, false], 'the second key is not copied yet')
    await follower.stop()
    await redis.kill()
    // starting waits for Redis in real time
    mock.timers.reset()

    const restarted = await open()
    t.teardown(() => restarted.follower.stop())
    for (const { key } of [first, second]) t.equal(restarted.gate.admit(key, START_MS), Verdict.Admitted)
  },
)

tap.test('a follower of keys in Redis', { skip: WITHOUT_REDIS }, async t => {
  const setUp = async (t: Test) => {
    const redis = await startRedis(t)
    const directory = temporaryDirectory(t)
    const options = { url: redis.url, prefix: 'hsapi:' }
    const connection = await RedisConnection.openNow(options)
    t.teardown(() => connection.close())
    const keys = new RedisKeys(connection)
    const open = async (gate = new Gate()) => {
      const lines: string[] = []
      const published: number[][] = []
      const follower = await RedisKeyFollower.open(options, directory, line => lines.push(line))
      t.teardown(() => follower.stop())
      const isLoaded = await follower.load(gate)
      const verdict = (key: string) => gate.peek(key, START_MS)
      /** Reads changes that other servers made. Returns what was logged about them. */
      const look = async () => {
        await follower.checkForChanges()
        return lines.splice(0)
      }
      return { follower, gate, isLoaded, verdict, look, published }
    }
    return { redis, keys, directory, open }
  }

  t.test('changes by other servers are logged; the creation of the first key by this server is not', async t => {
    const { keys, open } = await setUp(t)
    const { follower, isLoaded, look, verdict } = await open()
    t.equal(isLoaded, false, 'no key was ever created')
    const first = await follower.createFirst(KEY, NOW)
    t.strictSame(await look(), [])
    t.equal(verdict(first?.key ?? ''), Verdict.Admitted)
    const second = await keys.create(KEY, NOW)
    await keys.revoke(first?.record.id ?? '', NOW)
    t.match(await look(), [/keys read again from Redis: 1 added, 1 changed, 0 removed$/])
    t.equal(verdict(first?.key ?? ''), Verdict.InvalidKey)
    t.equal(verdict(second.key), Verdict.Admitted)
    t.strictSame(await look(), [])
    t.equal(await follower.createFirst(KEY, NOW), undefined, 'no first key is created, because there are keys already')
  })

  t.test('keys that Redis has lost are put back, even if other keys were created there since', async t => {
    const { redis, keys, open } = await setUp(t)
    const [first, revoked] = [await keys.create(KEY, NOW), await keys.create(KEY, NOW)]
    const { look, verdict } = await open()
    await keys.revoke(revoked.record.id, NOW)
    await look()
    await redis.cli('FLUSHALL')
    t.match(await look(), [/missing or older in Redis; 2 were written back/, /keys read again from Redis: all 2$/])
    t.equal(verdict(first.key), Verdict.Admitted)
    t.equal((await keys.read())?.length, 2)
    await redis.cli('FLUSHALL')
    const other = await keys.create(KEY, NOW)
    t.match(await look(), [/2 were written back/, /all 3$/])
    t.strictSame(
      [first, other, revoked].map(({ key }) => verdict(key)),
      [Verdict.Admitted, Verdict.Admitted, Verdict.InvalidKey],
    )
  })

  t.test('keys that Redis lost while no server ran are put back at the next start', async t => {
    const { redis, keys, open } = await setUp(t)
    const [kept, revoked] = [await keys.create(KEY, NOW), await keys.create(KEY, NOW)]
    const { follower, look } = await open()
    await keys.revoke(revoked.record.id, NOW)
    await look()
    await follower.stop()
    await redis.cli('FLUSHALL')
    const created = await keys.create(KEY, NOW)
    const again = await open()
    t.strictSame(
      [kept, revoked, created].map(({ key }) => again.verdict(key)),
      [Verdict.Admitted, Verdict.InvalidKey, Verdict.Admitted],
    )
    t.equal((await keys.read())?.length, 3)
    t.match(await again.look(), [/missing or older in Redis; 2 were written back/])
  })

  t.test('keys that Redis lost before a server without Redis reached it are put back', async t => {
    const { redis, keys, open } = await setUp(t)
    const { key } = await keys.create(KEY, NOW)
    const { follower, look } = await open()
    await look()
    await follower.stop()
    await redis.kill()
    const again = await open()
    t.equal(again.verdict(key), Verdict.Admitted)
    await redis.restart()
    let otherKey = ''
    await until('a key can be created', async () => {
      otherKey = await keys.create(KEY, NOW).then(
        made => made.key,
        () => '',
      )
      return otherKey !== ''
    })
    await until('Redis is read again', async () => (await again.look()).some(line => line.includes('can be read again')))
    for (const valid of [key, otherKey]) t.equal(again.verdict(valid), Verdict.Admitted)
  })

  t.test('while Redis is unreachable, keys stay valid; its loss and its return are each logged once', async t => {
    const { redis, keys, open } = await setUp(t)
    const { key, record } = await keys.create(KEY, NOW)
    const { follower, look, verdict } = await open()
    await look()
    t.equal(follower.problem, undefined)
    await redis.kill()
    t.match(await look(), [/cannot be read; the known keys stay in force/])
    t.strictSame(await look(), [])
    t.match(follower.problem, /cannot be read/)
    t.equal(verdict(key), Verdict.Admitted)
    await redis.restart()
    await until('Redis is read again', async () => (await look()).some(line => line.includes('can be read again')))
    t.equal(follower.problem, undefined)
    t.equal((await keys.read())?.[0]?.id, record.id, 'Redis came back empty, and the key was put back')
  })

  t.test('a revoked key stays revoked after a start without Redis', async t => {
    const { redis, keys, open } = await setUp(t)
    const [kept, revoked] = [await keys.create(KEY, NOW), await keys.create(KEY, NOW)]
    const { follower, look } = await open()
    await look()
    await keys.revoke(revoked.record.id, NOW)
    await look()
    await follower.stop()
    await redis.kill()
    const again = await open()
    t.strictSame(
      [kept, revoked].map(({ key }) => again.verdict(key)),
      [Verdict.Admitted, Verdict.InvalidKey],
    )
    t.match(again.follower.problem, /cannot be read/)
  })

  t.test('the number of keys is known from Redis, and without Redis from the copy', async t => {
    const { redis, keys, open } = await setUp(t)
    for (let n = 0; n < 3; n++) await keys.create(KEY, NOW)
    const { follower, look } = await open()
    t.ok((await follower.keysAtMost()) >= 3, 'there is no copy yet')
    await look()
    await redis.kill()
    await until('the connection is lost', async () => (await look()).length > 0)
    t.ok((await follower.keysAtMost()) >= 3)
  })

  t.test('with many keys, the copy is written at most every half minute', async t => {
    mock.timers.enable({ apis: ['Date'], now: START_MS })
    t.teardown(() => mock.timers.reset())
    const { keys, directory, open } = await setUp(t)
    const { record } = await keys.create(KEY, NOW)
    const gate = new Gate(Counters.create(16_384))
    for (let n = 0; n < 10_001; n++) gate.setKey({ ...record, id: `other${n}` })
    const { look } = await open(gate)
    const copied = () => readFileSync(join(directory, 'keys-of-redis.json'), 'utf8').includes(NOW_REVOKED)
    await look()
    await keys.revoke(record.id, NOW_REVOKED)
    mock.timers.tick(29_000)
    await look()
    t.notOk(copied())
    mock.timers.tick(1_000)
    await look()
    t.ok(copied())
  })

  t.test('a copy that cannot be written is reported once, and no longer once it is written', async t => {
    mock.timers.enable({ apis: ['Date'], now: START_MS })
    t.teardown(() => mock.timers.reset())
    const { keys, directory, open } = await setUp(t)
    await keys.create(KEY, NOW)
    const copy = join(directory, 'keys-of-redis.json')
    const { follower, look } = await open()
    mkdirSync(copy)
    const about = (lines: string[]) =>
      lines.filter(line => line.includes('local copy of the keys in Redis cannot be written')).length
    t.equal(about(await look()), 1)
    t.match(follower.problem, /local copy .* cannot be written/)
    mock.timers.tick(1_000)
    t.equal(about(await look()), 0)
    rmSync(copy, { recursive: true })
    mock.timers.tick(1_000)
    await look()
    t.equal(follower.problem, undefined)
  })

  t.test('keys for which no slot is free are logged', async t => {
    const { keys, open } = await setUp(t)
    const { look } = await open(new Gate(Counters.create(2)))
    for (let n = 0; n < 3; n++) await keys.create(KEY, NOW)
    t.match(await look(), [/^hsapi: 1 new key in Redis is not in force: .*restart the server/])
  })

  t.test('a key that neither Redis nor the copy has is no longer in force', async t => {
    const { redis, keys, directory, open } = await setUp(t)
    const lost = await keys.create(KEY, NOW)
    const { follower, look } = await open()
    await look()
    await follower.stop()
    await redis.kill()
    const again = await open()
    t.equal(again.verdict(lost.key), Verdict.Admitted)
    writeFileSync(join(directory, 'keys-of-redis.json'), 'nonsense')
    await redis.restart()
    let other = ''
    await until('a key can be created', async () => {
      other = await keys.create(KEY, NOW).then(
        made => made.key,
        () => '',
      )
      return other !== ''
    })
    await until('Redis is read again', async () => (await again.look()).some(line => line.includes('can be read again')))
    t.strictSame([again.verdict(lost.key), again.verdict(other)], [Verdict.InvalidKey, Verdict.Admitted])
  })

  t.test('a revocation that Redis has lost, as after a restored backup, stays in force', async t => {
    const { redis, keys, open } = await setUp(t)
    const { key, record } = await keys.create(KEY, NOW)
    const backup = await redis.cli('HGET', 'hsapi:{keys}:records', record.id)
    const { follower, look } = await open()
    // a stopped follower must not keep the process alive
    follower.start(() => {})
    await keys.revoke(record.id, NOW_REVOKED)
    await look()
    await follower.stop()
    await redis.cli('HSET', 'hsapi:{keys}:records', record.id, backup.trim())
    t.equal((await open()).verdict(key), Verdict.InvalidKey)
    t.equal((await keys.read())?.[0]?.revoked_at, NOW_REVOKED)
  })

  t.test('a change is read as soon as Redis announces it, also after Redis was unreachable at the start', async t => {
    const { redis, keys, open } = await setUp(t)
    // without polling
    mock.timers.enable({ apis: ['setInterval'] })
    t.teardown(() => mock.timers.reset())
    const isListening = async () => (await redis.cli('PUBSUB', 'NUMSUB', 'hsapi:{keys}').catch(() => '')).includes('1')
    const isNoticed = async ({ follower, verdict }: Awaited<ReturnType<typeof open>>) => {
      follower.start(() => {})
      await until('the follower listens', isListening)
      let made: MadeKey | undefined
      await until('a key can be created', async () => {
        made = await keys.create(KEY, NOW).catch(() => undefined)
        return made !== undefined
      })
      await until('the key is known', () => verdict(made?.key ?? '') === Verdict.Admitted)
      await follower.stop()
    }
    const opened = await open()
    await until('the connections are open', async () => (await redis.cli('CLIENT', 'LIST')).trim().split('\n').length > 3)
    await opened.look()
    await isNoticed(opened)
    await redis.kill()
    const later = await open()
    const noticed = isNoticed(later)
    await redis.restart()
    await noticed
  })
})
