import fc from 'fast-check'
import { OPENAPI } from '../../src/contract/openapi.js'
import { ROUTES } from '../../src/http/api-routes.js'
import { raw } from '../support/raw.js'
import { openService, testOnEngines } from '../support/service.js'

testOnEngines('unknown paths are route_not_found, with or without a key', async t => {
  const { get, auth } = await openService(t)
  for (const path of [
    '/',
    '/api/v1',
    '/api/v1/',
    '/api/v1/health/',
    '/api/v1/hs-codes',
    '/api/v1/hs-codes/',
    '/api/v1/hs-codes/85/',
    '/api/v1/hs-codes/85/parents',
    '/api/v2/health',
    '/%',
  ]) {
    for (const headers of [auth, undefined]) {
      const { status, body } = await get(path, headers)
      t.equal(status, 404, path)
      t.equal(body.error.code, 'route_not_found')
    }
  }
  t.equal((await get('/nowhere', {}, 'POST')).status, 404)
})

testOnEngines('other methods on a known path are 405 with the allowed methods, before the key is checked', async t => {
  const { get } = await openService(t)
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    for (const path of ['/api/v1/health', '/api/v1/hs-codes/85', '/api/v1/suggest', '/openapi.json']) {
      const { status, body, headers } = await get(path, {}, method)
      t.equal(status, 405, `${method} ${path}`)
      t.equal(body.error.code, 'method_not_allowed')
      t.equal(headers.get('allow'), 'GET, HEAD')
    }
  }
})

testOnEngines('HEAD is answered like GET, without the body', async t => {
  const { get, auth: key } = await openService(t)
  // without compression, which may start between two requests (see test/http/compression.test.ts)
  const auth = { ...key, 'accept-encoding': 'identity' }
  for (const path of [
    '/api/v1/health',
    '/api/v1/hs-codes/85',
    '/api/v1/hs-codes/99',
    '/api/v1/search?q=card',
    '/api/v1/suggest?q=card',
    '/api/v1/hs-codes/8523/lines',
    '/api/v1/resolve?codes=8523.21',
    '/api/v1/classify?text=cards',
    '/api/v1/editions/2017/852380',
    '/api/v1/chapters',
    '/api/v1/dataset',
    '/openapi.json',
    '/no',
  ]) {
    const plain = await get(path, auth)
    const head = await get(path, auth, 'HEAD')
    t.equal(head.status, plain.status, path)
    t.equal(head.text, '')
    t.equal(head.headers.get('content-length'), plain.headers.get('content-length'), path)
    t.equal(head.headers.get('content-type'), 'application/json')
  }
})

testOnEngines('the contract documents every route, and no other', async t => {
  const { get } = await openService(t)
  const { body } = await get('/openapi.json')
  t.strictSame(body, JSON.parse(JSON.stringify(OPENAPI)))
  t.equal(body.openapi, '3.1.0')
  t.strictSame(Object.keys(body.paths).sort(), [...new Set(ROUTES.map(route => route.path.replaceAll(/:(\w+)/g, '{$1}')))].sort())
})

testOnEngines('malformed requests do not end the server', async t => {
  const { get, port, faults } = await openService(t)
  for (const bytes of [
    'GET',
    'GET / HTTP/9.9\r\n\r\n',
    'nonsense\r\n\r\n',
    'GET /api/v1/health HTTP/1.1\r\n\r\n',
    `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    `GET /api/v1/health HTTP/1.1\r\nHost: x\r\n${'X-A: b\r\n'.repeat(300)}\r\n`,
    'POST /api/v1/health HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\nabc',
    'GET /api/v1/search?q=a b HTTP/1.1\r\nHost: x\r\n\r\n',
    Buffer.from([0, 255, 13, 10, 13, 10]),
  ]) {
    await raw(port, bytes)
    t.equal((await get('/api/v1/health')).status, 200)
  }
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 60, size: 'max' }), async noise => {
      await raw(
        port,
        Buffer.concat([
          Buffer.from('GET /api/v1/search?q='),
          noise,
          Buffer.from(' HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
        ]),
      )
      return true
    }),
    { numRuns: 40 },
  )
  t.equal((await get('/api/v1/health')).status, 200)
  t.strictSame(faults, [])
})

testOnEngines('many requests on one connection are answered in order', async t => {
  const { port, auth } = await openService(t)
  const codes = ['85', '01', '8523', '99', '852321']
  const requests = codes.map(
    (code, i) =>
      `GET /api/v1/hs-codes/${code} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${auth['x-api-key']}\r\n` +
      `${i === codes.length - 1 ? 'Connection: close\r\n' : ''}\r\n`,
  )
  const text = await raw(port, requests.join(''))
  const answered = [...text.matchAll(/"hs_code":"(\d+)"|HS code (\d+) is not/g)].map(m => m[1] ?? m[2])
  t.strictSame(answered, codes)
})
