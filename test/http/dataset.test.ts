import { VERSION } from '../../src/version.js'
import { fixtureCatalog, makeKey, openService, startService, testOnEngines } from '../support/service.js'

testOnEngines('the dataset endpoint describes the data that a server answers from', async t => {
  const { get, auth, catalog } = await openService(t)
  const { body } = await get('/api/v1/dataset', auth)
  t.strictSame(Object.keys(body.data), [
    'edition',
    'version',
    'snapshot',
    'records',
    'levels',
    'line_digits',
    'vat_rate',
    'languages',
    'rates',
  ])
  t.match(body.data, {
    edition: 'Test 2022',
    version: '1.2.3',
    snapshot: catalog.id,
    records: catalog.meta.records,
    line_digits: [8, 12],
    vat_rate: 5,
    languages: ['en', 'ar'],
  })
  const levels = Object.values(body.data.levels as Record<string, number>)
  t.equal(
    levels.reduce((sum, count) => sum + count, 0),
    catalog.meta.records,
  )
  t.equal(body.data.levels['2'], 3)
  t.strictSame(
    [...body.data.rates].sort((a, b) => a - b),
    catalog.meta.rates.slice(0, catalog.meta.commonRates).map(Number),
    'the rates are those of the common tariff',
  )
})

testOnEngines('the sections are listed with their existing chapters', async t => {
  const { get, auth } = await openService(t)
  const { body } = await get('/api/v1/chapters', auth)
  const chapters = body.data.flatMap((section: { chapters: { hs_code: string }[] }) => section.chapters)
  t.strictSame(
    chapters.map((chapter: { hs_code: string }) => chapter.hs_code),
    ['01', '85', '90'],
  )
  const { hs_code, description } = (await get('/api/v1/hs-codes/85', auth)).body.data
  t.strictSame(chapters[1], { hs_code, description })
  for (const { section, title } of body.data) {
    t.ok(section === null || /^[IVX]+$/.test(section))
    t.ok(title.en !== '' && title.ar !== '')
  }
})

testOnEngines('a response that the caller already has is not sent again', async t => {
  const key = makeKey('free')
  const catalog = await fixtureCatalog()
  const { get } = await startService(t, [key], catalog)
  const auth = { 'x-api-key': key.key }
  const tag = `W/"${catalog.id}-${VERSION}"`
  const first = await get('/api/v1/hs-codes/85', auth)
  t.equal(first.headers.get('etag'), tag)
  t.equal(first.headers.get('cache-control'), 'private, no-cache')
  let left = 29
  for (const [path, sentTag] of [
    ['/api/v1/hs-codes/85', tag],
    ['/api/v1/hs-codes/85', '*'],
    ['/api/v1/hs-codes/85', `"other", ${tag.slice(2)}`],
    ['/api/v1/hs-codes/85?include=path', `W/"x",${tag}`],
    ['/api/v1/hs-codes/85/children', tag],
    ['/api/v1/search?q=cards', tag],
    ['/api/v1/dataset', tag],
  ] as const) {
    const answer = await get(path, { ...auth, 'if-none-match': sentTag })
    t.equal(answer.status, 304, `${path} ${sentTag}`)
    t.equal(answer.headers.get('etag'), tag)
    t.equal(Number(answer.headers.get('x-ratelimit-remaining-minute')), --left, 'the request counts')
    t.equal((await get(path, { ...auth, 'if-none-match': sentTag }, 'HEAD')).status, 304)
    left--
  }
  for (const sentTag of ['"other"', `${tag}x`, 'W/', catalog.id])
    t.equal((await get('/api/v1/hs-codes/85', { ...auth, 'if-none-match': sentTag })).status, 200, sentTag)
  const refused = await get('/api/v1/hs-codes/77', { ...auth, 'if-none-match': tag })
  t.equal(refused.status, 404, 'refusals do not depend on the tag')
  t.equal(refused.headers.get('etag'), null)
  t.equal((await get('/api/v1/hs-codes/85', { 'if-none-match': tag })).status, 401)
  const health = await get('/api/v1/health', { 'if-none-match': '*' })
  t.equal(health.status, 200)
  t.equal(health.headers.get('etag'), null, 'health does not depend on the dataset')
})

testOnEngines('another snapshot has another tag', async t => {
  const key = makeKey('free')
  const catalog = await fixtureCatalog()
  const { get, server } = await startService(t, [key], catalog)
  const auth = { 'x-api-key': key.key }
  const before = (await get('/api/v1/hs-codes/85', auth)).headers.get('etag') as string
  server.serve(Object.create(catalog, { id: { value: '0123456789abcdef' } }))
  const after = await get('/api/v1/hs-codes/85', { ...auth, 'if-none-match': before })
  t.equal(after.status, 200)
  t.match(after.headers.get('etag'), /^W\/"0123456789abcdef-/)
})
