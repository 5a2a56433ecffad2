import { getEventListeners } from 'node:events'
import { mock } from 'node:test'
import t from 'tap'
import { HsapiClient } from '../../src/client/index.js'
import { ENVELOPE, fakeServer } from '../support/client.js'
import { until } from '../support/until.js'

t.test('a request that is never answered is aborted after the time limit, and not repeated', async t => {
  let requests = 0
  const { url } = await fakeServer(t, () => {
    requests++
  })
  const error = await new HsapiClient({ url, timeoutMs: 300 }).health().catch(error => error)
  t.match(error, { name: 'HsapiError', code: 'timeout', status: 0, message: /within 300 ms/ })
  t.ok(requests <= 1)
})

t.test('the time limit applies to the body as well', async t => {
  const { url } = await fakeServer(t, (_, res) => {
    res.writeHead(200, { 'content-type': 'application/json' })
    res.write('{"success"')
  })
  await t.rejects(new HsapiClient({ url, timeoutMs: 50 }).health(), { code: 'timeout' })
})

t.test("the caller's abort signal ends a call at any stage, with the caller's reason", async t => {
  const reason = new Error('no longer wanted')
  const { url } = await fakeServer(t, () => {})
  const client = new HsapiClient({ url })
  await t.rejects(client.health({ signal: AbortSignal.abort(reason) }), reason, 'the signal is aborted before the call')
  const during = new AbortController()
  const call = client.health({ signal: during.signal })
  setImmediate(() => during.abort(reason))
  await t.rejects(call, reason, 'the signal is aborted while the call waits for an answer')

  const busy = await fakeServer(t, (_, res) => res.writeHead(503, { 'retry-after': '30' }).end())
  const between = new AbortController()
  const waiting = new HsapiClient({ url: busy.url }).health({ signal: between.signal })
  await new Promise<void>(done => {
    const check = () => (busy.connections() > 0 ? done() : setTimeout(check, 5))
    check()
  })
  setTimeout(() => between.abort(reason), 100)
  await t.rejects(waiting, reason, 'the signal is aborted while the call waits to retry')
  const lists = new HsapiClient({ url, key: 'k' })
  const signal = AbortSignal.abort(reason)
  await t.rejects(lists.resolve(['85'], { signal }), reason)
  await t.rejects(lists.tariff('85', 1, { signal }), reason)
  await t.rejects(lists.invoice([{ hs_code: '85', value: 1 }], { signal }), reason)
})

t.test('without the option sleep, the client waits with a timer', async t => {
  let requests = 0
  const { url } = await fakeServer(t, (_, res) => {
    requests++
    if (requests === 1) res.writeHead(503).end()
    else res.end(ENVELOPE)
  })
  const { signal } = new AbortController()
  t.equal((await new HsapiClient({ url }).health({ signal })).status, 'ok')
  t.strictSame(
    getEventListeners(signal, 'abort'),
    [],
    "the caller's signal may be used for many calls, so no listener stays on it",
  )
})

t.test('an aborted wait leaves no timer, and a call that was aborted during its attempt does not wait', async t => {
  const busy = () => new Response('', { status: 503, headers: { 'retry-after': '30' } })
  const started = mock.method(globalThis, 'setTimeout')
  const cleared = mock.method(globalThis, 'clearTimeout')
  t.teardown(() => mock.restoreAll())
  const waits = () => started.mock.calls.filter(({ arguments: [, ms = 0] }) => ms >= 30_000).map(({ result }) => result)
  const reason = new Error('no longer wanted')
  const during = new AbortController()
  const call = new HsapiClient({ url: 'http://127.0.0.1:1', fetch: async () => busy() }).health({ signal: during.signal })
  await until('the client waits', () => waits().length > 0)
  during.abort(reason)
  await t.rejects(call, reason)
  t.ok(cleared.mock.calls.some(({ arguments: [timer] }) => timer === waits()[0]))
  started.mock.resetCalls()
  const before = new AbortController()
  const answerOfAborted = async () => {
    before.abort(reason)
    return busy()
  }
  await t.rejects(
    new HsapiClient({ url: 'http://127.0.0.1:1', fetch: answerOfAborted }).health({ signal: before.signal }),
    reason,
  )
  t.strictSame(waits(), [])
})

t.test('connections are reused, also after refusals', async t => {
  let requests = 0
  const { url, connections } = await fakeServer(t, (_, res) => {
    if (++requests === 2) res.writeHead(503).end('x'.repeat(100_000))
    else res.end(ENVELOPE)
  })
  const client = new HsapiClient({ url, sleep: async () => {} })
  for (let i = 0; i < 20; i++) await client.health()
  t.equal(requests, 21)
  // fetch may open a second connection before the first one is released
  t.ok(connections() <= 2, `${connections()} connections are open, at most 2 expected`)
})

t.test('an invalid option is refused with a message that names it', async t => {
  const url = 'http://127.0.0.1:8080'
  for (const bad of ['127.0.0.1:8080', 'ftp://x', '', 'http://x/?a=1'])
    t.throws(() => new HsapiClient({ url: bad }), { message: /^url is / }, bad)
  t.throws(() => new HsapiClient({ url, timeoutMs: 0 }), { message: /^timeoutMs is 0/ })
  t.throws(() => new HsapiClient({ url, timeoutMs: 2 ** 31 }), { message: /^timeoutMs/ })
  t.throws(() => new HsapiClient({ url, retries: Number.NaN }), { message: /^retries/ })
  t.throws(() => new HsapiClient({ url, batch: 1001 }), { message: /^batch is 1001; .* from 1 to 1000/ })
  t.throws(() => new HsapiClient({ url, concurrency: 0 }), { message: /^concurrency/ })
})

t.test("the server's address may have a path", async t => {
  let requestedPath = ''
  const { url } = await fakeServer(t, (req, res) => {
    requestedPath = req.url ?? ''
    res.end(ENVELOPE)
  })
  await new HsapiClient({ url: `${url}/customs/` }).health()
  t.equal(requestedPath, '/customs/api/v1/health')
})
