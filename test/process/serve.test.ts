import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { prepared, run, type Served, startServe } from '../support/cli.js'
import { ask, ENGINES, temporaryDirectory } from '../support/service.js'
import { until } from '../support/until.js'

async function newKey(env: Record<string, string>, ...args: string[]): Promise<{ id: string; key: string }> {
  return JSON.parse((await run(['keys', 'create', '--tier', 'free', '--json', ...args], env)).stdout)
}

t.test('a first start creates one key and prints a request that works', async t => {
  const env = await prepared(t)
  const served = await startServe(t, env)
  const [, key = ''] = /X-Api-Key: (hs_free_\w+)/.exec(served.output()) ?? []
  t.match(served.output(), new RegExp(`curl -H 'X-Api-Key: ${key}' ${served.url}/api/v1/hs-codes/852321`))
  t.equal((await ask(served.url, '/api/v1/hs-codes/852321', { 'x-api-key': key })).status, 200)
  t.notOk(readFileSync(join(env.HSAPI_DATA_DIR, 'keys.json'), 'utf8').includes(key))
  t.equal(await served.end('SIGTERM'), 0)
  const again = await startServe(t, env)
  t.notMatch(again.output(), /hs_free_/, 'the key is shown only once')
  t.equal(await again.end('SIGINT'), 0)
})

t.test('keys created, rotated and revoked while the server runs take effect without a restart', async t => {
  const env = await prepared(t)
  const { url } = await startServe(t, env)
  const answers = async (key: string, status: number) =>
    (await ask(url, '/api/v1/hs-codes/85', { 'x-api-key': key })).status === status
  const { id, key } = await newKey(env, '--per-minute', '1000')
  await until('the new key is accepted', () => answers(key, 200))
  const rotated = JSON.parse((await run(['keys', 'rotate', id, '--json'], env)).stdout).key
  await until('the new secret is accepted', () => answers(rotated, 200))
  await until('the old secret is refused', () => answers(key, 401))
  await run(['keys', 'revoke', id], env)
  await until('the revoked key is refused', () => answers(rotated, 401))
})

t.test('requests with wrong keys do not affect a valid key at the same address', async t => {
  for (const engine of ENGINES) {
    const env = { ...(await prepared(t)), HSAPI_ENGINE: engine, HSAPI_SHED_401: '3' }
    const { key } = await newKey(env)
    const { url, output } = await startServe(t, env)
    t.match(output(), 'HSAPI_SHED_401 is not a known setting and is ignored\n')
    for (let i = 0; i < 10; i++) t.equal((await ask(url, '/api/v1/hs-codes/85', { 'x-api-key': 'wrong' })).status, 401, engine)
    t.equal((await ask(url, '/api/v1/hs-codes/85', { 'x-api-key': key })).status, 200, engine)
  }
})

t.test("the day's counts survive a restart", async t => {
  const env = await prepared(t)
  const { key } = await newKey(env)
  const headers = { 'x-api-key': key }
  const first = await startServe(t, env)
  for (let i = 0; i < 5; i++) await ask(first.url, '/api/v1/hs-codes/85', headers)
  t.equal(await first.end('SIGTERM'), 0)
  const second = await startServe(t, env)
  const { headers: shown } = await ask(second.url, '/api/v1/hs-codes/85', headers)
  t.equal(shown.get('x-ratelimit-remaining-day'), '994')
  t.equal(shown.get('x-ratelimit-remaining-minute'), '24', 'the counts of the current minute survive as well')
})

t.test('a second server on the same port fails with a one-sentence error', async t => {
  const env = await prepared(t)
  const { url } = await startServe(t, env)
  const port = new URL(url).port
  const { code, stderr } = await run(['serve'], { ...(await prepared(t)), HSAPI_PORT: port })
  t.equal(code, 2)
  t.match(stderr, new RegExp(`^hsapi: HSAPI_PORT: cannot listen on 127\\.0\\.0\\.1:${port}: the port is in use; .*\n$`))
  t.equal((await ask(url, '/api/v1/health')).status, 200, 'the first server is not affected')
})

const unprivilegedFrom = () => Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8'))
const anyoneMay = process.getuid?.() !== 0 || unprivilegedFrom() <= 443

for (const engine of ENGINES)
  t.test(
    `a port that needs a privilege is distinguished from one in use (${engine})`,
    { skip: anyoneMay && 'the test must run as root, and port 443 must need a privilege' },
    async t => {
      const env = { ...(await prepared(t)), HSAPI_ENGINE: engine, HSAPI_PORT: '443' }
      mkdirSync(env.HSAPI_DATA_DIR)
      chmodSync(join(env.HSAPI_DATA_DIR, '..'), 0o755)
      chownSync(env.HSAPI_DATA_DIR, 65_534, 65_534)
      await t.rejects(startServe(t, env, undefined, { uid: 65_534, gid: 65_534 }), {
        message: /ended with 2: (?:.*\n)?hsapi: HSAPI_PORT: cannot listen on 127\.0\.0\.1:443: permission denied; .*\n$/,
      })
    },
  )

t.test('an address of another machine is reported as such', async t => {
  const failed = await run(['serve'], { ...(await prepared(t)), HSAPI_HOST: '192.0.2.1', HSAPI_PORT: '0' })
  t.equal(failed.code, 2)
  t.match(failed.stderr, /cannot listen on 192\.0\.2\.1:0: HSAPI_HOST is not an address of this machine\n$/)
})

t.test('a request under way at the signal is answered before the server ends', async t => {
  const env = await prepared(t)
  const served = await startServe(t, env)
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1')
  let text = ''
  socket.on('data', data => {
    text += data
  })
  const closed = new Promise(done => socket.on('close', done))
  socket.write('GET /api/v1/health HTTP/1.1\r\nHost: x\r\n')
  // an answer to this later request shows that the server has read the earlier ones
  await ask(served.url, '/api/v1/health')
  const ended = served.end('SIGTERM')
  await until('the server takes no more connections', () =>
    ask(served.url, '/api/v1/health').then(
      () => false,
      () => true,
    ),
  )
  socket.write('\r\n')
  await closed
  t.match(text, /^HTTP\/1\.1 200 OK/)
  t.match(text, /"status":"ok"/)
  t.equal(await ended, 0)
})

t.test('idle connections do not keep a stopped server alive', async t => {
  const env = await prepared(t)
  const served = await startServe(t, env)
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1')
  socket.on('error', () => {})
  await ask(served.url, '/api/v1/health')
  t.equal(await served.end('SIGTERM'), 0)
  socket.destroy()
})

t.test('the server answers while the snapshot is still being read', async t => {
  const env = await prepared(t)
  const { key } = await newKey(env)
  const pipe = join(temporaryDirectory(t), 'pipe')
  execFileSync('mkfifo', [pipe])
  // below the range of ports that the kernel assigns
  const port = String(10_000 + (process.pid % 20_000))
  // there is no ready line yet, so wait by sending requests
  const started = startServe(t, { ...env, HSAPI_SNAPSHOT: pipe, HSAPI_PORT: port })
  const url = `http://127.0.0.1:${port}`
  await until('the server listens', () =>
    fetch(`${url}/api/v1/health`).then(
      () => true,
      () => false,
    ),
  )
  const health = await ask(url, '/api/v1/health')
  t.match(health.body.data, { status: 'starting', foundation_schema_ready: false })
  const early = await ask(url, '/api/v1/hs-codes/85', { 'x-api-key': key })
  t.equal(early.status, 503)
  t.equal(early.headers.get('retry-after'), '1')
  const out = createWriteStream(pipe)
  out.end(readFileSync(env.HSAPI_SNAPSHOT))
  const served = await started
  t.match((await ask(served.url, '/api/v1/health')).body.data, { status: 'ok' })
  t.equal((await ask(served.url, '/api/v1/hs-codes/85', { 'x-api-key': key })).status, 200)
})

t.test('a running server keeps its keys when the key file is damaged, and the next start uses the copy', async t => {
  const env = { ...(await prepared(t)), HSAPI_ADMIN_PORT: '0' }
  const [valid, revoked] = [await newKey(env), await newKey(env)]
  const both = /ready on (http:[^\s"]+)[\s\S]*admin port: (http:[^\s"]+)/
  const read = async (served: Served, path: string) => (await fetch(`${both.exec(served.output())?.[2]}${path}`)).text()
  const lookup = async ({ url }: Served, key: string) => (await ask(url, '/api/v1/hs-codes/85', { 'x-api-key': key })).status
  const served = await startServe(t, env, both)
  t.equal((await run(['keys', 'revoke', revoked.id], env)).code, 0)
  await until('the key is revoked', async () => (await lookup(served, revoked.key)) === 401)
  writeFileSync(join(env.HSAPI_DATA_DIR, 'keys.json'), '{')
  const report = /keys\.json: this is not JSON.*stay in force/
  await until('the damaged file is reported', () => report.test(served.output()))
  t.equal(await lookup(served, valid.key), 200)
  t.match(await read(served, '/ready'), /^ok\nkeys: .*keys\.json: this is not JSON; the keys loaded earlier stay in force\n/)
  t.match(await read(served, '/metrics'), /^hsapi_key_file_damaged 1$/m)
  t.equal(await served.end('SIGTERM'), 0)

  const again = await startServe(t, { ...env, HSAPI_LOG: 'json' }, both)
  const errors = again
    .output()
    .split('\n')
    .filter(line => line.includes('"level":"error"'))
  t.match(errors, [/keys\.json: this is not JSON; started with the keys of its copy/])
  t.match(await read(again, '/ready'), /^ok\nkeys: .*started with the keys of its copy/)
  t.match(await read(again, '/metrics'), /^hsapi_key_file_damaged 1$/m)
  t.strictSame([await lookup(again, valid.key), await lookup(again, revoked.key)], [200, 401])
  const listed = await run(['keys', 'list', '--json'], env)
  t.match(listed.stderr, /the keys are read from its copy/)
  t.equal(JSON.parse(listed.stdout).length, 2)
  const created = await run(['keys', 'create', '--tier', 'free', '--json'], env)
  t.match(
    created.stderr,
    /keys\.json: this is not JSON; it was restored from its copy, .*; the damaged file is kept as .*keys\.json\.damaged-/,
  )
  t.type(JSON.parse(created.stdout).key, 'string')
  await until('the server reads the restored file', async () => /^hsapi_key_file_damaged 0$/m.test(await read(again, '/metrics')))
  t.strictSame([await lookup(again, valid.key), await lookup(again, revoked.key)], [200, 401])
  await again.end('SIGTERM')
})

t.test('a start without a usable key file or copy exits with 2 and names both', async t => {
  const env = await prepared(t)
  await newKey(env)
  for (const name of ['keys.json', 'keys-copy.json']) writeFileSync(join(env.HSAPI_DATA_DIR, name), '{')
  const { code, stderr } = await run(['serve'], { ...env, HSAPI_PORT: '0' })
  t.equal(code, 2)
  t.match(stderr, /keys\.json: this is not JSON, and its copy keys-copy\.json is damaged; restore it from a backup/)
})
