/** Injected faults in a running server: set by the environment, and changed while it runs. */
import { request } from 'node:http'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ChaosControl } from '../../src/process/chaos.js'
import { prepared, run, startServe } from '../support/cli.js'
import { ask, ENGINES, temporaryDirectory } from '../support/service.js'

const LOOKUP = '/api/v1/hs-codes/85'
const ADMINISTERED = /admin port: (http:\/\/\S+).*chaos is/s

async function started(t: Test, env: Record<string, string>) {
  const all = { ...(await prepared(t)), HSAPI_ADMIN_PORT: '0', ...env }
  const { key } = JSON.parse((await run(['keys', 'create', '--tier', 'pro', '--unlimited', '--json'], all)).stdout)
  const served = await startServe(t, all, /ready on (http:\S+).*admin port: http[^\n]*\n/s)
  const admin = /admin port: (http:\/\/\S+)/.exec(served.output())?.[1] ?? ''
  const chaos = async (method = 'GET', body?: string) => {
    const headers = { connection: 'close' }
    const response = await fetch(`${admin}/chaos`, { method, headers, ...(body !== undefined && { body }) })
    return { status: response.status, text: await response.text() }
  }
  const get = (path = LOOKUP) => ask(served.url, path, { 'x-api-key': key })
  const figures = async () => (await fetch(`${admin}/metrics`, { headers: { connection: 'close' } })).text()
  return { served, chaos, get, figures }
}

for (const engine of ENGINES) {
  t.test(`every thread injects the faults of the setting, and then those that an operator sets (${engine})`, async t => {
    const HSAPI_WORKERS = engine === 'uws' ? '3' : '1'
    const env = { HSAPI_ENGINE: engine, HSAPI_WORKERS, HSAPI_CHAOS: 'status=503; seed=9' }
    const { served, chaos, get, figures } = await started(t, env)
    const statuses = async () => {
      const all = new Set<number>()
      // a new connection each time, so that every thread gets some
      for (let n = 0; n < 30; n++) all.add((await get()).status)
      return [...all]
    }
    t.strictSame(await chaos(), { status: 200, text: 'status=503; seed=9\n' })
    t.strictSame(await statuses(), [503])
    t.strictSame(await chaos('PUT', ' status=500 '), { status: 200, text: 'status=500; seed=1\n' })
    t.strictSame(await statuses(), [500])
    t.match(await chaos('PUT', 'status=404'), { status: 400, text: /^"status=404" must have one of/ })
    t.strictSame(await statuses(), [500], 'the current plan stays in use')
    t.match(await figures(), /^hsapi_chaos_total\{kind="status"\} 90$/m)
    const puts = await Promise.all(['reset', 'latency=1ms', 'off'].map(text => chaos('PUT', text)))
    t.strictSame(new Set(puts.map(({ status }) => status)), new Set([200]))
    t.equal((await chaos('PUT', 'off')).text, 'off\n')
    t.strictSame(await statuses(), [200])
    t.match(served.output(), /chaos is ON: status=503; seed=9\n.*chaos is ON: status=500; seed=1\n.*chaos is off/s)
    t.equal(await served.end('SIGTERM'), 0)
  })
}

t.test('a server started without chaos refuses to turn it on, and mentions it neither in its log nor in its metrics', async t => {
  const { served, chaos, get, figures } = await started(t, {})
  t.match(await chaos(), { status: 404, text: /HSAPI_CHAOS/ })
  t.match(await chaos('PUT', 'reset'), { status: 404 })
  t.equal((await get()).status, 200)
  t.notMatch(await figures(), /chaos/)
  t.notMatch(served.output(), ADMINISTERED)
  t.equal(await served.end('SIGTERM'), 0)
})

t.test('a wrong expression prevents the start, and the one-line error quotes the wrong part', async t => {
  const env = { ...(await prepared(t)), HSAPI_CHAOS: 'latency=20..80ms@10%,status=404@1%' }
  const { code, stderr } = await run(['serve'], env)
  t.equal(code, 2)
  t.equal(stderr, 'hsapi: HSAPI_CHAOS: "status=404@1%" must have one of the statuses 429, 500, 503\n')
})

t.test('faults also occur on a Unix socket', async t => {
  const socketPath = join(temporaryDirectory(t), 'hsapi.sock')
  const { served } = await started(t, { HSAPI_CHAOS: 'latency=1ms,status=429', HSAPI_SOCKET: socketPath })
  const headers = await new Promise(resolve => {
    request({ socketPath, path: LOOKUP, agent: false }, res => {
      res.resume()
      resolve([res.statusCode, res.headers['x-hsapi-chaos']])
    }).end()
  })
  t.strictSame(headers, [429, 'latency=1ms, status=429'])
  t.equal(await served.end('SIGTERM'), 0)
})

t.test('the plan cannot be changed before all threads are running, or to an invalid one', async t => {
  const lines: string[] = []
  const control = new ChaosControl('off', line => lines.push(line))
  await t.rejects(control.put('reset'), { message: /still starting/ })
  t.equal(control.expression, 'off')
  control.logState()
  const applied: string[] = []
  control.applyEverywhere = async expression => applied.push(expression)
  await t.rejects(control.put('nonsense'), { message: /is not a fault/ })
  t.equal(await control.put('reset@1%'), 'reset@1%; seed=1')
  t.equal(control.expression, 'reset@1%; seed=1')
  t.strictSame(applied, ['reset@1%; seed=1'])
  t.match(lines, [/chaos is off/, /chaos is ON: reset@1%; seed=1/])
})
