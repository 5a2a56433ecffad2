import fc from 'fast-check'
import { openService, testOnEngines } from '../support/service.js'

const codesOf = (body: { data: { hs_code: string }[] }) => body.data.map(record => record.hs_code)

testOnEngines('every line at or below a code is listed as a full record, in ascending order', async t => {
  const { get, auth } = await openService(t)
  const { body } = await get('/api/v1/hs-codes/8523/lines', auth)
  t.strictSame(codesOf(body), ['852321000000', '852329000000', '852351000000'])
  t.match(body.meta, { total: 3, limit: 50, offset: 0, count: 3 })
  t.strictSame(body.data[1], (await get('/api/v1/hs-codes/852329000000', auth)).body.data)
  const eight = await get('/api/v1/hs-codes/8523/lines?digits=8', auth)
  t.strictSame(codesOf(eight.body), ['85232100', '85232900', '85235100'])
  t.strictSame(codesOf((await get('/api/v1/hs-codes/852321000000/lines', auth)).body), ['852321000000'])
  t.strictSame(codesOf((await get('/api/v1/hs-codes/852321000000/lines?digits=8', auth)).body), [])
  const horses = await get('/api/v1/hs-codes/01/lines', auth)
  t.ok(
    horses.body.data.some((record: { is_active: boolean }) => !record.is_active),
    'inactive lines are listed as well',
  )
})

testOnEngines('the lines are those found by walking down the tree, and pages neither overlap nor leave gaps', async t => {
  const { get, auth, catalog } = await openService(t)
  const all = Array.from({ length: catalog.meta.records }, (_, record) => catalog.records.code(record)).sort()
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...all),
      fc.constantFrom(8, 12),
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 0, max: 100 }),
      async (code, digits, limit, offset) => {
        const expected = all.filter(line => line.length === digits && line.startsWith(code))
        const { body } = await get(`/api/v1/hs-codes/${code}/lines?digits=${digits}&limit=${limit}&offset=${offset}`, auth)
        return codesOf(body).join() === expected.slice(offset, offset + limit).join() && body.meta.total === expected.length
      },
    ),
    { numRuns: 120 },
  )
})

testOnEngines('a wrong length, page or code is refused', async t => {
  const { get, auth } = await openService(t)
  for (const [query, parameter] of [
    ['digits=10', 'digits'],
    ['digits=x', 'digits'],
    ['limit=51', 'limit'],
    ['offset=-1', 'offset'],
    ['digits=%zz', 'digits'],
  ] as const) {
    const { status, body } = await get(`/api/v1/hs-codes/85/lines?${query}`, auth)
    t.equal(status, 400, query)
    t.match(body.error, { code: 'invalid_parameter', details: { parameter } })
  }
  t.equal((await get('/api/v1/hs-codes/8577/lines', auth)).body.error.details.nearest, '85')
  t.match((await get('/api/v1/hs-codes/85.23/lines', auth)).body.error.message, /did you mean 8523\?/)
  t.equal((await get('/api/v1/hs-codes/%38%35/lines', auth)).status, 200)
  t.equal((await get('/api/v1/hs-codes/85/lines')).status, 401)
})
