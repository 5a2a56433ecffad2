import { openService, testOnEngines } from '../support/service.js'

const stepOf = ({ hs_code, description }: { hs_code: string; description: object }) => ({
  hs_code,
  description,
})

testOnEngines('requested fields are added at the end of a record, in a fixed order', async t => {
  const { get, auth } = await openService(t)
  const plain = (await get('/api/v1/hs-codes/85232100', auth)).body.data
  const above = await Promise.all(
    ['85', '8523', '852321'].map(async code => stepOf((await get(`/api/v1/hs-codes/${code}`, auth)).body.data)),
  )
  const { body } = await get('/api/v1/hs-codes/85232100?include=rate,path,editions', auth)
  t.strictSame(Object.keys(body.data), [...Object.keys(plain), 'path', 'editions', 'rate'])
  t.strictSame(body.data.path, above, 'the path goes from the chapter to the parent')
  t.strictSame(
    body.data.editions,
    { 2017: ['852321'], 2012: ['852320'], 2028: ['852321'] },
    'a line has the earlier codes of its first six digits',
  )
  t.strictSame(Object.keys(body.data.rate), ['from', 'source', 'certainty', 'min', 'max', 'status'])
  t.equal(body.data.rate.from, '85')
  t.strictSame((await get('/api/v1/hs-codes/85232100?include=', auth)).body.data, plain)
  t.strictSame((await get('/api/v1/hs-codes/85232100?other=path', auth)).body.data, plain)
  t.strictSame((await get('/api/v1/hs-codes/85?include=path', auth)).body.data.path, [])
  t.strictSame((await get('/api/v1/hs-codes/8523?include=editions', auth)).body.data.editions, {
    2017: [],
    2012: [],
    2028: [],
  })
})

testOnEngines('among the earlier codes of a code, the one with the same digits comes first', async t => {
  const { get, auth } = await openService(t)
  const { body } = await get('/api/v1/hs-codes/851718?include=editions', auth)
  t.match(body.data.editions, { 2017: ['851718', '851712'], 2012: ['851712'], 2028: ['851718', '851716'] })
})

testOnEngines('lists and searches include the same fields', async t => {
  const { get, auth } = await openService(t)
  const asked = 'include=path,editions,rate'
  for (const path of [
    '/api/v1/hs-codes/8523/children?',
    '/api/v1/hs-codes/8523/lines?digits=8&',
    '/api/v1/search?q=memory%20cards&',
  ]) {
    const plain = (await get(path.slice(0, -1), auth)).body
    const { body } = await get(`${path}${asked}`, auth)
    t.ok(body.data.length > 0, path)
    for (const [i, record] of body.data.entries()) {
      const { path: way, editions, rate, ...rest } = record
      t.strictSame(rest, plain.data[i])
      const alone = (await get(`/api/v1/hs-codes/${record.hs_code}?${asked}`, auth)).body.data
      t.strictSame({ way, editions, rate }, { way: alone.path, editions: alone.editions, rate: alone.rate })
    }
    t.match(body.meta, { total: plain.meta.total, count: plain.meta.count })
    t.strictSame((await get(`${path}${asked}`, auth)).body.data, body.data, 'the cached answer is the same')
  }
  const { body } = await get('/api/v1/hs-codes/9031/children?limit=50&include=path,editions,rate', auth)
  t.equal(body.data.length, 50, 'the page is full')
})

testOnEngines('an unknown value of include is refused, and the message names it', async t => {
  const { get, auth } = await openService(t)
  for (const list of ['paths', 'path,', ',', 'path,rates', 'PATH', 'constructor', 'path%20'])
    for (const path of ['/85', '/85/children', '/85/lines']) {
      const { status, body } = await get(`/api/v1/hs-codes${path}?include=${list}`, auth)
      t.equal(status, 400, `${path} ${list}`)
      t.match(body.error, { code: 'invalid_parameter', details: { parameter: 'include' } })
    }
  t.equal((await get('/api/v1/search?q=cards&include=x', auth)).status, 400)
  t.equal((await get('/api/v1/hs-codes/77?include=path', auth)).status, 404)
  t.equal((await get('/api/v1/hs-codes/85%2E23?include=path', auth)).body.error.code, 'invalid_code')
})
