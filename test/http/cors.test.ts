import { request } from 'node:http'
import t, { type Test } from 'tap'
import { openEngine } from '../../src/engines/engines.js'
import { Gate } from '../../src/gate/gate.js'
import { Server } from '../../src/http/server.js'
import { readConfig } from '../../src/settings/config.js'
import { Connection } from '../support/raw.js'
import { ENGINES, fixtureCatalog, MovableClock, makeKey, UNREAD_BYTES_MAX } from '../support/service.js'

const PAGE = 'https://www.example.com'
const OTHER = 'https://shop.example.org'

/** Plain requests, because `fetch` does not allow setting Origin. */
async function start(t: Test, engine: (typeof ENGINES)[number], origins: string[]) {
  const key = makeKey('free')
  const gate = new Gate()
  gate.setKey(key.record)
  const server = new Server({
    engine: openEngine(engine, UNREAD_BYTES_MAX),
    gate,
    clock: new MovableClock(),
    onFault: error => t.fail(String(error)),
    origins,
  })
  const port = await server.listen('127.0.0.1', 0)
  server.serve(await fixtureCatalog())
  t.teardown(() => server.close())
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<{ status: number; headers: Record<string, string | string[] | undefined>; body: string }>(done => {
      request({ port, path, method, agent: false, headers: { 'x-api-key': key.key, ...headers } }, res => {
        let body = ''
        res.on('data', piece => {
          body += piece
        })
        res.on('end', () => done({ status: res.statusCode ?? 0, headers: res.headers, body }))
      }).end()
    })
  return { ask, port, key: key.key }
}

for (const engine of ENGINES) {
  t.test(`pages of listed origins may read responses; other pages may not (${engine})`, async t => {
    const { ask } = await start(t, engine, [PAGE, OTHER])
    for (const [path, status] of [
      ['/api/v1/hs-codes/85', 200],
      ['/api/v1/hs-codes/77', 404],
      ['/api/v1/health', 200],
      ['/nowhere', 404],
    ] as const)
      for (const origin of [PAGE, OTHER, PAGE]) {
        const answer = await ask(path, { origin })
        t.equal(answer.status, status)
        t.equal(answer.headers['access-control-allow-origin'], origin, path)
        t.match(answer.headers['access-control-expose-headers'], /X-RateLimit-Remaining-Day.*Retry-After, ETag/)
        t.equal(answer.headers.vary, 'Origin')
      }
    for (const headers of [{}, { origin: 'https://evil.example' }, { origin: 'null' }] as const) {
      const answer = await ask('/api/v1/hs-codes/85', headers)
      t.equal(answer.status, 200)
      t.equal(answer.headers['access-control-allow-origin'], undefined)
      t.equal(answer.headers.vary, 'Origin')
    }
    t.equal((await ask('/api/v1/hs-codes/85', { origin: PAGE, 'if-none-match': '*' })).status, 304)
  })

  t.test(`a preflight is answered without a key and is not counted (${engine})`, async t => {
    const { ask } = await start(t, engine, [PAGE])
    const asked = { origin: PAGE, 'access-control-request-method': 'POST', 'x-api-key': '' }
    const { status, headers, body } = await ask('/api/v1/resolve', asked, 'OPTIONS')
    t.equal(status, 204)
    t.equal(body, '')
    t.equal(headers['access-control-allow-origin'], PAGE)
    t.equal(headers['access-control-allow-methods'], 'GET, HEAD, POST')
    t.match(headers['access-control-allow-headers'], /X-Api-Key.*Content-Type/)
    t.equal(headers['access-control-max-age'], '86400')
    t.equal((await ask('/nowhere', asked, 'OPTIONS')).status, 404)
    const next = await ask('/api/v1/hs-codes/85', { origin: PAGE })
    t.equal(next.headers['x-ratelimit-remaining-minute'], '29')
  })

  t.test(`a delayed response names the origin of its own request (${engine})`, async t => {
    const { ask, port, key } = await start(t, engine, [PAGE, OTHER])
    for (const [origin, later] of [
      [PAGE, { origin: OTHER }],
      [OTHER, { origin: PAGE }],
      [PAGE, {}],
      ['https://evil.example', { origin: PAGE }],
    ] as const) {
      const connection = await Connection.open(port)
      connection.send(
        `POST /api/v1/resolve HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nOrigin: ${origin}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 16\r\n\r\n{"codes"',
      )
      const other = await ask('/api/v1/hs-codes/85', later)
      t.equal(other.headers['access-control-allow-origin'], 'origin' in later ? later.origin : undefined)
      connection.send(':["85"]}')
      await connection.until(/"status":"found"/)
      const allowed = /^access-control-allow-origin: (.*)$/im.exec(connection.text.replaceAll('\r', ''))?.[1]
      t.equal(allowed, origin === 'https://evil.example' ? undefined : origin)
      connection.socket.destroy()
    }
  })

  t.test(`a star allows all origins, and without the setting no header is sent (${engine})`, async t => {
    const all = await (await start(t, engine, ['*'])).ask('/api/v1/hs-codes/85', { origin: PAGE })
    t.equal(all.headers['access-control-allow-origin'], '*')
    t.equal(all.headers.vary, undefined)
    const { ask } = await start(t, engine, [])
    const none = await ask('/api/v1/hs-codes/85', { origin: PAGE })
    t.notOk(Object.keys(none.headers).some(name => name.startsWith('access-control')))
    t.equal(none.headers['x-content-type-options'], 'nosniff')
    t.equal((await ask('/api/v1/hs-codes/85', { origin: PAGE }, 'OPTIONS')).status, 405)
  })
}

t.test('origins are checked at start', async t => {
  t.strictSame(readConfig({ HSAPI_CORS_ORIGINS: `${PAGE}, ${OTHER}` }).corsOrigins, [PAGE, OTHER])
  for (const value of ['', 'www.example.com', `${PAGE}/`, `${PAGE}/path`, 'https://a.example,,'])
    t.throws(() => readConfig({ HSAPI_CORS_ORIGINS: value }), /HSAPI_CORS_ORIGINS has/)
})
