/** The headers of each address: the exact content security policy, the sites that may load it, and the time in caches. */

import { Guests } from '../../src/gate/guests.js'
import { ROUTES } from '../../src/http/api-routes.js'
import { ClientAddresses } from '../../src/http/client-address.js'
import { PAGE_PATHS } from '../../src/http/routes.js'
import { Visitors } from '../../src/http/visitors.js'
import { newKey } from '../../src/keys/key.js'
import { packageRoot } from '../../src/package-root.js'
import { pageRoutes, unknownPathAnswer } from '../../src/web/server/routes.js'
import { readSite } from '../../src/web/server/site.js'
import { fixtureCatalog, startService, testOnEngines } from '../support/service.js'

const site = await readSite(`${packageRoot()}/dist/web`, false)

const PAGE = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

interface Expected {
  policy: string | null
  /** The sites that may load the address. */
  loadedBy: string
  cache: string
}

const FILE_POLICIES: Readonly<Record<string, Expected>> = {
  '/worker.js': { policy: "default-src 'none'; connect-src 'self'", loadedBy: 'same-origin', cache: 'no-cache' },
  '/embed/hsapi-search.js': { policy: null, loadedBy: 'cross-origin', cache: 'public, max-age=600' },
  '/explorer.json': { policy: null, loadedBy: 'same-origin', cache: 'no-store' },
  '/assets/:file': { policy: null, loadedBy: 'same-origin', cache: 'public, max-age=31536000, immutable' },
}
/** Robots and sitemap files, which only a public site serves. They are not HTML and have no content security policy. */
const SEARCH_ENGINE_POLICY: Expected = { policy: null, loadedBy: 'same-origin', cache: 'no-cache' }
const PUBLIC_PATHS = ['/robots.txt', '/sitemap.xml', '/sitemap/:part']
const REDIRECTS = ['/docs/', '/embed/']

function example(path: string): string {
  if (path === '/assets/:file') return `/${site.assets[0]?.name}`
  return path.replace('/docs/:page', '/docs/embed').replace(':code', '0101').replace(':part', '1.xml')
}

for (const isPublic of [false, true])
  testOnEngines(`every path has exactly its policy${isPublic ? ', also on a public site with records' : ''}`, async t => {
    const publicSite = { url: 'https://hs.example.com', clients: new ClientAddresses([]) }
    const visitors = isPublic ? new Visitors(new Guests(newKey('page')), publicSite) : undefined
    const routes = [...ROUTES, ...pageRoutes(site, visitors)]
    const { url } = await startService(t, [], await fixtureCatalog(), routes, { visitors })
    const left = isPublic ? REDIRECTS : [...REDIRECTS, ...PUBLIC_PATHS]
    for (const path of PAGE_PATHS.filter(path => !left.includes(path))) {
      const { headers, status, body } = await fetch(url + example(path), { headers: { connection: 'close' } })
      await body?.cancel()
      const ofPage = PUBLIC_PATHS.includes(path) ? SEARCH_ENGINE_POLICY : { ...SEARCH_ENGINE_POLICY, policy: PAGE }
      const expected = FILE_POLICIES[path] ?? ofPage
      t.equal(status, 200, path)
      t.equal(headers.get('content-security-policy'), expected.policy, path)
      t.equal(headers.get('cross-origin-resource-policy'), expected.loadedBy, path)
      t.equal(headers.get('cache-control'), expected.cache, path)
    }
  })

/** The request headers on which an answer depends, by the response header that shows the dependence. */
const CHOSEN_BY = {
  'content-encoding': ['accept-encoding', 'identity', 'gzip'],
  'content-language': ['accept-language', 'en', 'ar'],
}

testOnEngines('Vary names the encoding or language header on which a document depends, also in a 304 response', async t => {
  const publicSite = { url: 'https://hs.example.com', clients: new ClientAddresses([]) }
  const visitors = new Visitors(new Guests(newKey('page')), publicSite)
  const routes = [...ROUTES, ...pageRoutes(site, visitors)]
  const options = { visitors, unknownPath: unknownPathAnswer(site) }
  const { url } = await startService(t, [], await fixtureCatalog(), routes, options)
  const ask = async (path: string, more: Record<string, string>) => {
    const sent = { 'accept-encoding': 'identity', 'accept-language': 'en', accept: 'text/html', connection: 'close', ...more }
    const { headers, body } = await fetch(url + path, { headers: sent })
    await body?.cancel()
    return headers
  }
  const dependences = new Map<string, number>()
  for (const path of [...PAGE_PATHS.map(example), '/code/999999', '/nowhere', '/changes.atom', '/openapi.json'])
    for (const [shown, [name, one, other]] of Object.entries(CHOSEN_BY) as [string, [string, string, string]][]) {
      const [first, second] = [await ask(path, { [name]: one }), await ask(path, { [name]: other })]
      if (first.get(shown) === second.get(shown)) continue
      dependences.set(name, (dependences.get(name) ?? 0) + 1)
      const unchanged = await ask(path, { [name]: other, 'if-none-match': second.get('etag') ?? '"none"' })
      for (const headers of [first, second, unchanged])
        t.ok(headers.get('vary')?.toLowerCase().split(', ').includes(name), `${path} depends on ${name}`)
    }
  for (const [name] of Object.values(CHOSEN_BY))
    t.ok((dependences.get(name as string) ?? 0) > 10, `many documents depend on ${name}`)
})

testOnEngines('the search box for other sites is sent again only when it changed', async t => {
  const { url } = await startService(t, [], undefined, [...ROUTES, ...pageRoutes(site, undefined)])
  for (const path of ['/embed/hsapi-search.js', '/worker.js']) {
    const first = await fetch(url + path, { headers: { connection: 'close' } })
    t.match(first.headers.get('content-type'), 'text/javascript')
    const again = await fetch(url + path, {
      headers: { connection: 'close', 'if-none-match': first.headers.get('etag') as string },
    })
    t.equal(again.status, 304, path)
  }
})

testOnEngines('without the explorer, its paths are answered with 404 in JSON', async t => {
  const { url } = await startService(t, [])
  for (const path of ['/worker.js', '/embed', '/embed/hsapi-search.js', '/']) {
    const { status, headers, body } = await fetch(url + path, { headers: { connection: 'close', accept: 'text/html' } })
    await body?.cancel()
    t.equal(status, 404, path)
    t.equal(headers.get('content-type'), 'application/json')
  }
})
