import { readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { prepared, run, startServe } from '../support/cli.js'
import { type LoadResult, load, moreAnswers } from '../support/load.js'
import { ask, ENGINES } from '../support/service.js'
import { until } from '../support/until.js'

const PATH = '/api/v1/hs-codes/85'
const skip = ENGINES.includes('uws') ? false : 'sharing a port needs uWebSockets.js'

async function newKey(env: Record<string, string>, ...more: string[]): Promise<Record<string, string>> {
  const made = await run(['keys', 'create', '--tier', 'pro', ...more, '--json'], env)
  return { 'x-api-key': JSON.parse(made.stdout).key }
}

t.test('a second server with the same data directory is refused, and the error names the first', async t => {
  const env = await prepared(t)
  const served = await startServe(t, env)
  for (const more of [{}, ...(skip === false ? [{ HSAPI_SHARE_PORT: '1' }] : [])]) {
    const { code, stderr } = await run(['serve'], { ...env, HSAPI_PORT: '0', HSAPI_ENGINE: 'auto', ...more })
    t.equal(code, 2)
    t.match(stderr, new RegExp(`HSAPI_DATA_DIR .*process ${served.child.pid} on \\S+ already uses it`))
  }
  served.child.kill('SIGKILL')
  await served.ended
  const again = await startServe(t, env)
  t.equal(await again.end('SIGTERM'), 0, 'the lock of a killed server is free at once')
  t.notOk(readdirSync(env.HSAPI_DATA_DIR).some(name => name.endsWith('.lock')))
})

t.test('a failed start does not leave a key that was never shown', async t => {
  const env = await prepared(t)
  const failed = await run(['serve'], { ...env, HSAPI_SNAPSHOT: '/nowhere/x', HSAPI_PORT: '0' })
  t.equal(failed.code, 2)
  t.strictSame(readdirSync(env.HSAPI_DATA_DIR), [], 'there are neither keys nor locks')
  const served = await startServe(t, env)
  t.match(served.output(), /Created a Free key/)
})

t.test('temporary files of killed processes are removed', async t => {
  const env = await prepared(t)
  const first = await startServe(t, env)
  await first.end('SIGTERM')
  const [stale, fresh] = ['keys.json.7.abcd.tmp', 'keys.json.8.abcd.tmp'].map(name => join(env.HSAPI_DATA_DIR, name))
  for (const path of [stale, fresh]) writeFileSync(path as string, 'x')
  const old = new Date(Date.now() - 120_000)
  utimesSync(stale as string, old, old)
  const served = await startServe(t, env)
  t.strictSame(
    readdirSync(env.HSAPI_DATA_DIR).filter(name => name.endsWith('.tmp')),
    ['keys.json.8.abcd.tmp'],
    'files that may still be written are kept',
  )
  await served.end('SIGTERM')
})

t.test('all requests on keep-alive connections are answered when a server stops', async t => {
  for (const [engine, method] of ENGINES.flatMap(engine => [[engine, 'GET'] as const, [engine, 'HEAD'] as const])) {
    const env = { ...(await prepared(t)), HSAPI_ENGINE: engine }
    const headers = await newKey(env, '--per-minute', '2000000', '--per-day', '2000000')
    const served = await startServe(t, env)
    let isOver = false
    let seen = 0
    const result = load({
      port: Number(new URL(served.url).port),
      paths: [PATH],
      headers,
      method,
      connections: 8,
      keepAlive: true,
      isOver: () => isOver,
      // when the server no longer listens, it refuses connections; it never received their requests
      check: (_path, status) => {
        seen++
        return status === 200 ? undefined : String(status)
      },
    })
    await until('the server is under load', () => seen > 50)
    t.equal(await served.end('SIGTERM'), 0)
    isOver = true
    const { wrong, answered } = await result
    t.ok(answered > 50)
    t.strictSame(
      wrong.filter(line => !line.includes('ECONNREFUSED')),
      [],
      `${engine} ${method}: no response is cut off`,
    )
  }
})

t.test('HSAPI_DRAIN_SECONDS is how long the server waits for idle connections', async t => {
  const env = { ...(await prepared(t)), HSAPI_DRAIN_SECONDS: '0' }
  const served = await startServe(t, env)
  const { Connection } = await import('../support/raw.js')
  const connection = await Connection.open(Number(new URL(served.url).port))
  const startMs = performance.now()
  t.equal(await served.end('SIGTERM'), 0)
  const shortMs = performance.now() - startMs
  await connection.closed
  const patient = await startServe(t, { ...env, HSAPI_DRAIN_SECONDS: '3' })
  const idle = await Connection.open(Number(new URL(patient.url).port))
  const patientMs = performance.now()
  t.equal(await patient.end('SIGTERM'), 0)
  await idle.closed
  t.ok(performance.now() - patientMs >= 3_000, 'the server waits 3 seconds for an idle connection')
  t.ok(shortMs < performance.now() - patientMs, 'with 0, the server does not wait')
})

t.test('one server takes over from another on the same port, and their counts add up', { skip }, async t => {
  const env = { ...(await prepared(t)), HSAPI_SHARE_PORT: '1' }
  const headers = await newKey(env, '--per-minute', '2000000', '--per-day', '2000000')
  let current = await startServe(t, env)
  const port = new URL(current.url).port
  let isOver = false
  const answers: LoadResult = { answered: 0, wrong: [] }
  const result = load(
    {
      port: Number(port),
      paths: [PATH],
      headers,
      connections: 6,
      keepAlive: true,
      isOver: () => isOver,
      check: (_path, status) => (status === 200 ? undefined : String(status)),
    },
    answers,
  )
  for (let i = 0; i < 3; i++) {
    const next = await startServe(t, { ...env, HSAPI_PORT: port })
    await moreAnswers(100, answers)
    t.equal(await current.end('SIGTERM'), 0)
    current = next
  }
  await moreAnswers(100, answers)
  isOver = true
  const { answered, wrong } = await result
  t.strictSame(wrong, [], 'no request was lost')
  t.ok(answered > 100, `${answered} answers`)
  t.equal(await current.end('SIGTERM'), 0)
  const last = await startServe(t, { ...env, HSAPI_SHARE_PORT: '0' })
  const { headers: shown } = await ask(last.url, '/api/v1/health', headers)
  t.equal(2_000_000 - Number(shown.get('x-ratelimit-remaining-day')), answered, 'each request was counted once')
})
