import { Connection } from '../support/raw.js'
import { fixtureCatalog, makeKey, startService, testOnEngines } from '../support/service.js'

const MADE = /^[0-9a-f]{16}$/

testOnEngines('a request id is returned as sent, or created; there is none if the setting is off', async t => {
  const key = makeKey('pro')
  const catalog = await fixtureCatalog()
  const auth = { 'x-api-key': key.key }
  const on = await startService(t, [key], catalog, undefined, { withRequestIds: true, origins: ['*'] })
  const idOf = async (path: string, sent?: string, method = 'GET') => {
    const headers = { ...auth, ...(sent !== undefined && { 'x-request-id': sent }) }
    return (await on.get(path, headers, method)).headers.get('x-request-id')
  }
  for (const path of ['/api/v1/hs-codes/85', '/api/v1/search?q=cards', '/api/v1/health', '/nowhere', '/api/v1/hs-codes/77']) {
    t.equal(await idOf(path, 'order-17.a_B'), 'order-17.a_B', path)
    t.match(await idOf(path), MADE, path)
  }
  t.equal(await idOf('/api/v1/hs-codes/85', 'x'.repeat(64), 'HEAD'), 'x'.repeat(64))
  for (const bad of ['x'.repeat(65), 'a b', 'a"b', '<script>', 'a;b']) t.match(await idOf('/api/v1/hs-codes/85', bad), MADE, bad)
  for (const secret of [key.key, key.key.slice(0, 20), `a-${key.key}`.slice(0, 64), key.key.toUpperCase()])
    t.match(await idOf('/api/v1/hs-codes/85', secret), MADE, 'a key is not returned')
  t.not(await idOf('/api/v1/health'), await idOf('/api/v1/health'))
  const posted = await on.post('/api/v1/resolve', { codes: ['85'] }, { ...auth, 'x-request-id': 'posted' })
  t.equal(posted.headers.get('x-request-id'), 'posted', 'the id is also sent after a body was read')
  t.match(posted.headers.get('access-control-expose-headers'), /, X-Request-Id$/)
  const off = await startService(t, [key], catalog, undefined, { origins: ['*'] })
  const { headers } = await off.get('/api/v1/hs-codes/85', { ...auth, 'x-request-id': 'a' })
  t.equal(headers.get('x-request-id'), null)
  t.notMatch(headers.get('access-control-expose-headers'), 'X-Request-Id')
})

testOnEngines('a 500 names the same id in its header, its body and the log', async t => {
  const key = makeKey('pro')
  const routes = [
    {
      kind: 'keyed' as const,
      path: '/api/v1/search',
      prepare: () => ({
        handle: () => {
          throw new Error('a simulated bug')
        },
      }),
    },
  ]
  const { get, ids } = await startService(t, [key], await fixtureCatalog(), routes, { withRequestIds: true })
  const { headers, body } = await get('/api/v1/search?q=aa', { 'x-api-key': key.key, 'x-request-id': 'mine' })
  t.equal(headers.get('x-request-id'), 'mine')
  t.equal(body.error.details.request_id, 'mine')
  t.strictSame(ids, ['mine'])
})

testOnEngines('a request whose body arrives slowly keeps its id, whatever is answered meanwhile', async t => {
  const key = makeKey('pro')
  const { port, get } = await startService(t, [key], await fixtureCatalog(), undefined, { withRequestIds: true })
  const auth = { 'x-api-key': key.key }
  const body = '{"codes":["85"]}'
  const slow = await Connection.open(port)
  t.teardown(() => slow.socket.destroy())
  const lines = ['POST /api/v1/resolve HTTP/1.1', 'Host: a', `X-Api-Key: ${key.key}`, 'X-Request-Id: slow']
  slow.send(`${[...lines, 'Content-Type: application/json', `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n{`)
  const headers = { ...auth, 'x-request-id': 'quick' }
  t.equal((await get('/api/v1/hs-codes/85', headers)).headers.get('x-request-id'), 'quick')
  slow.send(body.slice(1))
  await slow.until(/"meta"/)
  t.match(slow.text, /x-request-id: slow\r\n/i)
})
