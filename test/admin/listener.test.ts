import { request } from 'node:http'
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { AdminListener, type ChaosControl } from '../../src/admin/listener.js'
import { OperatorError } from '../../src/errors.js'

async function open(
  t: Test,
  changes: Partial<{
    host: string
    token: string
    why: string
    isLoaded: boolean
    warnings: string[]
    inUse: string
    chaos: ChaosControl
    searches: (limit: number) => Promise<unknown>
  }> = {},
) {
  let reloads = 0
  const listener = await AdminListener.open(
    {
      metrics: () => 'figures\n',
      notReady: () => changes.why,
      ...(changes.warnings && { warnings: () => changes.warnings ?? [] }),
      ...(changes.inUse !== undefined && { inUse: () => changes.inUse }),
      chaos: changes.chaos,
      searches: changes.searches,
      reload: async () => {
        reloads++
        return { isLoaded: changes.isLoaded ?? true, message: 'as told' }
      },
    },
    { host: changes.host ?? '127.0.0.1', port: 0, token: changes.token },
  )
  t.teardown(() => listener.close())
  const ask = async (path: string, method = 'GET', headers: Record<string, string> = {}, body?: string) => {
    const url = `http://127.0.0.1:${listener.port}${path}`
    const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) })
    return { status: response.status, text: await response.text(), allow: response.headers.get('allow') }
  }
  /** Sends a request with a custom Host header, which fetch does not send, and returns the status. */
  const change = (method: 'POST' | 'PUT', path: string, headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      const { port } = listener
      request({ host: '127.0.0.1', port, path, method, headers, agent: false }, res => {
        res.resume()
        res.on('end', () => resolve(res.statusCode ?? 0))
      })
        .on('error', reject)
        .end('off')
    })
  return { ask, change, port: listener.port, reloads: () => reloads }
}

t.test('the port serves metrics and probes, and refuses unknown paths with 404', async t => {
  const { ask } = await open(t, { why: 'starting' })
  t.match(await ask('/metrics?x=1'), { status: 200, text: 'figures\n' })
  t.match(await ask('/live'), { status: 200, text: 'ok\n' })
  t.match(await ask('/ready'), { status: 503, text: 'starting\n' })
  t.match(await ask('/metrics', 'PUT'), { status: 405, allow: 'GET, HEAD' })
  t.match(await ask('/reload'), { status: 405, allow: 'POST' })
  t.equal((await ask('/')).status, 404)
})

t.test('/ready lists the problems of the server, and names the dataset in use', async t => {
  t.equal((await (await open(t)).ask('/ready')).text, 'ok\n')
  const { ask } = await open(t, { warnings: ['keys: gone', 'redis: away'], inUse: 'snapshot: abc' })
  t.equal((await ask('/ready')).text, 'ok\nkeys: gone\nredis: away\nsnapshot: abc\n')
  t.strictSame(await ask('/ready', 'HEAD'), { status: 200, text: '', allow: null })
  t.equal((await ask('/ready?x=1')).status, 200)
})

t.test('the parameter "limit" sets how many searches are returned, from 1 to 1,000', async t => {
  const asked: number[] = []
  const searches = async (limit: number) => {
    asked.push(limit)
    return []
  }
  const { ask } = await open(t, { searches, token: 'secret' })
  const headers = { authorization: 'Bearer secret' }
  for (const limit of ['1', '1000']) t.equal((await ask(`/searches?limit=${limit}`, 'GET', headers)).status, 200, limit)
  for (const limit of ['0', '1001', 'x', '-1', ''])
    t.equal((await ask(`/searches?limit=${limit}`, 'GET', headers)).status, 400, limit)
  t.equal((await ask('/searches', 'GET', headers)).status, 200)
  t.strictSame(asked.slice(0, 2), [1, 1000])
  t.equal(asked.length, 3)
  const refused = await fetch(`http://127.0.0.1:${(await open(t, { searches, token: 'secret' })).port}/searches`)
  t.strictSame([refused.status, refused.headers.get('www-authenticate')], [401, 'Bearer'])
})

t.test('only authorised callers can reload, and the response reports the result', async t => {
  const own = await open(t)
  t.match(await own.ask('/reload', 'POST'), { status: 200, text: 'as told\n' })
  t.equal((await (await open(t, { isLoaded: false })).ask('/reload', 'POST')).status, 409)
  const guarded = await open(t, { token: 'secret' })
  t.equal((await guarded.ask('/reload', 'POST')).status, 401)
  t.equal((await guarded.ask('/reload', 'POST', { authorization: 'Bearer secre' })).status, 401)
  t.equal(guarded.reloads(), 0)
  t.equal((await guarded.ask('/reload', 'POST', { authorization: 'Bearer secret' })).status, 200)
  const outside = await open(t, { host: '0.0.0.0' })
  t.equal((await outside.ask('/reload', 'POST')).status, 403)
  t.equal(outside.reloads(), 0)
})

t.test('only operators can read the searches', async t => {
  const off = await open(t)
  t.match(await off.ask('/searches'), { status: 404, text: /HSAPI_SEARCHES=on/ })
  const searches = async (limit: number) => ({ limit })
  const own = await open(t, { searches })
  t.match(await own.ask('/searches'), { status: 200, text: '{"limit":100}\n' })
  t.match(await own.ask('/searches?limit=7'), { status: 200, text: '{"limit":7}\n' })
  for (const limit of ['0', '1001', 'x', '-1', '']) t.equal((await own.ask(`/searches?limit=${limit}`)).status, 400, limit)
  t.match(await own.ask('/searches', 'POST'), { status: 405, allow: 'GET, HEAD' })
  t.equal((await own.ask('/searches', 'GET', { 'sec-fetch-site': 'cross-site' })).status, 403)
  const guarded = await open(t, { searches, token: 'secret' })
  t.equal((await guarded.ask('/searches')).status, 401)
  t.equal((await guarded.ask('/searches', 'GET', { authorization: 'Bearer secret' })).status, 200)
  t.equal((await (await open(t, { searches, host: '0.0.0.0' })).ask('/searches')).status, 403)
})

t.test('faults on demand can be shown and changed if the server was started with them', async t => {
  const none = await open(t)
  t.match(await none.ask('/chaos'), { status: 404, text: /start the server with HSAPI_CHAOS/ })
  t.equal((await none.ask('/chaos', 'PUT')).status, 404)
  const chaos = {
    expression: 'off',
    put: async (text: string) => {
      if (text === 'bad') throw new OperatorError('"bad" is not a fault')
      if (text === 'broken') throw new Error('a thread is gone')
      chaos.expression = text
      return text
    },
  }
  const { ask } = await open(t, { chaos })
  t.match(await ask('/chaos'), { status: 200, text: 'off\n' })
  t.match(await ask('/chaos', 'POST'), { status: 405, allow: 'GET, HEAD, PUT' })
  t.match(await ask('/chaos', 'PUT', {}, 'reset'), { status: 200, text: 'reset\n' })
  t.match(await ask('/chaos', 'PUT', {}, 'bad'), { status: 400, text: '"bad" is not a fault\n' })
  t.equal((await ask('/chaos', 'PUT', {}, 'broken')).status, 500)
  t.equal((await ask('/chaos', 'PUT', {}, 'x'.repeat(100_000))).status, 413)
  t.match(await ask('/chaos'), { status: 200, text: 'reset\n' })
  const guarded = await open(t, { chaos, token: 'secret' })
  t.equal((await guarded.ask('/chaos')).status, 200)
  t.equal((await guarded.ask('/chaos', 'PUT', {}, 'off')).status, 401)
  t.equal((await guarded.ask('/chaos', 'PUT', { authorization: 'Bearer secret' }, 'off')).status, 200)
  t.equal((await (await open(t, { chaos, host: '0.0.0.0' })).ask('/chaos', 'PUT', {}, 'reset')).status, 403)
  t.equal(chaos.expression, 'off')
})

t.test('an error of the server is reported, and a port in use is refused', async t => {
  const subject = {
    metrics: () => {
      throw new Error('no figures')
    },
    notReady: () => undefined,
    reload: async () => ({ isLoaded: true, message: '' }),
  }
  const options = { host: '127.0.0.1', port: 0, token: undefined }
  const listener = await AdminListener.open(subject, options)
  t.teardown(() => listener.close())
  const response = await fetch(`http://127.0.0.1:${listener.port}/metrics`)
  t.equal(response.status, 500)
  t.equal(await response.text(), 'no figures\n')
  await t.rejects(AdminListener.open(subject, { ...options, port: listener.port }), /HSAPI_ADMIN_PORT: cannot listen/)
})

const CHAOS: ChaosControl = { expression: 'off', put: async text => text }
const CHANGES = [
  ['POST', '/reload'],
  ['PUT', '/chaos'],
] as const

t.test('a web page of another origin cannot change anything, with or without the token', async t => {
  const token = 'secret'
  for (const options of [{ chaos: CHAOS }, { chaos: CHAOS, token }]) {
    const { change, ask, port, reloads } = await open(t, options)
    const host = `localhost:${port}`
    const auth = 'token' in options ? { authorization: `Bearer ${token}` } : undefined
    for (const page of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: '' },
      { origin: 'http://localhost:1' },
      { origin: `http://127.0.0.1:${port}` },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: `http://localhost:${port}`, 'sec-fetch-site': 'cross-site' },
    ])
      for (const [method, path] of CHANGES)
        t.equal(await change(method, path, { host, ...auth, ...page }), 403, JSON.stringify(page))
    t.equal(reloads(), 0)
    const own = { origin: `http://localhost:${port}`, 'sec-fetch-site': 'same-origin' }
    for (const [method, path] of CHANGES)
      t.equal(await change(method, path, { host, ...auth, ...own }), 200, "the server's own page may change things")
    t.equal((await ask('/metrics', 'GET', { origin: 'https://evil.example' })).status, 200)
  }
})

t.test('without the token, a request with a foreign Host name changes nothing', async t => {
  const { change, port, reloads } = await open(t, { chaos: CHAOS })
  for (const host of ['evil.example', `evil.example:${port}`, 'localhost.evil.example', '127.0.0.1.nip.io'])
    for (const [method, path] of CHANGES) {
      t.equal(await change(method, path, { host }), 403, host)
      t.equal(await change(method, path, { host, origin: `http://${host}` }), 403, `a page at ${host} is refused`)
    }
  t.equal(reloads(), 0)
  for (const host of ['localhost', `LocalHost:${port}`, '127.0.0.1', `[::1]:${port}`, '10.1.2.3:9464', '[2001:db8::1]:9464'])
    for (const [method, path] of CHANGES) t.equal(await change(method, path, { host }), 200, host)
  const guarded = await open(t, { chaos: CHAOS, token: 'secret' })
  for (const host of ['hsapi-admin.shop.svc:9464', 'hsapi-1:9464'])
    for (const [method, path] of CHANGES) {
      t.equal(await guarded.change(method, path, { host, authorization: 'Bearer secret' }), 200, host)
      t.equal(await guarded.change(method, path, { host }), 401, host)
    }
})

t.test('closing the port does not wait for an unfinished request', async t => {
  const listener = await AdminListener.open(
    { metrics: () => '', notReady: () => undefined, reload: async () => ({ isLoaded: true, message: '' }) },
    { host: '127.0.0.1', port: 0, token: undefined },
  )
  const socket = connect(listener.port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.on('error', () => {})
  const ended = new Promise(done => socket.on('close', done))
  await new Promise(done => socket.write('GET /metrics HTTP/1.1\r\n', done))
  // an answer to a later request shows that the server has read the earlier bytes
  await (await fetch(`http://127.0.0.1:${listener.port}/live`)).text()
  await listener.close()
  await ended
})
