/** The key of the pages is for visitors on the machine of the server without a proxy or, on a public site, for its own pages. */
import { type IncomingHttpHeaders, request } from 'node:http'
import tap, { type Test } from 'tap'
import type { HttpRequest, HttpResponse } from '../../src/engines/engine.js'
import { GUEST_LIMITS, Guests } from '../../src/gate/guests.js'
import { ROUTES } from '../../src/http/api-routes.js'
import { ClientAddresses } from '../../src/http/client-address.js'
import type { ServerOptions } from '../../src/http/server.js'
import { type PublicSite, Visitors } from '../../src/http/visitors.js'
import { newKey } from '../../src/keys/key.js'
import { packageRoot } from '../../src/package-root.js'
import type { Access } from '../../src/responses/observer.js'
import { pageRoutes } from '../../src/web/server/routes.js'
import { readSite } from '../../src/web/server/site.js'
import { getPage } from '../support/get-page.js'
import { Connection, raw } from '../support/raw.js'
import { fixtureCatalog, makeKey, type Service, startService, testOnEngines } from '../support/service.js'

const PATH = '/api/v1/hs-codes/85'
const site = await readSite(`${packageRoot()}/dist/web`, false)
const catalog = await fixtureCatalog()

interface Seen {
  status: number
  headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: JSON of several shapes
  body: any
}

type Sent = Record<string, string | string[]>

/** A request without any of these headers gets `Sec-Fetch-Site: same-origin`, as from a page; `x-program` prevents this. */
const PAGE_HEADERS = ['referer', 'origin', 'sec-fetch-site', 'x-program']

interface Opened extends Service {
  key: string
  /** Sends a request with these headers; by default with the server's own Host and from a page of the server. */
  send(path: string, headers?: Sent, method?: string, body?: string): Promise<Seen>
}

async function open(t: Test, more: Partial<ServerOptions> = {}, publicSite?: PublicSite): Promise<Opened> {
  const visitors = new Visitors(new Guests(newKey('page')), publicSite)
  const routes = [...ROUTES, ...pageRoutes(site, visitors)]
  const service = await startService(t, [makeKey('free')], catalog, routes, { visitors, ...more })
  const send = (path: string, headers: Sent = {}, method = 'GET', body = '') =>
    new Promise<Seen>((resolve, reject) => {
      const { port } = service
      const all = PAGE_HEADERS.some(name => name in headers) ? headers : { 'sec-fetch-site': 'same-origin', ...headers }
      const req = request({ host: '127.0.0.1', port, path, method, headers: all, agent: false }, res => {
        let text = ''
        res.on('data', piece => {
          text += piece
        })
        res.on('end', () =>
          resolve({
            status: res.statusCode ?? 0,
            headers: res.headers,
            body: text.startsWith('{') ? JSON.parse(text) : undefined,
          }),
        )
      })
      req.on('error', reject)
      req.end(body)
    })
  return { ...service, key: visitors.guests.key, send }
}

/** PORT is replaced by the server's port. */
const ALLOWED: Sent[] = [
  {},
  { host: 'localhost:PORT' },
  { host: 'LocalHost' },
  { host: 'localhost:9000' },
  { host: '127.0.0.1' },
  { host: '127.9.8.7:80' },
  { host: '[::1]:PORT' },
  { host: 'hs.localhost:PORT' },
  { host: 'localhost:PORT', referer: 'http://localhost:PORT/?q=tea' },
  { host: 'LOCALHOST:PORT', referer: 'http://localhost:PORT/' },
  { host: 'localhost:PORT', origin: 'http://localhost:PORT' },
  { host: '[::1]:PORT', referer: 'http://[::1]:PORT/code/85', origin: 'http://[::1]:PORT' },
  { host: 'localhost', referer: 'https://localhost/', 'sec-fetch-site': 'same-origin' },
  { host: 'localhost:80', referer: 'http://localhost/' },
]

const REFUSED: Sent[] = [
  // a foreign name that resolves to this machine
  { host: 'evil.example' },
  { host: 'evil.example:PORT' },
  { host: 'localhost.evil.example' },
  { host: '127.0.0.1.nip.io' },
  { host: 'notlocalhost' },
  { host: 'localhost.' },
  { host: '0.0.0.0:PORT' },
  { host: '[::]:PORT' },
  { host: '10.0.0.1' },
  { host: 'evil.example@localhost' },
  { host: 'localhost/evil' },
  { host: 'localhost#' },
  // a proxy that identifies itself
  { forwarded: 'for=192.0.2.1' },
  { via: '1.1 proxy' },
  { 'x-forwarded-for': '127.0.0.1' },
  { 'x-forwarded-for': '' },
  { 'x-forwarded-host': 'localhost' },
  { 'x-forwarded-proto': 'https' },
  { 'X-Forwarded-Prefix': '/hs' },
  { 'x-real-ip': '127.0.0.1' },
  { 'x-envoy-external-address': '192.0.2.1' },
  ...[
    'CF-Connecting-IP',
    'CF-Ray',
    'CDN-Loop',
    'Client-IP',
    'Fastly-Client-IP',
    'Fly-Client-IP',
    'Proxy-Connection',
    'Tailscale-User-Login',
    'True-Client-IP',
    'WL-Proxy-Client-IP',
    'X-Amzn-Trace-Id',
    'X-Appengine-User-IP',
    'X-ARR-SSL',
    'X-Azure-ClientIP',
    'X-Client-IP',
    'X-Cluster-Client-IP',
    'X-Forward-For',
    'X-Forwarded',
    'X-Host',
    'X-HTTP-Host-Override',
    'X-Original-Forwarded-For',
    'X-Original-Host',
    'X-Original-URL',
    'X-Originating-IP',
    'X-ProxyUser-Ip',
    'X-Real-IP',
    'X-Remote-Addr',
    'X-Rewrite-URL',
    'X-Vercel-Id',
  ].map(name => ({ [name]: '127.0.0.1' })),
  // a proxy that sets Host to its own name for the server and passes on the origin of the page
  { referer: 'https://public.example/' },
  { host: 'localhost:PORT', referer: 'https://public.example/', 'sec-fetch-site': 'same-origin' },
  { host: 'localhost:PORT', origin: 'https://public.example' },
  { host: 'localhost:PORT', referer: 'http://localhost/' },
  { host: 'localhost:PORT', referer: 'http://127.0.0.1:PORT/' },
  // a program, perhaps a proxy that adds no headers
  { 'x-program': '1' },
  { host: 'localhost:PORT', 'x-program': '1' },
  { referer: 'nonsense' },
  { referer: '' },
  // other pages
  { origin: 'null' },
  { host: 'localhost:PORT', origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': ['same-origin', 'cross-site'] },
  // not from a page: an address that was typed or bookmarked
  { 'sec-fetch-site': 'none' },
  { 'sec-fetch-site': 'none', referer: 'http://127.0.0.1:PORT/' },
  { host: 'localhost:PORT', referer: ['http://localhost:PORT/', 'https://public.example/'] },
]

const filled = (sent: Sent, port: number): Sent => JSON.parse(JSON.stringify(sent).replaceAll('PORT', String(port)))

testOnEngines('a page of the server on the same machine gets the key, and the key is valid', async t => {
  const { send, key, port } = await open(t)
  for (const sent of ALLOWED) {
    const headers = filled(sent, port)
    const what = JSON.stringify(headers)
    t.strictSame((await send('/explorer.json', headers)).body, { mode: 'open', key }, what)
    t.equal((await send(PATH, { ...headers, 'x-api-key': key })).status, 200, what)
  }
  t.equal((await send(PATH, { authorization: `Bearer ${key}` })).status, 200, 'the key is accepted in any header for keys')
  t.equal((await send(PATH, { 'x-marketplace-key': key })).status, 200)
})

testOnEngines('all other callers need their own key, and the key of the pages is refused', async t => {
  const { send, key, port } = await open(t)
  for (const sent of REFUSED) {
    const headers = filled(sent, port)
    const what = JSON.stringify(headers)
    const answer = await send('/explorer.json', headers)
    // node:http refuses some of these by itself
    if (answer.status === 400) continue
    t.strictSame(answer.body, { mode: 'key' }, what)
    const get = await send(PATH, { ...headers, 'x-api-key': key })
    t.match([get.status, get.body.error.code], [401, 'invalid_api_key'], what)
    const json = { ...headers, 'x-api-key': key, 'content-type': 'application/json' }
    t.equal((await send('/api/v1/resolve', json, 'POST', '{"codes":["85"]}')).status, 401, what)
    const health = await send('/api/v1/health', { ...headers, 'x-api-key': key })
    t.match([health.status, health.headers['x-ratelimit-limit-minute']], [200, '30'], what)
    t.equal((await send(PATH, { ...headers, 'x-api-key': key }, 'HEAD')).status, 401, what)
  }
})

tap.test('a visitor from another machine gets no key, whatever its headers say', async t => {
  const visitors = new Visitors(new Guests(newKey('page')))
  const headers = [
    ['host', 'localhost:8080'],
    ['origin', 'http://localhost:8080'],
    ['sec-fetch-site', 'same-origin'],
  ]
  const req = {
    forEach: (take: (...line: string[]) => void) => {
      for (const line of headers) take(...line)
    },
  }
  const addressFrom = (...bytes: number[]) => {
    const res = { getRemoteAddress: () => Uint8Array.from(bytes).buffer }
    return visitors.addressOf(req as unknown as HttpRequest, res as unknown as HttpResponse)
  }
  const wrap = (...bytes: number[]) => [...Array(10).fill(0), 255, 255, ...bytes]
  t.not(addressFrom(127, 0, 0, 1), '')
  t.not(addressFrom(...wrap(127, 0, 0, 1)), '')
  t.not(addressFrom(...Array(15).fill(0), 1), '', '::1')
  t.equal(addressFrom(192, 168, 1, 20), '')
  t.equal(addressFrom(...wrap(192, 168, 1, 20)), '')
  t.equal(addressFrom(...Array(15).fill(0), 2), '')
  t.equal(addressFrom(), '', 'a visitor through a Unix socket gets no key either')
})

testOnEngines('a request whose Host is empty, missing or sent twice gets no key', async t => {
  const { port } = await open(t)
  const get = (...lines: string[]) =>
    raw(
      port,
      `GET /explorer.json HTTP/1.1\r\n${[...lines, 'Sec-Fetch-Site: same-origin', 'Connection: close'].join('\r\n')}\r\n\r\n`,
    )
  t.match(await get('Host: localhost'), /hs_page/)
  for (const lines of [
    ['Host:'],
    ['X-Host: localhost'],
    ['Host: localhost', 'Host: evil.example'],
    ['Host: localhost', 'Host: localhost'],
  ])
    t.notMatch(await get(...lines), /hs_page/, lines.join())
})

testOnEngines('a visitor is counted by address, and sees the limits like any caller', async t => {
  const { send, key, clock } = await open(t)
  const auth = { 'x-api-key': key }
  const figures = ({ headers }: Seen) =>
    ['limit-minute', 'remaining-minute', 'limit-day', 'remaining-day'].map(name => Number(headers[`x-ratelimit-${name}`]))
  const { perMinute, perDay } = GUEST_LIMITS
  t.strictSame(figures(await send(PATH, auth)), [perMinute, perMinute - 1, perDay, perDay - 1])
  t.strictSame(figures(await send(PATH, auth, 'HEAD')), [perMinute, perMinute - 2, perDay, perDay - 2])
  t.strictSame(figures(await send('/api/v1/health', auth)), [perMinute, perMinute - 2, perDay, perDay - 2])
  t.equal((await send('/api/v1/hs-codes/99', auth)).status, 404, 'a refused lookup counts as well')
  const codes = Array.from({ length: 97 }, () => '85')
  const json = { ...auth, 'content-type': 'application/json' }
  const post = (list: string[]) => send('/api/v1/resolve', json, 'POST', JSON.stringify({ codes: list }))
  const resolved = await post(codes)
  t.equal(resolved.body.data.length, 97)
  t.strictSame(figures(resolved), [perMinute, perMinute - 100, perDay, perDay - 100], 'each code counts as a request')
  t.equal((await send('/api/v1/resolve?codes=85,84', auth)).headers['x-ratelimit-remaining-minute'], '498')
  const never = await post(Array.from({ length: 601 }, () => '85'))
  t.match(never.body.error.message, /counts as 601 requests, more than/)
  t.equal((await post(Array.from({ length: 499 }, () => '85'))).status, 429)
  t.equal((await post(Array.from({ length: 496 }, () => '85'))).status, 200, 'all remaining requests can be used')
  clock.forward(15_000)
  const over = await send(PATH, auth)
  t.match([over.status, over.body.error.code], [429, 'rate_limit_exceeded'])
  t.equal(over.headers['retry-after'], '45')
  t.strictSame(figures(over), [perMinute, 0, perDay, perDay - 600])
  t.equal((await send('/api/v1/resolve', json, 'POST', '{')).status, 429, 'the request is refused before its body is read')
  clock.forward(45_000)
  t.equal((await send('/api/v1/resolve', json, 'POST', '{')).status, 400)
  t.equal((await send(PATH, auth)).headers['x-ratelimit-remaining-minute'], '598')
})

testOnEngines('a visitor who already has an answer gets 304', async t => {
  const { send, key } = await open(t)
  const auth = { 'x-api-key': key }
  const { headers } = await send(PATH, auth)
  t.equal((await send(PATH, { ...auth, 'if-none-match': headers.etag as string })).status, 304)
})

testOnEngines('a server without visitors refuses the key of the pages, and every server refuses the keys of others', async t => {
  const { send } = await open(t)
  t.equal((await send(PATH, { 'x-api-key': newKey('page') })).status, 401)
  t.equal((await send(PATH)).body.error.code, 'missing_api_key')
  const closed = await open(t, { visitors: undefined })
  t.equal((await closed.send(PATH, { 'x-api-key': closed.key })).status, 401)
})

testOnEngines('the access log has the same name for all visitors', async t => {
  const logged: Access[] = []
  const { send, key } = await open(t, { access: entry => logged.push(entry) })
  await send(PATH, { 'x-api-key': key })
  await send('/?q=tea')
  await send(PATH, { 'x-api-key': key, via: 'x' })
  t.match(logged, [
    { route: '/api/v1/hs-codes/{code}', keyId: 'explorer', status: 200 },
    { route: '/', keyId: '', status: 200, target: '/?q=tea' },
    { keyId: '', status: 401 },
  ])
})

testOnEngines('pages of other origins that may read answers get no key', async t => {
  const origin = 'https://www.example.com'
  const { send } = await open(t, { origins: ['*'] })
  const { body, headers } = await send('/explorer.json', { origin })
  t.strictSame(body, { mode: 'key' })
  t.equal(headers['access-control-allow-origin'], '*')
})

const TRUSTED = [{ address: '127.0.0.0', bits: 8 }]
const publicSite = (url = '', proxies = TRUSTED): PublicSite => ({ url, clients: new ClientAddresses(proxies) })

testOnEngines('a public site gives its key to its own pages, behind any proxy, and to no page under another name', async t => {
  const { send, key, port } = await open(t, {}, publicSite('https://hs.example.com'))
  for (const sent of [
    {},
    { host: 'hs.example.com' },
    { host: 'hs.example.com', referer: 'https://hs.example.com/code/85' },
    { host: 'HS.Example.com', origin: 'https://hs.example.com' },
    { host: 'hs.example.com.', referer: 'https://hs.example.com./' },
    { host: 'hs.example.com:443', referer: 'https://hs.example.com/' },
    { host: 'hs.example.com:8443', origin: 'https://hs.example.com:8443', 'x-forwarded-for': '198.51.100.7' },
    { host: 'localhost:8080', referer: 'http://localhost:8080/' },
    { host: '[2001:db8::1]:8080', origin: 'http://[2001:db8::1]:8080' },
    { host: '10.0.0.1', 'sec-fetch-site': 'same-origin', via: '1.1 proxy', 'cf-ray': 'x' },
    // the proxy sets Host to its own name for the server
    { host: 'upstream:8080', referer: 'https://hs.example.com/', 'x-forwarded-for': '198.51.100.7' },
  ] as Sent[]) {
    const what = JSON.stringify(sent)
    t.strictSame((await send('/explorer.json', sent)).body, { mode: 'open', key }, what)
    t.equal((await send(PATH, { ...sent, 'x-api-key': key })).status, 200, what)
  }
  for (const sent of [
    { host: 'evil.example@hs.example.com' },
    // a name that its owner points at this server
    { host: 'evil.example', origin: 'http://evil.example' },
    { host: 'evil.example', referer: 'http://evil.example/' },
    { host: 'evil.example', 'sec-fetch-site': 'same-origin' },
    { host: 'evil.example:8443', origin: 'https://evil.example:8443', 'sec-fetch-site': 'same-origin' },
    { host: 'hs.example.com.evil.example', referer: 'http://hs.example.com.evil.example/' },
    { host: 'localhost.evil.example', referer: 'http://localhost.evil.example/' },
    { host: '127.0.0.1.evil.example', referer: 'http://127.0.0.1.evil.example/' },
    { host: 'evil.example', referer: ['http://evil.example/', 'https://hs.example.com/'] },
    { host: 'hs.example.com', referer: 'https://evil.example/' },
    { host: 'hs.example.com', origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    { host: 'hs.example.com', 'sec-fetch-site': 'cross-site' },
    { host: 'hs.example.com', 'sec-fetch-site': 'same-site' },
    { host: 'hs.example.com', 'sec-fetch-site': 'none' },
    { host: 'hs.example.com', 'x-program': '1' },
    { host: 'hs.example.com', origin: 'null' },
    { host: 'upstream:8080', referer: 'https://hs.example.com.evil.example/' },
    { referer: `http://localhost:${port}/` },
  ] as Sent[]) {
    const what = JSON.stringify(sent)
    const answer = await send('/explorer.json', sent)
    if (answer.status === 400) continue
    t.strictSame(answer.body, { mode: 'key' }, what)
    t.equal((await send(PATH, { ...sent, 'x-api-key': key })).status, 401, what)
  }
})

testOnEngines('a public site whose address is not known gives its key to its own pages under any name', async t => {
  const { send, key } = await open(t, {}, publicSite())
  for (const sent of [
    { host: 'other.example:8443', origin: 'https://other.example:8443', 'x-forwarded-for': '198.51.100.7' },
    { host: 'other.example', 'sec-fetch-site': 'same-origin' },
  ] as Sent[]) {
    t.strictSame((await send('/explorer.json', sent)).body, { mode: 'open', key })
    t.equal((await send(PATH, { ...sent, 'x-api-key': key })).status, 200)
  }
  const strange = { host: 'other.example', origin: 'https://evil.example' }
  t.strictSame((await send('/explorer.json', strange)).body, { mode: 'key' })
})

testOnEngines('unfinished bodies of one visitor to a public site do not use up the limit of another', async t => {
  const { port, key } = await open(t, { bodyBounds: { keyBytesMax: 1_500 } }, publicSite())
  const begin = async (address: string) => {
    const connection = await Connection.open(port)
    t.teardown(() => connection.socket.destroy())
    const headLines = `Host: localhost\r\nSec-Fetch-Site: same-origin\r\nX-Forwarded-For: ${address}\r\nX-Api-Key: ${key}\r\n`
    const kind = 'Content-Type: application/json\r\nContent-Length: 1200\r\n'
    connection.send(`POST /api/v1/resolve HTTP/1.1\r\n${headLines}${kind}\r\n{`)
    return connection
  }
  const refused = async () => (await begin('198.51.100.7')).until(/"busy"/)
  const first = await begin('198.51.100.7')
  await refused()
  const other = await begin('198.51.100.8')
  await refused()
  for (const connection of [first, other]) {
    t.equal(connection.text, '')
    connection.send('"codes":["85"]}'.padEnd(1_199))
    await connection.until(/"hs_code":"85"/)
  }
})

testOnEngines('visitors of a public site are counted by the address that a trusted proxy saw', async t => {
  const { send, key } = await open(t, {}, publicSite())
  const left = async (forwarded?: string) => {
    const hops = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
    const { headers } = await send(PATH, { ...hops, 'x-api-key': key })
    return GUEST_LIMITS.perMinute - Number(headers['x-ratelimit-remaining-minute'])
  }
  t.equal(await left('198.51.100.7'), 1)
  t.equal(await left('203.0.113.9, 198.51.100.7'), 2, "the client's own header does not count")
  t.equal(await left('198.51.100.8'), 1)
  t.equal(await left(), 1, 'a request of the proxy itself counts for the proxy')
  const untrusting = await open(t, {}, publicSite('', []))
  const remaining = async (forwarded: string) =>
    (await untrusting.send(PATH, { 'x-forwarded-for': forwarded, 'x-api-key': untrusting.key })).headers[
      'x-ratelimit-remaining-minute'
    ]
  t.equal(await remaining('198.51.100.7'), '599')
  t.equal(await remaining('198.51.100.8'), '598', 'without a trusted proxy, all visitors count as one')
})

testOnEngines('a page without records shows the limits of Free, not those of the request before it', async t => {
  const { send, key, port } = await open(t)
  await send(PATH, { 'x-api-key': key })
  for (const path of ['/code/85', '/browse']) {
    const { status, headers } = await getPage(port, path)
    t.equal(status, 200)
    t.equal(headers['x-ratelimit-limit-minute'], '30', path)
    t.equal(headers['x-ratelimit-remaining-minute'], '30', path)
  }
})
