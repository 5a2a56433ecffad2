/** The pages as a browser receives them: language, compression, caching, and restrictions. */
import { type IncomingHttpHeaders, request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Test } from 'tap'
import tap from 'tap'
import { ROUTES } from '../../src/http/api-routes.js'
import { PAGE_PATHS } from '../../src/http/routes.js'
import { ROUTE_NAMES, type ServerOptions } from '../../src/http/server.js'
import { Tally } from '../../src/metrics/tally.js'
import { packageRoot } from '../../src/package-root.js'
import { RESPONSE_KINDS } from '../../src/responses/head.js'
import { codingFor, languageFor } from '../../src/responses/preferences.js'
import { pageRoutes, unknownPathAnswer } from '../../src/web/server/routes.js'
import { readSite } from '../../src/web/server/site.js'
import { startService, testOnEngines } from '../support/service.js'

const site = await readSite(`${packageRoot()}/dist/web`, false)

interface Received {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
}

type Get = (path: string, headers?: Record<string, string>, method?: string) => Promise<Received>

async function open(t: Test, more: Partial<ServerOptions> = {}): Promise<Get> {
  const routes = [...ROUTES, ...pageRoutes(site, undefined)]
  const { port } = await startService(t, [], undefined, routes, { unknownPath: unknownPathAnswer(site), ...more })
  return (path, headers = {}, method = 'GET') =>
    new Promise((resolve, reject) => {
      const req = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, res => {
        const pieces: Buffer[] = []
        res.on('data', piece => pieces.push(piece))
        res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, bytes: Buffer.concat(pieces) }))
      })
      req.on('error', reject)
      req.end()
    })
}

const SHELL_PATHS = [
  '/',
  '/?q=tea&in=09',
  '/code/85',
  '/browse',
  '/browse/0902',
  '/classify?text=tea',
  '/shipment',
  '/check',
  '/invoice',
]
const DOC_PATHS = ['/docs', ...site.docs.map(({ name }) => `/docs/${name}`)]
const assetNamed = (start: string) => `/${site.assets.find(({ name }) => name.startsWith(`assets/${start}`))?.name}`

testOnEngines('every page is a document in the requested language, before any data is loaded', async t => {
  const get = await open(t)
  for (const path of [...SHELL_PATHS, ...DOC_PATHS]) {
    const { status, headers, bytes } = await get(path)
    t.equal(status, 200, path)
    t.equal(headers['content-type'], 'text/html; charset=utf-8')
    t.match(bytes.toString(), '<html lang="en" dir="ltr"')
    const arabic = await get(path, { 'accept-language': 'ar-AE,ar;q=0.9,en;q=0.8' })
    t.match(arabic.bytes.toString(), '<html lang="ar" dir="rtl"')
    t.equal(arabic.headers['content-language'], 'ar')
    t.equal(arabic.headers.vary, 'Accept-Encoding, Accept-Language')
  }
  const chosen = await get('/code/85?lang=en', { 'accept-language': 'ar' })
  t.match(chosen.bytes.toString(), '<html lang="en"', 'lang in the address overrides Accept-Language')
  for (const path of ['/', '/docs', '/docs/settings']) t.match((await get(`${path}?lang=ar`)).bytes.toString(), '<html lang="ar"')
})

testOnEngines('the contract is at /docs/api; /docs lists the contract and the pages, and /docs/ redirects to /docs', async t => {
  const get = await open(t)
  const textOf = async (path: string) => (await get(path)).bytes.toString()
  t.match(await textOf('/docs/api'), 'swagger-ui-bundle')
  t.match(await textOf('/docs/http-api'), '<h1 id="http-api">')
  t.match(await textOf('/docs/settings'), 'HSAPI_PORT')
  t.match(await textOf('/docs'), '<a href="/docs/api">')
  for (const method of ['GET', 'HEAD']) {
    const { status, headers, bytes } = await get('/docs/?lang=ar', {}, method)
    t.equal(status, 301)
    t.equal(headers.location, '/docs')
    t.equal(headers['content-length'], '0')
    t.equal(bytes.length, 0)
  }
})

testOnEngines('browsers ask for a page each time, and it is sent again only if it has changed', async t => {
  const get = await open(t)
  for (const coding of ['', 'gzip', 'br']) {
    const asking = { 'accept-encoding': coding }
    const first = await get('/', asking)
    t.equal(first.headers['cache-control'], 'no-cache')
    const tag = first.headers.etag as string
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      const again = await get('/', { ...asking, 'if-none-match': known })
      t.equal(again.status, 304, known)
      t.equal(again.bytes.length, 0)
      t.equal(again.headers.etag, tag)
      t.equal(again.headers.vary, 'Accept-Encoding, Accept-Language')
    }
    t.equal((await get('/?lang=ar', { ...asking, 'if-none-match': tag })).status, 200, 'in another language the tag differs')
    t.equal((await get('/', { ...asking, 'if-none-match': '"x"' })).status, 200)
  }
})

testOnEngines('compressed responses have the same content as uncompressed ones', async t => {
  const get = await open(t)
  for (const path of ['/', '/docs', '/docs/api', '/docs/http-api', ...site.assets.map(({ name }) => `/${name}`)]) {
    const gzip = await get(path, { 'accept-encoding': 'gzip' })
    const brotli = await get(path, { 'accept-encoding': 'gzip, deflate, br, zstd' })
    if (/\.(?:woff2|webp|png)$/.test(path)) {
      t.equal(brotli.headers['content-encoding'], undefined, 'this file format is compressed already')
      continue
    }
    t.equal(gzip.headers['content-encoding'], 'gzip', path)
    t.equal(brotli.headers['content-encoding'], 'br')
    t.match(brotli.headers.vary, /Accept-Encoding/)
    const content = gunzipSync(gzip.bytes)
    t.ok(content.equals(brotliDecompressSync(brotli.bytes)), path)
    const plain = await get(path)
    const isPlain = plain.headers['content-encoding'] === undefined
    t.ok(content.equals(isPlain ? plain.bytes : gunzipSync(plain.bytes)))
    t.equal(isPlain, content.length <= 512 * 1024, 'only very large files have no uncompressed form')
    t.not(gzip.headers.etag, brotli.headers.etag)
  }
})

testOnEngines('files that a page refers to have a hash in their names and are cached permanently', async t => {
  const get = await open(t)
  for (const path of ['/', '/?lang=ar', '/docs', '/docs/api', '/docs/explorer']) {
    const html = (await get(path)).bytes.toString()
    const links = [...html.matchAll(/(?:src|href|data-index)="(\/assets\/[^"]+)"/g)].map(([, link = '']) => link)
    t.ok(links.length >= 4, path)
    for (const link of links) {
      t.match(link, /-[0-9a-zA-Z]{8,10}\.\w+$/)
      const { status, headers } = await get(link)
      t.equal(status, 200, link)
      t.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
      t.equal(headers['x-content-type-options'], 'nosniff')
      t.match(headers['content-type'], /javascript|css|svg|woff2|webp|png|json|text\/plain/)
    }
    // a link to the official text may be followed; nothing may be loaded
    t.notMatch(html.replace(/<a [^>]*>/g, ''), /(?:src|href)="(?:https?:)?\/\//, 'the page loads nothing from other sites')
  }
  const style = (await get(assetNamed('styles'))).bytes.toString()
  t.match(style, assetNamed('cairo'), 'the style sheet has the address of the font')
})

testOnEngines('unknown file names give 404', async t => {
  const get = await open(t)
  for (const path of [
    '/assets/none.js',
    '/assets/',
    '/assets',
    '/assets/../manifest.json',
    '/assets/%2e%2e',
    '/assets/constructor',
    '/manifest.json',
    '/index.en.html',
    '/code',
    '/code/',
    '/code/85/x',
    '/check/',
    '/browse/',
    '/docs/none',
    '/docs/index',
    '/docs/README',
    '/docs/settings/',
    '/docs/settings.md',
    '/docs/settings/x',
    '/docs/constructor',
    '/docs/%73ettings',
  ]) {
    const { status, headers, bytes } = await get(path)
    t.equal(status, 404, path)
    t.equal(headers['content-type'], 'application/json')
    t.equal(JSON.parse(bytes.toString()).error.code, 'route_not_found')
  }
})

testOnEngines('for an unknown path, a browser gets a page in its language, and a program gets JSON', async t => {
  const tally = new Tally()
  const get = await open(t, { tally })
  const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  for (const path of ['/nope', '/code/85/x', '/docs/none', '/nope?lang=ar', '/apis', '/api.html']) {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, bytes } = await get(path, { ...browser, 'accept-language': 'ar', 'if-none-match': '*' }, method)
      t.equal(status, 404, path)
      t.equal(headers['content-type'], 'text/html; charset=utf-8')
      t.equal(headers['content-language'], 'ar')
      t.match(headers['content-security-policy'], "default-src 'none'")
      t.equal(bytes.length > 0, method === 'GET')
    }
    t.match((await get(path, browser)).bytes.toString(), path.includes('ar') ? '<html lang="ar"' : '<html lang="en"')
  }
  const kind = RESPONSE_KINDS.findIndex(({ reason }) => reason === 'route_not_found')
  t.ok(tally.responses(0, kind) > 0, 'the unknown path is counted as a refusal')
  const refused = async (path: string, headers: Record<string, string>, method = 'GET') => {
    const { status, headers: got, bytes } = await get(path, headers, method)
    t.equal(status, 404, `${method} ${path}`)
    t.equal(got['content-type'], 'application/json')
    t.equal(JSON.parse(bytes.toString()).error.code, 'route_not_found')
  }
  for (const path of ['/api', '/api/', '/api/v1/nope', '/api?x']) await refused(path, browser)
  for (const accept of ['', '*/*', 'application/json', 'text/html;q=0']) await refused('/nope', { accept })
  await refused('/nope', browser, 'POST')
})

testOnEngines('HEAD is answered like GET without the body, and other methods are refused', async t => {
  const get = await open(t)
  for (const path of [...SHELL_PATHS, '/docs', '/docs/api', '/docs/settings', '/explorer.json', assetNamed('main')]) {
    for (const coding of ['', 'br']) {
      const asked = await get(path, { 'accept-encoding': coding })
      const head = await get(path, { 'accept-encoding': coding }, 'HEAD')
      t.equal(head.bytes.length, 0)
      t.strictSame({ ...head.headers, date: '' }, { ...asked.headers, date: '' }, path)
    }
    const posted = await get(path, {}, 'POST')
    t.equal(posted.status, 405)
    t.equal(posted.headers.allow, 'GET, HEAD')
  }
})

testOnEngines('headers forbid the pages to load anything from other sites', async t => {
  const get = await open(t)
  for (const path of ['/', '/code/85', ...DOC_PATHS, '/docs/api']) {
    const { headers, bytes } = await get(path)
    const policy = String(headers['content-security-policy'])
    t.match(policy, /^default-src 'none'; script-src 'self';/)
    t.match(policy, "frame-ancestors 'none'")
    t.notMatch(policy, /unsafe|https?:|\*/)
    t.equal(headers['referrer-policy'], 'same-origin')
    t.equal(headers['cross-origin-opener-policy'], 'same-origin')
    t.equal(headers['cross-origin-resource-policy'], 'same-origin')
    const html = bytes.toString()
    t.notMatch(html, /<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/, 'no inline script or style')
    t.equal(headers['x-ratelimit-limit-minute'], '30', 'the usual limits apply')
  }
})

testOnEngines('the pages ask for a key if they have none', async t => {
  const get = await open(t)
  const { headers, bytes } = await get('/explorer.json')
  t.equal(bytes.toString(), '{"mode":"key"}')
  t.equal(headers['content-type'], 'application/json')
  t.equal(headers['cache-control'], 'no-store')
})

testOnEngines('on a server with allowed origins, Vary also names Origin', async t => {
  const get = await open(t, { origins: ['https://www.example.com'] })
  t.equal((await get('/')).headers.vary, 'Accept-Encoding, Accept-Language, Origin')
})

testOnEngines('a redirect is counted as a redirect', async t => {
  const tally = new Tally()
  const get = await open(t, { tally })
  await get('/docs/')
  const kind = RESPONSE_KINDS.findIndex(({ status }) => status === 301)
  t.equal(tally.responses(ROUTE_NAMES.indexOf('/docs/'), kind), 1)
})

tap.test('responses with pages are counted under the names of their routes', async t => {
  for (const path of PAGE_PATHS) t.ok(ROUTE_NAMES.includes(path.replace(/:(\w+)/, '{$1}')), path)
})

tap.test('the best accepted encoding is chosen', async t => {
  for (const [header, coding] of [
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['GZIP, BR', 'br'],
    ['gzip;q=1.0, br;q=0.1', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['gzip;q=nonsense', undefined],
    [`${'x,'.repeat(100)}gzip`, undefined],
  ] as const)
    t.equal(codingFor(header), coding, header)
})

tap.test('the language is that of the address, otherwise the preferred one, otherwise English', async t => {
  for (const [query, header, language] of [
    ['', '', 'en'],
    ['lang=ar', 'en', 'ar'],
    ['q=x&lang=en', 'ar', 'en'],
    ['lang=fr', 'ar', 'ar'],
    ['lang=%', 'ar', 'ar'],
    ['', 'ar', 'ar'],
    ['', 'AR-sa', 'ar'],
    ['', 'en;q=0.5, ar;q=0.6', 'ar'],
    ['', 'en, ar', 'en'],
    ['', 'fr, ar;q=0.2', 'ar'],
    ['', 'ar;q=0', 'en'],
    ['', '*', 'en'],
    ['', 'arc', 'en'],
  ] as const)
    t.equal(languageFor(query, header), language, `${query} ${header}`)
})
