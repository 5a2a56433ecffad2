/** Who gets rendered pages with records, how many, and what search engines may index. */
import { GUEST_LIMITS } from '../../src/gate/guests.js'
import { attributeOf, canonicalOf, catalog, openRendered, PUBLIC_URL } from '../support/rendered.js'
import { testOnEngines } from '../support/service.js'

testOnEngines('search engines find both languages, and structured data', async t => {
  const { page } = await openRendered(t, 'public')
  const { text } = await page('/code/851713?lang=ar')
  t.equal(canonicalOf(text), `${PUBLIC_URL}/code/851713?lang=ar`)
  for (const [lang, query] of [
    ['en', '?lang=en'],
    ['ar', '?lang=ar'],
    ['x-default', ''],
  ])
    t.match(text, `<link rel="alternate" hreflang="${lang}" href="${PUBLIC_URL}/code/851713${query}">`)
  t.match(text, `<meta property="og:url" content="${PUBLIC_URL}/code/851713?lang=ar">`)
  const linked = JSON.parse(attributeOf(text, /<script type="application\/ld\+json">([^<]*)</) ?? '')
  t.match(linked['@graph'], [
    { termCode: '851713', name: 'هواتف ذكية' },
    { itemListElement: [{ position: 1, item: `${PUBLIC_URL}/code/85?lang=ar` }, {}, { position: 3 }] },
  ])
  t.equal(canonicalOf((await page('/')).text), `${PUBLIC_URL}/?lang=en`)
  t.equal(canonicalOf((await page('/?lang=ar', { 'accept-encoding': 'gzip' })).text), `${PUBLIC_URL}/?lang=ar`)
})

testOnEngines('no request header is copied into a page', async t => {
  const { page } = await openRendered(t, 'public', catalog, '')
  for (const path of ['/code/851713', '/browse', '/', '/robots.txt']) {
    const { text } = await page(path, {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
    })
    t.notMatch(text, 'evil.example', path)
  }
  t.equal(canonicalOf((await page('/code/851713')).text), '/code/851713?lang=en')
  t.notMatch((await page('/code/851713')).text, 'og:url')
})

testOnEngines('on a public site, robots.txt names the sitemap, which lists every record in both languages', async t => {
  const { page } = await openRendered(t, 'public')
  const robots = await page('/robots.txt', {})
  t.match([robots.status, robots.headers['content-type']], [200, 'text/plain; charset=utf-8'])
  t.match(robots.text, `\nSitemap: ${PUBLIC_URL}/sitemap.xml\n`)
  t.match(robots.text, 'Disallow: /api/\n')
  const index = (await page('/sitemap.xml', {})).text
  const parts = [...index.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => address)
  t.strictSame(parts, [`${PUBLIC_URL}/sitemap/1.xml`])
  for (const coding of ['', 'gzip']) {
    const part = await page('/sitemap/1.xml', { 'accept-encoding': coding })
    t.equal(part.headers['content-type'], 'application/xml; charset=utf-8')
    const addresses = [...part.text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => address)
    t.equal(addresses.length, 2 * (catalog.meta.records + 3))
    t.equal(new Set(addresses).size, addresses.length)
    t.ok(addresses.includes(`${PUBLIC_URL}/code/851713?lang=ar`))
    t.equal(part.text.match(/hreflang="ar"/g)?.length, addresses.length)
    for (const address of addresses.filter((_, i) => i % 97 === 0))
      t.equal((await page(address.slice(PUBLIC_URL.length))).status, 200, address)
  }
  for (const path of ['/sitemap/0.xml', '/sitemap/2.xml', '/sitemap/1', '/sitemap/01.xml', '/sitemap/constructor'])
    t.equal((await page(path)).status, 404, path)
  const unnamed = await openRendered(t, 'public', catalog, '')
  t.notMatch((await unnamed.page('/robots.txt')).text, 'Sitemap')
  for (const path of ['/sitemap.xml', '/sitemap/1.xml']) t.equal((await unnamed.page(path)).status, 404, path)
})

testOnEngines('if a key is required, pages contain no data and no sitemap is announced', async t => {
  const { page } = await openRendered(t, 'key')
  const shell = (await page('/shipment')).text
  for (const path of [
    '/code/851713',
    '/code/851712',
    '/code/nonsense',
    '/code/8517.13',
    '/browse',
    '/browse/8517',
    '/browse/99',
  ]) {
    const { status, text, headers } = await page(path)
    t.equal(status, 200, path)
    t.equal(text, shell, path)
    t.equal(headers['x-ratelimit-limit-minute'], '30')
  }
  for (const mode of ['key', 'open'] as const) {
    const opened = await openRendered(t, mode)
    for (const path of ['/robots.txt', '/sitemap.xml', '/sitemap/1.xml']) t.equal((await opened.page(path, {})).status, 404, path)
  }
})

testOnEngines('before there is a catalog, and for requests from scripts of other sites, the document has no records', async t => {
  const { page, server } = await openRendered(t, 'public', null)
  t.equal((await page('/code/851713')).text, (await page('/shipment')).text)
  t.equal((await page('/sitemap.xml')).status, 503)
  server.serve(catalog)
  for (const headers of [
    {},
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', referer: 'https://search.example/' },
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', referer: 'http://127.0.0.1/' },
  ])
    t.match((await page('/code/851713', headers)).text, 'Smartphones', JSON.stringify(headers))
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors', origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
  ] as Record<string, string>[])
    t.notMatch((await page('/code/851713', headers)).text, 'Smartphones', JSON.stringify(headers))
})

testOnEngines('without a public address, only a browser on the same machine gets records', async t => {
  const { page, port } = await openRendered(t, 'open')
  const typed = { 'sec-fetch-site': 'none' }
  for (const headers of [typed, { 'sec-fetch-site': 'same-origin' }, { referer: `http://127.0.0.1:${port}/` }] as Record<
    string,
    string
  >[])
    t.match((await page('/code/851713', headers)).text, 'Smartphones', JSON.stringify(headers))
  for (const headers of [
    {},
    { ...typed, via: '1.1 proxy' },
    { ...typed, 'x-forwarded-for': '127.0.0.1' },
    { ...typed, host: 'public.example' },
    { ...typed, referer: 'https://public.example/' },
    { ...typed, origin: 'https://public.example' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
  ] as Record<string, string>[])
    t.notMatch((await page('/code/851713', headers)).text, 'Smartphones', JSON.stringify(headers))
})

testOnEngines('pages count against the limits of a client address; over the limits, the page says to wait', async t => {
  const { page, clock, guests } = await openRendered(t, 'public')
  const { perMinute, perDay } = GUEST_LIMITS
  const first = await page('/code/851713')
  t.equal(first.headers['x-ratelimit-limit-minute'], String(perMinute))
  t.equal(first.headers['x-ratelimit-remaining-day'], String(perDay - 1))
  t.equal(
    (await page('/browse', { 'if-none-match': '*' }, 'HEAD')).headers['x-ratelimit-remaining-minute'],
    String(perMinute - 2),
  )
  guests?.count('\x7f\0\0\x01', clock.now(), perMinute - 2)
  const over = await page('/code/851713')
  t.match([over.status, over.headers['retry-after']], [429, '60'])
  t.equal(over.text, (await page('/shipment')).text, 'the document has no records; its script adds them')
  t.equal((await page('/sitemap.xml')).status, 429)
  clock.forward(60_000)
  t.equal((await page('/code/851713')).status, 200)
})
