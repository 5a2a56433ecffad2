/** Tests Sentinel and Cluster with real servers. Failovers under load are tested by the programs in proof/. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import tap, { type Test } from 'tap'
// @ts-expect-error: the proofs are plain JavaScript
import { ClusterStore, SentinelStore } from '../../proof/shared/stores.mjs'
import type { OperatorError } from '../../src/errors.js'
import { readAddress } from '../../src/redis/address.js'
import { RedisConnection } from '../../src/redis/connection.js'
import { readConfig } from '../../src/settings/config.js'
import { prepared, run, startServe } from '../support/cli.js'
import { WITHOUT_REDIS } from '../support/redis.js'
import { ask, temporaryDirectory } from '../support/service.js'

const LOOKUP = '/api/v1/hs-codes/852321'
const DEADLINE_MS = 20_000
const NAME = 'HSAPI_REDIS_URL'
const base = await prepared(tap)

tap.test('an address names sentinels, their primary and the logins of both', async t => {
  const text = 'rediss+sentinel://app:p%40ss@one:1,[::1]:2,three/my-primary/3?sentinel_user=watch&sentinel_password=a%26b'
  t.strictSame(readAddress(text, NAME), {
    kind: 'sentinel',
    sentinels: [
      { host: 'one', port: 1 },
      { host: '::1', port: 2 },
      { host: 'three', port: 26_379 },
    ],
    primary: 'my-primary',
    database: 3,
    login: { username: 'app', password: 'p@ss' },
    sentinelLogin: { username: 'watch', password: 'a&b' },
    tls: true,
    shown: 'rediss+sentinel://one:1,[::1]:2,three/my-primary/3',
  })
})

tap.test('an address names servers of a cluster', async t => {
  t.strictSame(readAddress('redis+cluster://:secret@one:7001,two', NAME), {
    kind: 'cluster',
    nodes: [
      { host: 'one', port: 7_001 },
      { host: 'two', port: 6_379 },
    ],
    login: { password: 'secret' },
    tls: false,
    shown: 'redis+cluster://one:7001,two',
  })
})

tap.test('a wrong address is refused without showing its password', async t => {
  const wrong = [
    'redis+sentinel://:secret@one:26379',
    'redis+sentinel://:secret@one/mymaster?sentinel_pasword=x',
    'redis+sentinel://:secret@one:99999/mymaster',
    'redis+sentinel://:secret@one,,two/mymaster',
    'redis+sentinel://:secret%@one/mymaster',
    'redis+cluster://:secret@one/3',
    'redis+cluster://',
    'http://:secret@one',
  ]
  for (const text of wrong) {
    let message = 'none'
    try {
      readAddress(text, NAME)
    } catch (error) {
      message = (error as OperatorError).message
    }
    t.match(message, /^HSAPI_REDIS_URL must be an address such as /, text)
    t.notMatch(message, /secret/)
  }
})

tap.test('without a connection a command is refused with the reason, for sentinels and for a cluster', async t => {
  for (const url of ['redis+sentinel://127.0.0.1:1/mymaster', 'redis+cluster://127.0.0.1:1']) {
    const connection = await RedisConnection.open({ url, prefix: 'hsapi:' }, () => {})
    t.teardown(() => connection.close())
    await connection.ready(30_000, () => /ECONNREFUSED/.test(connection.lastError))
    await t.rejects(connection.send('TIME'), { message: /ECONNREFUSED/ }, url)
  }
})

tap.test('a prefix that would spread names over a cluster is refused', async t => {
  const env = { HSAPI_REDIS_PREFIX: '{}x:', HSAPI_REDIS_URL: 'redis+cluster://one' }
  t.throws(() => readConfig(env), { message: /^HSAPI_REDIS_PREFIX contains \{\}/ })
})

/** Checks that a server with its keys in this store counts its answers and accepts a new key. */
async function isServed(t: Test, url: string): Promise<void> {
  const env = {
    HSAPI_DATA_DIR: join(temporaryDirectory(t), 'data'),
    HSAPI_SNAPSHOT: base.HSAPI_SNAPSHOT,
    HSAPI_REDIS_URL: url,
    HSAPI_KEYS: 'redis',
    HSAPI_DRAIN_SECONDS: '0',
  }
  const keys = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(['keys', ...args, '--json'], env)
    t.equal(code, 0, stderr)
    return JSON.parse(stdout || '{}')
  }
  const { id, key } = await keys('create', '--tier', 'basic')
  const server = await startServe(t, env)
  for (let n = 0; n < 2; n++) t.equal((await ask(server.url, LOOKUP, { 'x-api-key': key })).status, 200)
  const other = await keys('create', '--tier', 'free')
  const until = async (holds: () => Promise<boolean>) => {
    const deadline = Date.now() + DEADLINE_MS
    while (!(await holds()) && Date.now() < deadline) await wait(50)
  }
  await until(async () => (await ask(server.url, LOOKUP, { 'x-api-key': other.key })).status === 200)
  t.equal((await ask(server.url, LOOKUP, { 'x-api-key': other.key })).status, 200, 'a new key is in force')
  await until(async () => (await keys('show', id)).used_today >= 2)
  t.equal(await server.end('SIGTERM'), 0)
  t.match(await keys('show', id), { used_today: 2 })
  t.notMatch(server.output(), /NOPERM|NOAUTH|WRONGPASS|CROSSSLOT/)
  const { stdout } = await run(['doctor'], env)
  t.match(stdout, /redis.*reachable/)
}

tap.test('keys and counts are stored on the primary that sentinels name, with passwords', { skip: WITHOUT_REDIS }, async t => {
  const passwords = { password: 'p@ss:word', sentinelPassword: 'other&word' }
  const store = await new SentinelStore(temporaryDirectory(t), passwords).start()
  t.teardown(() => store.end())
  await isServed(t, store.url)
  const wrong = store.url.replace(/sentinel_password=.*/, 'sentinel_password=wrong')
  const { code, stderr } = await run(['keys', 'list'], { HSAPI_REDIS_URL: wrong, HSAPI_KEYS: 'redis' })
  t.equal(code, 2)
  t.match(stderr, /^hsapi: HSAPI_REDIS_URL: cannot reach the server: .*WRONGPASS.*\n$/)
})

tap.test('a server that most sentinels do not name as the primary gives no more leases', { skip: WITHOUT_REDIS }, async t => {
  const store = await new SentinelStore(temporaryDirectory(t)).start()
  t.teardown(() => store.end())
  const connection = await RedisConnection.open({ url: store.url, prefix: 'hsapi:' }, () => {})
  t.teardown(() => connection.close())
  t.ok(await connection.ready(DEADLINE_MS))
  await connection.reachAll()
  await store.rename(1)
  await connection.reachAll()
  await store.forget(2)
  await connection.reachAll()
  t.pass('half of the sentinels that name a primary are not most of them')
  await store.rename(0)
  await t.rejects(connection.reachAll(), { message: 'the sentinels name another primary' })
  await store.forget(0)
  await store.forget(1)
  await connection.reachAll()
  t.pass('a primary is trusted if no sentinel names one')
  for (const i of [1, 2]) await store.rename(i)
  await t.rejects(connection.reachAll(), { message: 'the sentinels name another primary' })
})

tap.test('keys and counts are stored in a cluster, with the documented permissions', { skip: WITHOUT_REDIS }, async t => {
  const store = await new ClusterStore(temporaryDirectory(t), false).start()
  t.teardown(() => store.end())
  const page = readFileSync(new URL('../../docs/replicas.md', import.meta.url), 'utf8')
  const rules = (/ACL SETUSER (.*)$/m.exec(page)?.[1] ?? '').split(' ').map(word => word.replace(/^'(.*)'$/, '$1'))
  await store.cliAll('ACL', 'SETUSER', ...rules)
  const secret = rules.find(rule => rule.startsWith('>'))?.slice(1)
  await isServed(t, store.url.replace('//', `//${rules[0]}:${secret}@`))
})
