/** The follower of keys in Redis, in process, with a clock that the test stops: it writes its copy at most once a second. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mock } from 'node:test'
import tap from 'tap'
import { Gate } from '../../src/gate/gate.js'
import { RedisKeyFollower } from '../../src/process/follow-redis-keys.js'
import { Verdict } from '../../src/quotas/verdict.js'
import { RedisConnection } from '../../src/redis/connection.js'
import { RedisKeys } from '../../src/redis/keys.js'
import { startRedis, WITHOUT_REDIS } from '../support/redis.js'
import { START_MS, temporaryDirectory } from '../support/service.js'

const KEY = { tier: 'pro', name: '', expiresAt: null, perMinute: null, perDay: null } as const
const NOW = '2026-05-04T12:00:00+00:00'

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
    t.strictSame([isCopied(first.record.id), isCopied(second.record.id)], [true, false], 'the second one is not copied yet')
    await follower.stop()
    await redis.kill()
    // starting waits for Redis in real time
    mock.timers.reset()

    const restarted = await open()
    t.teardown(() => restarted.follower.stop())
    for (const { key } of [first, second]) t.equal(restarted.gate.admit(key, START_MS), Verdict.Admitted)
  },
)
