/** Damaged data in Redis, or wrong replies from it, neither switch off limits nor affect other keys. */
import { setTimeout as pause } from 'node:timers/promises'
import tap from 'tap'
import { startFakeRedis } from '../support/fake-redis.js'
import { startRedis, WITHOUT_REDIS } from '../support/redis.js'
import { figures, hammer, startReplicas, timesAway } from '../support/replicas.js'

const HIGH_LIMIT = 1_000_000
const LIMIT = 40
const REPLICAS = 2

/** The names of all counts in Redis. */
async function usageNames(redis: { cli(...args: string[]): Promise<string> }): Promise<string[]> {
  return (await redis.cli('--scan', '--pattern', 'hsapi:use:*')).split('\n').filter(name => name !== '')
}

tap.test('while the record of a key has the wrong type, all limits still apply', { skip: WITHOUT_REDIS }, async t => {
  const redis = await startRedis(t)
  const replicas = await startReplicas(t, REPLICAS, redis.url)
  const { ports, served } = replicas
  const damaged = await replicas.key({ per_minute: LIMIT, per_day: HIGH_LIMIT })
  t.equal((await hammer(ports, damaged, 10)).admitted, 10)
  const [name = ''] = await usageNames(redis)
  const sound = await replicas.key({ per_minute: LIMIT, per_day: HIGH_LIMIT })
  // a replica's view of the others, and of a key, may be a second old
  await pause(1_100)
  for (const port of ports) t.equal((await figures(port, damaged)).remainingMinute, LIMIT - 10)
  await redis.cli('DEL', name)
  await redis.cli('SET', name, 'not a hash')
  const { admitted, other } = await hammer(ports, damaged, 4 * LIMIT)
  t.ok(admitted <= LIMIT - 10, `${admitted} requests are admitted; ${LIMIT - 10} were left`)
  t.strictSame(other, [])
  t.equal((await hammer(ports, sound, 4 * LIMIT)).admitted, LIMIT, 'another key is counted exactly')
  t.equal(timesAway(replicas), served.map(() => 0).join(), 'the store does not count as lost')
  for (const one of served) t.equal(one.output().match(/quota record.*WRONGTYPE/g)?.length, 1, 'the record is reported once')
  await redis.cli('DEL', name)
  await pause(1_100)
  for (const port of ports) await figures(port, damaged)
  t.equal(await redis.cli('HGET', name, 'mc'), String(10 + admitted), 'all requests are counted once the record is deleted')
})

const LIES: Record<string, string> = {
  'no array': ':5\r\n',
  nothing: '*-1\r\n',
  'too few numbers': '*3\r\n:1\r\n:1\r\n:1\r\n',
  'too many numbers': `*7\r\n${':1\r\n'.repeat(7)}`,
  texts: `*6\r\n${'$1\r\nx\r\n'.repeat(6)}`,
  nulls: `*6\r\n${'$-1\r\n'.repeat(6)}`,
  'numbers below zero': `*6\r\n:1\r\n${':-5\r\n'.repeat(5)}`,
  'more than was wanted': `*6\r\n:1000000\r\n${':1\r\n'.repeat(5)}`,
  'numbers too large': `*6\r\n:1\r\n${':9007199254740993\r\n'.repeat(5)}`,
}

tap.test('if Redis answers with anything other than a lease, a replica applies the limit by itself', async t => {
  let lie = ''
  const isScript = ([command = '']: string[]) => command.toUpperCase().startsWith('EVAL')
  // presence requests get a proper answer: one replica, at position 0
  const isLease = (command: string[]) => command.some(word => word.startsWith('hsapi:use:'))
  const fake = await startFakeRedis(t, command =>
    isScript(command) ? (isLease(command) ? lie : '*3\r\n:1\r\n:0\r\n:0\r\n') : undefined,
  )
  const replicas = await startReplicas(t, 1, fake.url)
  for (const [name, answer] of Object.entries(LIES)) {
    lie = answer
    const key = await replicas.key({ per_minute: LIMIT, per_day: HIGH_LIMIT })
    const { admitted, other } = await hammer(replicas.ports, key, 3 * LIMIT)
    t.equal(admitted, LIMIT, name)
    t.strictSame(other, [])
  }
  t.equal(timesAway(replicas), '0')
})

tap.test('control characters in a message of Redis do not reach the log', async t => {
  const message = 'ERR \x1b[2J\x07red\x7f \x9b31m and \u2028'
  const fake = await startFakeRedis(t, ([command = '']) =>
    command.toUpperCase().startsWith('EVAL') ? `-${Buffer.from(message).toString('latin1')}\r\n` : undefined,
  )
  const { served, ports, key } = await startReplicas(t, 1, fake.url)
  await hammer(ports, await key({ per_minute: LIMIT, per_day: HIGH_LIMIT }), 5)
  const output = served[0]?.output() ?? ''
  t.match(output, /ERR .*red.* and/)
  t.notMatch(output.replaceAll('\n', ''), /[\p{Cc}\u2028]/u)
})
