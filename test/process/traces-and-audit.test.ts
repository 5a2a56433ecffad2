/** Data that helps operators to find causes: the trace of a request, the busiest keys, and who changed a key. */
import { readFileSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { writeAudit } from '../../src/keys/audit.js'
import { prepared, run, startServe } from '../support/cli.js'
import { ask, temporaryDirectory } from '../support/service.js'

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

t.test('a traceparent is in the access log only if it is valid', async t => {
  const file = join(temporaryDirectory(t), 'access.log')
  const env = { ...(await prepared(t)), HSAPI_ACCESS_LOG: 'json', HSAPI_ACCESS_LOG_FILE: file }
  const served = await startServe(t, env)
  const wrong = [
    TRACE.toUpperCase(),
    TRACE.replace('00-', 'ff-'),
    TRACE.replace('4bf92f3577b34da6a3ce929d0e0e4736', '0'.repeat(32)),
    TRACE.replace('00f067aa0ba902b7', '0'.repeat(16)),
    `${TRACE}-more`,
    'hs_free_1234567890',
  ]
  for (const traceparent of [TRACE, ...wrong]) await ask(served.url, '/api/v1/health', { traceparent })
  await ask(served.url, '/api/v1/health', {})
  t.equal(await served.end('SIGTERM'), 0)
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  t.strictSame(
    lines.map(line => JSON.parse(line).traceparent),
    [TRACE, ...wrong.map(() => undefined), undefined],
  )
})

t.test('the busiest keys are in the metrics, and every change to a key is recorded with its origin', async t => {
  const env = { ...(await prepared(t)), HSAPI_ADMIN_PORT: '0', HSAPI_FIRST_KEY: 'off' }
  const served = await startServe(t, env, /admin port: (http:\S+)/)
  const [, url = ''] = /ready on (http:\S+)/.exec(served.output()) ?? []
  const body = JSON.stringify({ tier: 'pro', per_minute: 2 })
  const made = await fetch(`${served.url}/keys`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { id, key } = (await made.json()).data
  for (let n = 0; n < 5; n++) await ask(url, '/api/v1/hs-codes/85', { 'x-api-key': key })
  const metrics = await (await fetch(`${served.url}/metrics`)).text()
  t.match(metrics, `hsapi_busiest_keys_requests{key="${id}"} 5\n`)
  t.match(metrics, `hsapi_busiest_keys_refused{key="${id}"} 3\n`)
  t.match(metrics, 'hsapi_ready 1\n')
  const keys = (...args: string[]) => run(['keys', ...args], env)
  t.equal((await keys('rotate', id)).code, 0)
  t.equal((await keys('revoke', id)).code, 0)
  t.not((await keys('revoke', 'unknown')).code, 0)
  const file = join(env.HSAPI_DATA_DIR as string, 'keys-audit.jsonl')
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const user = new RegExp(`^${userInfo().username}`)
  t.match(
    lines.map(line => JSON.parse(line)),
    [
      { change: 'created', key: id, from: 'admin port', address: /127\.0\.0\.1$/, user },
      { change: 'rotated', key: id, from: 'command line', user },
      { change: 'revoked', key: id, from: 'command line', user, time: /^20\d\d-/, pid: Number },
    ],
  )
  t.equal(lines.length, 3, 'a change that failed is not recorded')
  t.notMatch(readFileSync(file, 'utf8'), key)
  t.equal(statSync(file).mode & 0o777, 0o600)
})

t.test('a change made with sudo names both users', async t => {
  const directory = temporaryDirectory(t)
  const { SUDO_USER: before } = process.env
  t.teardown(() => {
    if (before === undefined) delete process.env.SUDO_USER
    else process.env.SUDO_USER = before
  })
  process.env.SUDO_USER = 'alice'
  await writeAudit(directory, 'revoked', 'id', { from: 'command line' }, 0)
  const { user } = JSON.parse(readFileSync(join(directory, 'keys-audit.jsonl'), 'utf8'))
  t.equal(user, `${userInfo().username} (sudo by alice)`)
})
