import { Catalog } from '../../src/catalog/catalog.js'
import { makeKey, openService, shippedSnapshot, startService, testOnEngines } from '../support/service.js'

const ASKED = 'include=examples'

testOnEngines(
  'a record has its everyday names in both languages, and a padded line those of the code that it repeats',
  async t => {
    const { get, auth } = await openService(t)
    const examplesOf = async (code: string) => (await get(`/api/v1/hs-codes/${code}?${ASKED}`, auth)).body.data.examples
    const phones = await examplesOf('851713')
    t.strictSame(Object.keys(phones), ['en', 'ar'])
    t.strictSame(new Set(phones.en), new Set(['mobile phones', 'iphone']))
    t.strictSame(new Set(phones.ar), new Set(['جوال', 'موبايل']))
    t.strictSame(await examplesOf('85171300'), phones)
    t.strictSame(await examplesOf('8517'), { en: [], ar: [] }, 'a code without names in the dataset has an empty list')
    const { body } = await get(`/api/v1/hs-codes/8517/children?${ASKED}`, auth)
    t.strictSame(body.data[0].examples, phones, 'lists have the names as well')
    const found = await get(`/api/v1/search?q=iphone&${ASKED}`, auth)
    t.strictSame(found.body.data[0].examples, phones, 'search results have the names as well')
  },
)

testOnEngines('a search result has the name that matched, or null if its description did', async t => {
  const { get, auth } = await openService(t)
  const matched = async (query: string) => {
    const { body } = await get(`/api/v1/search?${query}&include=matched`, auth)
    return body.data.map(({ hs_code, matched }: { hs_code: string; matched: unknown }) => [hs_code, matched])
  }
  t.strictSame((await matched('q=usb%20stick'))[0], ['852351', { text: 'usb sticks', lang: 'en' }])
  t.strictSame((await matched(`q=${encodeURIComponent('الجوال')}`))[0], ['851713', { text: 'جوال', lang: 'ar' }])
  t.strictSame((await matched('q=smartphones'))[0], ['851713', null])
  for (const [, name] of await matched('q=8517')) t.equal(name, null, 'a code in the query matches no name')
  const lines = await matched('q=usb%20stick&level=12')
  t.ok(lines.length > 0)
  for (const [, name] of lines)
    t.strictSame(name, { text: 'usb sticks', lang: 'en' }, 'a line that was found through the code above has its name, too')
  t.strictSame(await matched('q=usb%20stick'), await matched('q=usb%20stick'), 'the cached answer is the same')
})

testOnEngines('a lookup includes the first page of its lists, as their endpoints list them, and counts once', async t => {
  const { get, auth } = await openService(t)
  const list = async (path: string) => {
    const { data, meta } = (await get(`/api/v1/hs-codes/${path}`, auth)).body
    return { items: data, total: meta.total, limit: meta.limit, offset: meta.offset }
  }
  const left = ({ headers }: { headers: Headers }) => Number(headers.get('x-ratelimit-remaining-minute'))
  for (const [code, parent] of [
    ['9031', '90'],
    ['903110', '9031'],
    ['852321000000', '85232100'],
  ] as const) {
    const before = left(await get(`/api/v1/hs-codes/${code}`, auth))
    const answer = await get(`/api/v1/hs-codes/${code}?include=children,siblings,lines`, auth)
    t.equal(left(answer), before - 1, 'a lookup with lists counts as one request')
    const { children, siblings, lines } = answer.body.data
    t.strictSame(children, await list(`${code}/children`))
    t.strictSame(siblings, await list(`${parent}/children`))
    t.strictSame(lines, await list(`${code}/lines`))
    const rated = (await get(`/api/v1/hs-codes/${code}?include=rate,children,siblings,lines`, auth)).body.data
    t.strictSame(
      rated.children,
      await list(`${code}/children?include=rate`),
      'the listed records have their rates if rate is included',
    )
    t.strictSame(rated.siblings, await list(`${parent}/children?include=rate`))
    t.strictSame(rated.lines, await list(`${code}/lines?include=rate`))
  }
  const { body } = await get('/api/v1/hs-codes/85?include=siblings', auth)
  t.strictSame(body.data.siblings, { items: [], total: 0, limit: 50, offset: 0 }, 'a chapter has no parent')
})

testOnEngines('each endpoint refuses values of include that only other endpoints accept', async t => {
  const { get, auth } = await openService(t)
  for (const path of [
    'hs-codes/85?include=matched',
    'hs-codes/85/children?include=matched',
    'hs-codes/85/children?include=children',
    'hs-codes/85/lines?include=siblings',
    'search?q=phones&include=children',
  ]) {
    const { status, body } = await get(`/api/v1/${path}`, auth)
    t.equal(status, 400, path)
    t.match(body.error, { code: 'invalid_parameter', details: { parameter: 'include' } })
  }
})

testOnEngines('codes of the shipped dataset have at most 12 names per language, the best known first, none twice', async t => {
  const key = makeKey('pro', { per_minute: 4_000, per_day: 4_000 })
  const { get } = await startService(t, [key], new Catalog(await shippedSnapshot()))
  const auth = { 'x-api-key': key.key }
  const { en, ar } = (await get(`/api/v1/hs-codes/847130?${ASKED}`, auth)).body.data.examples
  t.equal(en.length, 12)
  t.equal(en[0], 'laptops')
  t.ok(ar.length > 0 && ar.length <= 12)
  t.equal(new Set(en).size, en.length)
  const twin = (await get(`/api/v1/hs-codes/84713000?${ASKED}`, auth)).body.data.examples
  t.strictSame(twin, { en, ar }, 'a code that repeats the description of its parent has the names of the parent')
  const { body } = await get('/api/v1/search?q=laptop&include=matched', auth)
  const bags = body.data.find(({ hs_code }: { hs_code: string }) => hs_code.startsWith('4202'))
  t.strictSame(bags.matched, { text: 'laptop bags', lang: 'en' })
})
