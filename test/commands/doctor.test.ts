import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { checkNode } from '../../src/commands/doctor-program.js'
import { makeCertificate, WITHOUT_OPENSSL } from '../support/certificate.js'
import { prepared, run, startServe } from '../support/cli.js'
import { startRedis, WITHOUT_REDIS } from '../support/redis.js'
import { temporaryDirectory } from '../support/service.js'

type Found = { check: string; status: 'ok' | 'warning' | 'fails'; message: string }

async function examine(env: Record<string, string>) {
  const { code, stdout } = await run(['doctor', '--json'], env)
  const found = JSON.parse(stdout) as Found[]
  const of = (check: string) => found.filter(one => one.check === check).map(({ status, message }) => `${status}: ${message}`)
  return { code, found, of }
}

t.test('in a working setup every line is ok or a warning, and no file is left behind', async t => {
  const env = { ...(await prepared(t)), HSAPI_PORT: '0' }
  const { code, of, found } = await examine(env)
  t.equal(code, 0)
  t.strictSame(
    found.filter(({ status }) => status === 'fails'),
    [],
  )
  t.match(of('settings'), ['ok: 3 variables are set'])
  t.match(of('snapshot'), [/^ok: .*hs\.snapshot \(HSAPI_SNAPSHOT\): .* records$/])
  t.match(of('data directory')[0], /^ok: .* does not exist yet; it can be created$/)
  t.match(of('data directory')[1], /MB free/)
  t.match(of('keys'), ['ok: none yet; the first start creates one'])
  t.match(of('clock'), [/^ok: \d{4}-/])
  t.equal((await run(['doctor'], env)).stdout.split('\n').length, found.length + 1, 'each finding is one line')
  const served = await startServe(t, env)
  const { port } = new URL(served.url)
  const running = await examine({ ...env, HSAPI_PORT: port })
  t.equal(running.code, 0)
  t.match(running.of('port'), [/^ok: .* is in use while process \d+ on .* serves from this data directory$/])
  t.match(running.of('keys'), ['ok: 1 active of 1'])
  t.match(running.of('rights'), ['ok: only this user can read keys and counts'])
  chmodSync(join(env.HSAPI_DATA_DIR, 'keys.json'), 0o644)
  t.match((await examine(env)).of('rights'), [/^warning: .*keys\.json may be read by others \(644\): chmod 600$/])
})

t.test('each problem that would stop a server is reported with its reason', async t => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise(done => taken.on('listening', done))
  t.teardown(() => taken.close())
  const { port } = taken.address() as AddressInfo
  const place = await prepared(t)
  const plain = join(temporaryDirectory(t), 'plain')
  writeFileSync(plain, 'nonsense')
  mkdirSync(place.HSAPI_DATA_DIR)
  writeFileSync(join(place.HSAPI_DATA_DIR, 'keys.json'), 'nonsense')
  const socket = { HSAPI_SOCKET: plain }
  const { code, of } = await examine({
    HSAPI_DATA_DIR: place.HSAPI_DATA_DIR,
    HSAPI_SNAPSHOT: plain,
    HSAPI_PORT: String(port),
    ...socket,
  })
  t.equal(code, 1)
  t.match(of('snapshot'), [/^fails: .*not an hsapi snapshot/])
  t.match(of('port'), [`fails: 127.0.0.1:${port} is in use by another program`])
  t.match(of('keys'), [/^fails: .*keys\.json: this is not JSON/])
  t.match(of('socket'), [/^fails: .* exists and is not a socket$/])
  const wrong = await examine({ ...place, HSAPI_WORKERS: 'many' })
  t.equal(wrong.code, 1)
  t.match(wrong.of('settings'), [/^fails: HSAPI_WORKERS is "many"/])
  t.match((await examine({ ...place, HSAPI_PORT: '0', HSAPI_NONSENSE: '1' })).of('settings'), [
    'warning: unknown and ignored: HSAPI_NONSENSE',
  ])
  const slow = await examine({ ...place, HSAPI_PORT: '0', HSAPI_ENGINE: 'node', HSAPI_WORKERS: '2' })
  t.match(slow.of('engine'), [/^fails: node:http uses only one thread, but HSAPI_WORKERS is 2/])
  t.match((await examine({ ...place, HSAPI_PORT: '0', HSAPI_ENGINE: 'node' })).of('engine'), [
    /^warning: node:http, which is slower/,
  ])
  const open = await examine({ ...place, HSAPI_PORT: '40000', HSAPI_ADMIN_PORT: '0', HSAPI_ADMIN_HOST: '0.0.0.0' })
  t.match(open.of('admin port').at(-1), /^warning: without HSAPI_ADMIN_TOKEN/)
})

t.test('a Node version that is too old fails, and one that no longer gets fixes is a warning', async t => {
  t.match(checkNode('18.20.0'), { status: 'fails' })
  t.match(checkNode('20.1.0', Date.parse('2026-04-30')), { status: 'ok' })
  t.match(checkNode('20.1.0', Date.parse('2026-05-01')), { status: 'warning', message: /no fixes since 2026-04-30/ })
  t.match(checkNode('26.0.0'), { status: 'ok' })
})

t.test('the names, the last day and the key file of the certificate are checked', { skip: WITHOUT_OPENSSL }, async t => {
  const place = { ...(await prepared(t)), HSAPI_PORT: '0' }
  const good = makeCertificate(t, 'api.example', 30)
  t.match((await examine({ ...place, ...good })).of('certificate'), [/^ok: .*, for api\.example, 127\.0\.0\.1$/])
  t.match((await examine({ ...place, ...makeCertificate(t, 'api.example', 5) })).of('certificate'), [
    /^warning: .*, [45] days, for/,
  ])
  chmodSync(good.HSAPI_TLS_KEY, 0o644)
  t.ok((await examine({ ...place, ...good })).of('rights').some(line => /key\.pem may be read by everyone/.test(line)))
})

t.test('Redis: its reachability, version, eviction policy and clock are checked', { skip: WITHOUT_REDIS }, async t => {
  const redis = await startRedis(t)
  const env = { ...(await prepared(t)), HSAPI_PORT: '0', HSAPI_REDIS_URL: redis.url, HSAPI_KEYS: 'redis' }
  const sound = await examine(env)
  t.equal(sound.code, 0)
  const [version, policy, ...rest] = sound.of('redis')
  t.match(version, /^ok: reachable, (?:Redis|Valkey) \d+\./)
  t.equal(policy, 'ok: maxmemory-policy noeviction')
  t.ok(rest.includes('warning: appendonly is off: a crash of Redis may lose the latest keys'))
  t.ok(rest.some(line => /^ok: answered in \d+ ms; its clock and the clock of this machine differ by \d+ ms$/.test(line)))
  t.ok(rest.includes('warning: it has no keys yet: "hsapi keys create" creates one'))
  await redis.cli('config', 'set', 'maxmemory', '100mb', 'maxmemory-policy', 'allkeys-lru')
  const full = await examine(env)
  t.equal(full.code, 1)
  t.ok(full.of('redis').some(line => /^fails: maxmemory-policy is allkeys-lru: .* deletes keys and counts/.test(line)))
  await redis.kill()
  const away = await examine(env)
  t.equal(away.code, 1)
  t.match(away.of('redis'), [/^fails: HSAPI_REDIS_URL: cannot reach the server/])
})
