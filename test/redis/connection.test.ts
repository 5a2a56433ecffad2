/** Ways to connect to Redis. Each test sends requests that must be counted under the right Redis key. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import tap, { type Test } from 'tap'
import { RedisConnection } from '../../src/redis/connection.js'
import { RedisKeys } from '../../src/redis/keys.js'
import { prepared, run, startServe } from '../support/cli.js'
import { freePort, type RedisServer, startRedis, WITHOUT_REDIS } from '../support/redis.js'
import { ask, makeKey, temporaryDirectory } from '../support/service.js'

const DEADLINE_MS = 5_000
const PAGE = new URL('../../docs/replicas.md', import.meta.url)
const LOOKUP = '/api/v1/hs-codes/852321'

const base = await prepared(tap)
// these tests mostly wait
tap.jobs = 4
/** A new object for each test, because tap modifies it. */
const options = () => ({ skip: WITHOUT_REDIS, buffered: true })

/** Creates a key through this address and sends two requests to a server that uses it. `end` stops the server. */
async function twoRequests(t: Test, url: string, more: Record<string, string> = {}) {
  const env = {
    HSAPI_DATA_DIR: join(temporaryDirectory(t), 'data'),
    HSAPI_SNAPSHOT: base.HSAPI_SNAPSHOT,
    HSAPI_REDIS_URL: url,
    HSAPI_KEYS: 'redis',
    HSAPI_DRAIN_SECONDS: '0',
    ...more,
  }
  const keys = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(['keys', ...args, '--json'], env)
    t.equal(code, 0, stderr)
    return JSON.parse(stdout || '{}')
  }
  const { id, key } = await keys('create', '--tier', 'basic')
  const server = await startServe(t, env)
  const headers = { 'x-api-key': key }
  t.equal((await ask(server.url, LOOKUP, headers)).status, 200)
  const answer = await ask(server.url, LOOKUP, headers)
  t.equal(answer.headers.get('x-ratelimit-remaining-minute'), '58')
  t.notMatch(server.output(), /NOPERM|NOAUTH|WRONGPASS|cannot be read/)
  return {
    env,
    id,
    key,
    server,
    list: async (): Promise<{ id: string }[]> => keys('list'),
    /** Stops the server and checks the key's count after the unused lease was returned. */
    end: async () => {
      // on a busy machine Redis may answer too late; the server then sends its own counts later
      const deadline = Date.now() + DEADLINE_MS
      while ((await keys('show', id)).used_today < 2 && Date.now() < deadline) await new Promise(done => setTimeout(done, 50))
      t.equal(await server.end('SIGTERM'), 0)
      t.match(await keys('show', id), { used_today: 2 })
    },
  }
}

const counted = (redis: RedisServer, id: string, prefix = 'hsapi:', ...before: string[]) =>
  redis.cli(...before, 'HGET', `${prefix}use:{${id}}`, 'dc')

tap.test('a server connects with a password, to a numbered database', options(), async t => {
  const redis = await startRedis(t, ['--requirepass', 'p@ss/word'])
  const url = redis.url.replace('//', `//:${encodeURIComponent('p@ss/word')}@`)
  const { id, end } = await twoRequests(t, `${url}/3`)
  await end()
  const inside = ['--no-auth-warning', '-a', 'p@ss/word']
  t.equal(await counted(redis, id, 'hsapi:', ...inside, '-n', '3'), '2')
  t.equal(await redis.cli(...inside, 'DBSIZE'), '0')
})

/** The documented rule, split into words as a shell would. */
function documentedAcl(): string[] {
  const line = /ACL SETUSER (.*)$/m.exec(readFileSync(PAGE, 'utf8'))?.[1] ?? ''
  return line.split(' ').map(word => word.replace(/^'(.*)'$/, '$1'))
}

tap.test('the documented permissions of a Redis user suffice', options(), async t => {
  const redis = await startRedis(t)
  const [name = '', ...rules] = documentedAcl()
  const secret = rules.find(rule => rule.startsWith('>'))?.slice(1) ?? ''
  t.ok(secret.length > 0)
  await redis.cli('ACL', 'SETUSER', name, ...rules)
  const url = redis.url.replace('//', `//${name}:${encodeURIComponent(secret)}@`)
  const { id, env, server, end } = await twoRequests(t, url)
  const listeners = async () => (await redis.cli('PUBSUB', 'NUMSUB', 'hsapi:{keys}')).split('\n')[1]
  const deadline = Date.now() + DEADLINE_MS
  while ((await listeners()) !== '1' && Date.now() < deadline) await new Promise(done => setTimeout(done, 50))
  t.equal(await listeners(), '1', 'the user may subscribe')
  const connection = await RedisConnection.openNow({ url, prefix: 'hsapi:' })
  t.teardown(() => connection.close())
  const keys = new RedisKeys(connection)
  t.equal((await keys.read())?.length, 1)
  t.equal(await keys.count(), 1)
  t.equal(await keys.put([makeKey('free').record]), 1)
  await keys.rotate(id, '2030-01-01T00:00:00+00:00')
  await end()
  t.equal(await counted(redis, id), '2')
  await keys.revoke(id, '2030-01-01T00:00:00+00:00')
  t.notMatch(server.output(), /NOPERM/)
  t.notMatch(await redis.cli('ACL', 'LOG'), /reason/, 'no command was refused')
  const outside = await run(['keys', 'list'], { ...env, HSAPI_REDIS_PREFIX: 'other:' })
  t.equal(outside.code, 2)
  t.match(outside.stderr, /^hsapi: HSAPI_REDIS_URL: NOPERM.*\n$/)
})

tap.test('two prefixes share neither keys nor counts', options(), async t => {
  const redis = await startRedis(t)
  const [one, two] = await Promise.all([twoRequests(t, redis.url), twoRequests(t, redis.url, { HSAPI_REDIS_PREFIX: 'test/' })])
  t.strictSame(
    (await one.list()).map(({ id }) => id),
    [one.id],
  )
  t.strictSame(
    (await two.list()).map(({ id }) => id),
    [two.id],
  )
  t.equal((await ask(one.server.url, LOOKUP, { 'x-api-key': two.key })).status, 401)
  await Promise.all([one.end(), two.end()])
  t.equal(await counted(redis, one.id), '2')
  t.equal(await counted(redis, two.id, 'test/'), '2')
  t.equal(await counted(redis, one.id, 'test/'), '')
  const names = (await redis.cli('--scan')).split('\n')
  t.strictSame(
    names.filter(name => !name.startsWith('hsapi:') && !name.startsWith('test/')),
    [],
  )
})

tap.test('a server connects over TLS, with a certificate that must be trusted', options(), async t => {
  const directory = temporaryDirectory(t)
  const [key, certificate] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const make = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  execFileSync('openssl', [...make, '-days', '2', ...subject, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  })
  const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate]
  const port = await freePort()
  // in addition to the plain port, which redis-cli uses
  const redis = await startRedis(t, ['--tls-port', String(port), '--tls-auth-clients', 'no', ...files])
  const url = `rediss://localhost:${port}`
  const refused = run(['keys', 'list'], { HSAPI_REDIS_URL: url, HSAPI_KEYS: 'redis' })
  const { id, end } = await twoRequests(t, url, { NODE_EXTRA_CA_CERTS: certificate })
  await end()
  t.equal(await counted(redis, id), '2')
  const { code, stderr } = await refused
  t.equal(code, 2)
  t.match(stderr, /^hsapi: HSAPI_REDIS_URL: cannot reach the server: .*certificate.*\n$/)
})
