/** Requests are answered during any fault of the store; each replica counts alone and reconnects by itself. */
import { setTimeout as pause } from 'node:timers/promises'
import tap, { type Test } from 'tap'
import { type RedisServer, startRedis, WITHOUT_REDIS } from '../support/redis.js'
import { ask, emptyResult, hammer, hammerShared, hammerWhile, type Replicas, startReplicas } from '../support/replicas.js'
import { startProxy } from '../support/tcp-proxy.js'
import { until } from '../support/until.js'

const HIGH_LIMIT = 1_000_000
const AWAY = /Redis unreachable/g
const BACK = /Redis reachable again/g
/** A request waits 250 ms at most, as `npm run faults` measures; the higher limit here is for busy machines. */
const LATE_MS = 2_000
/** Replicas do not report when they know each other, so tests wait this long: three heartbeats and some margin. */
const KNOWN_MS = 4_000

interface Fault {
  name: string
  begin(redis: RedisServer): Promise<unknown>
  end(redis: RedisServer): Promise<unknown>
}

const FAULTS: Fault[] = [
  { name: 'killed', begin: redis => redis.kill(), end: redis => redis.restart() },
  {
    name: 'paused',
    begin: async redis => redis.child.kill('SIGSTOP'),
    end: async redis => redis.child.kill('SIGCONT'),
  },
  {
    name: 'out of memory',
    begin: redis => redis.cli('CONFIG', 'SET', 'maxmemory', '1'),
    end: redis => redis.cli('CONFIG', 'SET', 'maxmemory', '0'),
  },
  {
    name: 'a replica that accepts no writes',
    begin: redis => redis.cli('REPLICAOF', '127.0.0.1', '1'),
    end: redis => redis.cli('REPLICAOF', 'NO', 'ONE'),
  },
]

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

/** Whether every replica reports this many requests left for the day. */
async function areLeft(ports: readonly number[], key: string, requests: number): Promise<boolean> {
  const left = await Promise.all(ports.map(port => ask(port, key, '/api/v1/health')))
  return left.every(({ remainingDay }) => remainingDay === requests)
}

/** Causes a fault under load, ends it, and checks that requests were answered all the time. */
async function endure(
  t: Test,
  { served, ports }: Replicas,
  key: string,
  begin: () => Promise<unknown>,
  end: () => Promise<unknown>,
): Promise<void> {
  const before = served.map(one => count(one.output(), AWAY))
  let isOver = false
  const results = emptyResult()
  const load = hammerWhile(ports, key, () => !isOver, results)
  const moreAnswers = async (what: string) => {
    const enough = results.admitted + 100
    await until(`answers ${what}`, () => results.admitted >= enough || results.other.length > 0)
  }
  await moreAnswers('before the fault')
  await begin()
  await until('every replica logs that the store is lost', () =>
    served.every((one, i) => count(one.output(), AWAY) > (before[i] as number)),
  )
  await moreAnswers('while the store is unreachable')
  await end()
  await until('every replica logs that the store is back', () =>
    served.every(one => count(one.output(), BACK) === count(one.output(), AWAY)),
  )
  await moreAnswers('after the fault')
  isOver = true
  const { admitted, refused, other, slowestMs } = await load
  t.strictSame(other, [], 'there is no status 5xx and no broken connection')
  t.ok(admitted > 0 && refused === 0, 'requests were still answered')
  t.ok(slowestMs < LATE_MS, `the slowest request took ${slowestMs.toFixed(0)} ms`)
  t.strictSame(
    served.map((one, i) => count(one.output(), AWAY) - (before[i] as number)),
    served.map(() => 1),
    'each replica reports the loss once',
  )
}

tap.test('a failing store is bypassed, and used again later', { skip: WITHOUT_REDIS }, async t => {
  const redis = await startRedis(t)
  const replicas = await startReplicas(t, 2, redis.url)
  const key = await replicas.key({ per_minute: HIGH_LIMIT, per_day: HIGH_LIMIT })
  for (const { name, begin, end } of FAULTS) {
    await t.test(name, async t => {
      await endure(
        t,
        replicas,
        key,
        () => begin(redis),
        () => end(redis),
      )
      const { admitted } = await hammerShared(replicas, { per_minute: 40, per_day: HIGH_LIMIT }, 200)
      t.equal(admitted, 40, 'quotas are exact again')
    })
  }
})

tap.test('requests are answered while the store is cut off or slow', { skip: WITHOUT_REDIS }, async t => {
  const redis = await startRedis(t)
  const proxy = await startProxy(t, redis.port)
  const replicas = await startReplicas(t, 2, `redis://127.0.0.1:${proxy.port}`)
  const key = await replicas.key({ per_minute: HIGH_LIMIT, per_day: HIGH_LIMIT })
  await t.test('cut off', async t => {
    const cut = async () => {
      proxy.isCut = true
    }
    const join = async () => {
      proxy.isCut = false
    }
    await endure(t, replicas, key, cut, join)
  })
  await t.test('with a delay of 20 ms, quotas stay exact', async t => {
    proxy.delayMs = 10
    const { admitted, other } = await hammerShared(replicas, { per_minute: 40, per_day: HIGH_LIMIT }, 120)
    t.equal(admitted, 40)
    t.strictSame(other, [])
  })
})

tap.test('replicas keep counts that the store loses', { skip: WITHOUT_REDIS }, async t => {
  const redis = await startRedis(t)
  const replicas = await startReplicas(t, 2, redis.url)
  const { ports, served } = replicas
  const key = await replicas.key({ per_minute: HIGH_LIMIT, per_day: 100 })
  t.equal((await hammer(ports, key, 60)).admitted, 60)
  await redis.cli('SCRIPT', 'FLUSH')
  t.equal((await hammer(ports, key, 20)).admitted, 20, 'a lost script is loaded again')
  // a request to each replica makes it learn of all 80
  for (const port of ports) await ask(port, key, '/api/v1/health')
  await until('both replicas know of all 80', () => areLeft(ports, key, 20))
  await redis.cli('FLUSHALL')
  t.equal((await hammer(ports, key, 100)).admitted, 20, 'counts continue from the figures of the first replica to ask')
  for (const one of served) t.notMatch(one.output(), AWAY)
})

tap.test('requests admitted while Redis was unreachable are counted when it is back', { skip: WITHOUT_REDIS }, async t => {
  const redis = await startRedis(t)
  const replicas = await startReplicas(t, 2, redis.url)
  const { ports, served } = replicas
  const key = await replicas.key({ per_minute: HIGH_LIMIT, per_day: 100 })
  t.equal((await hammer(ports, key, 20)).admitted, 20)
  // until the replicas know each other, a replica's share of the limit is smaller
  await pause(KNOWN_MS)
  redis.child.kill('SIGSTOP')
  const [one = 0, two = 0] = ports
  t.equal((await hammer([one], key, 30)).admitted, 30)
  t.equal((await hammer([two], key, 10)).admitted, 10)
  redis.child.kill('SIGCONT')
  await until('the store is back', () => served.every(each => BACK.test(each.output()) || count(each.output(), BACK) > 0))
  await until('both replicas know of all 60', () => areLeft(ports, key, 40))
  t.equal((await hammer(ports, key, 100)).admitted, 40)
})

tap.test('a server starts without its store, and connects later', { skip: WITHOUT_REDIS }, async t => {
  const redis = await startRedis(t)
  await redis.kill()
  const replicas = await startReplicas(t, 2, redis.url)
  const { ports, served } = replicas
  for (const one of served) t.equal(count(one.output(), AWAY), 1, 'the loss is reported at the start')
  const key = await replicas.key({ per_minute: 30, per_day: HIGH_LIMIT })
  for (const port of ports) t.equal((await hammer([port], key, 50)).admitted, 30, 'each server uses its own counts')
  await redis.restart()
  await until('the store is back', () => served.every(one => count(one.output(), BACK) === 1))
  t.equal((await hammerShared(replicas, { per_minute: 30, per_day: HIGH_LIMIT }, 100)).admitted, 30)
})
