/** A server as its operators see it. */
import { spawnSync } from 'node:child_process'
import { copyFile, mkdir, rmdir, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { prepared, run, startServe } from '../support/cli.js'
import { ask, ENGINES, temporaryDirectory } from '../support/service.js'
import { until } from '../support/until.js'

const ADMINISTERED = /admin port: (http:[^\s"]+)/
const WITHOUT_PROMTOOL = spawnSync('promtool', ['--version']).error !== undefined && 'promtool is not installed'

async function administered(t: Test, more: Record<string, string> = {}) {
  const env = { ...(await prepared(t)), HSAPI_ADMIN_PORT: '0', ...more }
  const made = await run(['keys', 'create', '--tier', 'pro', '--json'], env)
  const served = await startServe(t, env)
  const deadline = Date.now() + 5_000
  while (!ADMINISTERED.test(served.output()) && Date.now() < deadline) await new Promise(done => setTimeout(done, 20))
  const [, admin = ''] = ADMINISTERED.exec(served.output()) ?? []
  return { served, admin, env, key: JSON.parse(made.stdout).key as string }
}

const SNAPSHOT_LINE = 'snapshot: [0-9a-f]{16}, version \\S+, in use since \\S+\\n'
/** If uWebSockets.js cannot be loaded, /ready names the engine. */
const ENGINE_LINE = ENGINES.includes('uws') ? '' : 'engine: node:http instead of uWebSockets\\.js: .+\\n'
const readyWith = (line: string) => new RegExp(`^ok\\n${line}${ENGINE_LINE}${SNAPSHOT_LINE}$`)

const text = async (url: string, init: RequestInit = {}) => {
  const response = await fetch(url, { ...init, headers: { ...init.headers, connection: 'close' } })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const value = (metrics: string, sample: string) =>
  Number(
    metrics
      .split('\n')
      .find(line => line.startsWith(`${sample} `))
      ?.slice(sample.length + 1),
  )

t.test('without uWebSockets.js, the log and /ready have a warning; a server that must use it does not start', async t => {
  const preload = join(temporaryDirectory(t), 'without-uws.cjs')
  await writeFile(
    preload,
    `const Module = require('node:module')
    const load = Module._load
    Module._load = (name, ...rest) => {
      if (name.startsWith('@uwsjs/')) throw new Error('no binary for this Node')
      return load(name, ...rest)
    }`,
  )
  const withoutUws = { NODE_OPTIONS: `--require=${preload}` }
  const { served, admin, env } = await administered(t, { ...withoutUws, HSAPI_ENGINE: 'auto', HSAPI_LOG: 'json' })
  const lines = served.output().trim().split('\n')
  const line = lines.map(text => JSON.parse(text)).find(({ message }) => message.includes('HTTP engine'))
  t.match(line, { level: 'warning', message: /^HTTP engine: node:http \(.*no binary for this Node/ })
  t.match((await text(`${admin}/ready`)).text, /^engine: node:http instead of uWebSockets\.js: .*no binary for this Node/m)
  const refused = await run(['serve'], { ...env, ...withoutUws, HSAPI_PORT: '0', HSAPI_ENGINE: 'uws' })
  t.equal(refused.code, 2)
  t.match(refused.stderr, /^hsapi: HSAPI_ENGINE is uws, but .*no binary for this Node.*; use auto or node\n$/)
})

for (const engine of ENGINES) {
  t.test(`responses are counted by route, status and reason (${engine})`, async t => {
    const workers = engine === 'uws' ? '2' : '1'
    const { served, admin, key } = await administered(t, { HSAPI_ENGINE: engine, HSAPI_WORKERS: workers })
    const auth = { 'x-api-key': key }
    for (let n = 0; n < 24; n++) await ask(served.url, '/api/v1/hs-codes/85', auth)
    await ask(served.url, '/api/v1/hs-codes/85', { ...auth, 'if-none-match': '*' })
    await ask(served.url, '/api/v1/hs-codes/77', auth)
    await ask(served.url, '/api/v1/hs-codes/85')
    await ask(served.url, '/nowhere')
    await ask(served.url, '/api/v1/health', {}, 'DELETE')
    await fetch(`${served.url}/api/v1/resolve`, {
      method: 'POST',
      body: '{"codes":["85"]}',
      headers: { ...auth, 'content-type': 'application/json', connection: 'close' },
    })
    const { status, headers, text: metrics } = await text(`${admin}/metrics`)
    t.equal(status, 200)
    t.match(headers.get('content-type'), /^text\/plain; version=0\.0\.4/)
    const lookups = 'hsapi_requests_total{route="/api/v1/hs-codes/{code}",status='
    t.equal(value(metrics, `${lookups}"200"}`), 24)
    t.equal(value(metrics, `${lookups}"304"}`), 1)
    t.equal(value(metrics, `${lookups}"404"}`), 1)
    t.equal(value(metrics, `${lookups}"401"}`), 1)
    t.equal(value(metrics, 'hsapi_requests_total{route="/api/v1/resolve",status="200"}'), 1)
    t.equal(value(metrics, 'hsapi_requests_total{route="other",status="404"}'), 1)
    t.equal(value(metrics, 'hsapi_requests_total{route="/api/v1/health",status="405"}'), 1)
    for (const reason of ['not_found', 'missing_api_key', 'route_not_found', 'method_not_allowed'])
      t.equal(value(metrics, `hsapi_refusals_total{reason="${reason}"}`), 1, reason)
    t.ok(value(metrics, 'hsapi_sent_bytes_total') > 24 * 300)
    const timed = 'hsapi_request_duration_seconds_count{route="/api/v1/hs-codes/{code}"}'
    t.ok(value(metrics, timed) >= 1, 'some requests are timed')
    t.equal(value(metrics, 'hsapi_keys'), 1)
    t.match(metrics, /^hsapi_dataset_info\{edition="[^"]+",version="[^"]*",snapshot="[0-9a-f]{16}"\} 1$/m)
    t.match(metrics, new RegExp(`^hsapi_build_info\\{version="[^"]+",engine="${engine}"\\} 1$`, 'm'))
    t.equal(metrics.match(/^hsapi_connections\{/gm)?.length, Number(workers), 'every thread is listed')
    t.ok(value(metrics, 'process_resident_memory_bytes') > 1e7)
    t.notMatch(metrics, /hsapi_store_/, 'without Redis there are no figures about it')
    t.notMatch(metrics, key, 'the key is not in the metrics')
    t.equal(await served.end('SIGTERM'), 0)
  })
}

t.test('Prometheus can read the metrics', { skip: WITHOUT_PROMTOOL }, async t => {
  const { served, admin } = await administered(t)
  await ask(served.url, '/api/v1/health')
  const { text: metrics } = await text(`${admin}/metrics`)
  const { status, stderr, stdout } = spawnSync('promtool', ['check', 'metrics'], { input: metrics })
  t.equal(`${stdout}${stderr}`, '')
  t.equal(status, 0)
})

t.test('a server is live at once, ready once it has a dataset, and not ready while it stops', async t => {
  const { served, admin, key } = await administered(t, { HSAPI_DRAIN_SECONDS: '3' })
  t.strictSame(await text(`${admin}/live`).then(({ status, text }) => [status, text]), [200, 'ok\n'])
  t.match(await text(`${admin}/ready`), { status: 200, text: readyWith('') })
  t.equal((await text(`${admin}/ready`, { method: 'HEAD' })).status, 200)
  t.equal((await text(`${admin}/ready`, { method: 'POST' })).headers.get('allow'), 'GET, HEAD')
  t.equal((await text(`${admin}/elsewhere`)).status, 404)
  t.equal((await text(`${served.url}/metrics`)).status, 404, 'the public port has no metrics')

  // an open connection keeps the server draining
  const idle = request(`${served.url}/api/v1/hs-codes/85`, {
    headers: { 'x-api-key': key },
    agent: undefined,
  })
  await new Promise<void>(done => idle.on('response', res => res.resume().on('end', () => done())).end())
  const ended = served.end('SIGTERM')
  const deadline = Date.now() + 2_500
  let drained = await text(`${admin}/ready`)
  while (drained.status === 200 && Date.now() < deadline) drained = await text(`${admin}/ready`)
  t.strictSame([drained.status, drained.text], [503, 'stopping\n'])
  t.equal((await text(`${admin}/live`)).status, 200)
  idle.destroy()
  t.equal(await ended, 0)
})

t.test('a failure to save counts is in the metrics and in /ready, whose status stays 200', async t => {
  const { served, admin, key, env } = await administered(t)
  const metrics = async () => (await text(`${admin}/metrics`)).text
  const ready = async () => {
    const { status, text: body } = await text(`${admin}/ready`)
    return [status, body]
  }
  t.equal(value(await metrics(), 'hsapi_usage_save_failing'), 0)
  t.equal(value(await metrics(), 'hsapi_usage_save_failures_total'), 0)
  // a directory in place of the file makes saving fail
  const log = join(env.HSAPI_DATA_DIR, 'usage.0.log')
  await mkdir(log)
  await ask(served.url, '/api/v1/hs-codes/85', { 'x-api-key': key })
  const untilFailing = async (failing: number) => {
    await until('the gauge changes', async () => value(await metrics(), 'hsapi_usage_save_failing') === failing)
  }
  await untilFailing(1)
  t.ok(value(await metrics(), 'hsapi_usage_save_failures_total') >= 1)
  t.match(await ready(), [200, readyWith('counts: not being saved: EISDIR.*\\n')])
  await rmdir(log)
  await untilFailing(0)
  t.match(await ready(), [200, readyWith('')])
  t.equal(await served.end('SIGTERM'), 0)
})

t.test('/ready lists problems that do not stop requests: no key, Redis unreachable, the slower engine', async t => {
  const env = { ...(await prepared(t)), HSAPI_ADMIN_PORT: '0', HSAPI_FIRST_KEY: 'off', HSAPI_ENGINE: 'node' }
  const away = { HSAPI_REDIS_URL: 'redis://127.0.0.1:1/0' }
  const served = await startServe(t, { ...env, ...away }, /admin port: (http:\S+)/)
  t.match(await text(`${served.url}/ready`), {
    status: 200,
    text: /^ok\nkeys: no key is active.*\nredis: unreachable, quotas are local: .+\nengine: node:http instead of uWebSockets\.js: set by HSAPI_ENGINE\nsnapshot: .*\n$/,
  })
  t.equal(await served.end('SIGTERM'), 0)
})

t.test('POST /reload loads a new dataset; a bad one is refused, and the old one stays in use', async t => {
  const snapshot = join(temporaryDirectory(t), 'hs.snapshot')
  await copyFile((await prepared(t)).HSAPI_SNAPSHOT, snapshot)
  const { admin, served, key } = await administered(t, { HSAPI_SNAPSHOT: snapshot })
  const loaded = await text(`${admin}/reload`, { method: 'POST' })
  t.equal(loaded.status, 200)
  t.match(loaded.text, /was loaded/)
  await writeFile(snapshot, 'nonsense')
  const refused = await text(`${admin}/reload`, { method: 'POST' })
  t.equal(refused.status, 409)
  t.match(refused.text, /not an hsapi snapshot.*still serving/)
  t.match(await text(`${admin}/ready`), {
    status: 200,
    text: readyWith('reload: the last reload was refused: .*not an hsapi snapshot.*\\n'),
  })
  const metrics = async () => (await text(`${admin}/metrics`)).text
  t.equal(value(await metrics(), 'hsapi_reload_refused'), 1)
  t.equal(value(await metrics(), 'hsapi_reloads_total{result="refused"}'), 1)
  t.equal(value(await metrics(), 'hsapi_reloads_total{result="loaded"}'), 1)
  t.equal((await ask(served.url, '/api/v1/hs-codes/85', { 'x-api-key': key })).status, 200)
})

t.test('the start reports whether the previous server was killed', async t => {
  const { served, admin, env } = await administered(t)
  t.equal(value((await text(`${admin}/metrics`)).text, 'hsapi_started_after_kill'), 0)
  await served.end('SIGKILL')
  const next = await startServe(t, env, ADMINISTERED)
  t.equal(value((await text(`${next.url}/metrics`)).text, 'hsapi_started_after_kill'), 1)
  t.match(next.output(), /hsapi: the previous server was killed or crashed/)
  await next.end('SIGTERM')
  const last = await startServe(t, env, ADMINISTERED)
  t.equal(value((await text(`${last.url}/metrics`)).text, 'hsapi_started_after_kill'), 0)
})

t.test('if a token is set, every change needs it', async t => {
  const { admin } = await administered(t, { HSAPI_ADMIN_TOKEN: 'secret of ours' })
  t.equal((await text(`${admin}/metrics`)).status, 200, 'reading does not need the token')
  for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: 'secret of ours ' }]) {
    const refused = await text(`${admin}/reload`, { method: 'POST', headers })
    t.equal(refused.status, 401)
    t.equal(refused.headers.get('www-authenticate'), 'Bearer')
  }
  const headers = { authorization: 'bearer secret of ours' }
  t.equal((await text(`${admin}/reload`, { method: 'POST', headers })).status, 200)
})

t.test('on addresses other than loopback, nothing can be changed without a token', async t => {
  const { admin } = await administered(t, { HSAPI_ADMIN_HOST: '0.0.0.0' })
  const address = admin.replace('0.0.0.0', '127.0.0.1')
  const refused = await text(`${address}/reload`, { method: 'POST' })
  t.equal(refused.status, 403)
  t.match(refused.text, /HSAPI_ADMIN_TOKEN/)
  t.equal((await text(`${address}/ready`)).status, 200)
})

t.test('a wrong setting, or a port in use, prevents the start, with a one-line error', async t => {
  const { admin, env } = await administered(t)
  for (const [more, message] of [
    [{ HSAPI_ADMIN_PORT: 'x' }, /HSAPI_ADMIN_PORT is "x"/],
    [{ HSAPI_ADMIN_TOKEN: ' ' }, /HSAPI_ADMIN_TOKEN is set but empty/],
    [{ HSAPI_ADMIN_PORT: new URL(admin).port }, /HSAPI_ADMIN_PORT: cannot listen/],
  ] as const) {
    const other = join(env.HSAPI_DATA_DIR as string, 'other')
    const { code, stderr } = await run(['serve'], { ...env, HSAPI_DATA_DIR: other, ...more })
    t.equal(code, 2)
    t.match(stderr, message)
  }
})

t.test('HSAPI_LOG makes the server log JSON lines or nothing; the JSON lines never contain the first key', async t => {
  const env = await prepared(t)
  const served = await startServe(t, { ...env, HSAPI_LOG: 'json', HSAPI_NONSENSE: '1' })
  const lines = served
    .output()
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line))
  t.ok(lines.some(({ message }) => /^hsapi is ready on http:\/\/127\.0\.0\.1:\d+$/.test(message)))
  t.ok(lines.some(({ message }) => /^HSAPI_NONSENSE is not a known setting/.test(message)))
  t.ok(lines.some(({ level, message }) => level === 'warning' && message.startsWith('HSAPI_NONSENSE')))
  for (const { level } of lines) t.match(level, /^(?:info|warning)$/)
  for (const { time } of lines) t.match(time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  t.notMatch(served.output(), /hs_free_/)
  t.ok(lines.some(({ message }) => /^there are no keys yet; "hsapi keys create --tier free" creates one$/.test(message)))
  t.strictSame(JSON.parse((await run(['keys', 'list', '--json'], env)).stdout), [], 'no key is created')
  t.equal((await ask(served.url, '/api/v1/hs-codes/85')).status, 401)
  await served.end('SIGTERM')
  const without = await startServe(t, { ...env, HSAPI_FIRST_KEY: 'off' })
  t.notMatch(without.output(), /hs_free_/)
  t.match(without.output(), /^hsapi: there are no keys yet/m)
  await without.end('SIGTERM')
  const silent = await startServe(t, { ...env, HSAPI_LOG: 'off' }, /Created a Free key/)
  await silent.end('SIGTERM')
  const refused = await run(['serve'], { ...env, HSAPI_LOG: 'loud' })
  t.match(refused.stderr, /HSAPI_LOG is "loud"; it must be one of text, json, off/)
})
