import fc from 'fast-check'
import { openService, testOnEngines } from '../support/service.js'

testOnEngines('children are full records one level down, ascending', async t => {
  const { get, auth } = await openService(t)
  const { status, body } = await get('/api/v1/hs-codes/8523/children', auth)
  t.equal(status, 200)
  t.strictSame(
    body.data.map((record: { hs_code: string }) => record.hs_code),
    ['852321', '852329', '852351'],
  )
  const alone = (await get('/api/v1/hs-codes/852329', auth)).body.data
  t.strictSame(body.data[1], alone, 'the record is the same as in a lookup')
  t.match(body.meta, { total: 3, limit: 50, offset: 0, count: 3 })
  t.strictSame(Object.keys(body.meta), ['total', 'limit', 'offset', 'count', 'timestamp', 'api_version'])
})

testOnEngines('children have the next length that exists below the code', async t => {
  const { get, auth } = await openService(t)
  const codes = async (code: string) =>
    (await get(`/api/v1/hs-codes/${code}/children`, auth)).body.data.map((r: { hs_code: string }) => r.hs_code)
  t.strictSame(await codes('85'), ['8517', '8523'])
  t.strictSame(await codes('010129'), ['01012910'])
  t.strictSame(await codes('01012910'), ['0101291010'])
  t.strictSame(await codes('852321'), ['85232100'])
  t.strictSame(await codes('85232100'), ['852321000000'])
  t.strictSame(await codes('852321000000'), [], 'a line has no children')
  t.strictSame(await codes('0102'), ['010221', '010229'], 'inactive codes are listed')
})

testOnEngines('pages of any size neither overlap nor leave gaps', async t => {
  const { get, auth } = await openService(t)
  const all: { hs_code: string }[] = []
  for (let offset = 0; offset < 100; offset += 50) {
    all.push(...(await get(`/api/v1/hs-codes/9031/children?offset=${offset}`, auth)).body.data)
  }
  t.equal(all.length, 90)
  t.strictSame(
    all,
    [...all].sort((a, b) => (a.hs_code < b.hs_code ? -1 : 1)),
  )
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 120 }), async (limit, offset) => {
      const { body } = await get(`/api/v1/hs-codes/9031/children?limit=${limit}&offset=${offset}`, auth)
      const expected = all.slice(offset, offset + limit)
      return (
        JSON.stringify(body.data) === JSON.stringify(expected) &&
        body.meta.total === 90 &&
        body.meta.limit === limit &&
        body.meta.offset === offset &&
        body.meta.count === expected.length
      )
    }),
    { numRuns: 60 },
  )
})

testOnEngines('codes of more than 12 digits, unknown parents and wrong pages are refused', async t => {
  const { get, auth } = await openService(t)
  for (const [path, status, code] of [
    ['8523210000000/children', 400, 'invalid_code'],
    ['x/children', 400, 'invalid_code'],
    ['8599/children', 404, 'not_found'],
    ['85/children?limit=0', 400, 'invalid_parameter'],
    ['85/children?limit=51', 400, 'invalid_parameter'],
    ['85/children?limit=1.5', 400, 'invalid_parameter'],
    ['85/children?offset=-1', 400, 'invalid_parameter'],
    ['85/children?offset=x', 400, 'invalid_parameter'],
    ['85/children?offset=%ZZ', 400, 'invalid_parameter'],
  ] as const) {
    const answer = await get(`/api/v1/hs-codes/${path}`, auth)
    t.equal(answer.status, status, path)
    t.equal(answer.body.error.code, code, path)
  }
  const { body } = await get('/api/v1/hs-codes/85/children?limit=51', auth)
  t.equal(body.error.details.parameter, 'limit')
  t.match(body.error.message, /limit/)
  const far = await get('/api/v1/hs-codes/85/children?offset=999999999999', auth)
  t.strictSame(far.body.data, [])
  t.equal(far.body.meta.total, 2)
})

testOnEngines('empty and repeated parameters are accepted', async t => {
  const { get, auth } = await openService(t)
  const { body } = await get('/api/v1/hs-codes/85/children?limit=&offset=1&offset=0&colour=red', auth)
  t.match(body.meta, { limit: 50, offset: 1 }, 'an empty parameter is ignored, and the first value of a repeated one is used')
})
