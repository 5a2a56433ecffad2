import { openService, testOnEngines } from '../support/service.js'

testOnEngines('what a code of an earlier edition is now', async t => {
  const { get, auth } = await openService(t)
  const split = (await get('/api/v1/editions/2017/851712', auth)).body.data
  t.strictSame(Object.keys(split), ['edition', 'code', 'relation', 'targets'])
  t.match(split, { edition: '2017', code: '851712', relation: 'split' })
  t.strictSame(
    split.targets.map((record: { hs_code: string }) => record.hs_code),
    ['851713', '851718'],
    'what comes from one code alone before what comes from several',
  )
  t.strictSame(split.targets[0], (await get('/api/v1/hs-codes/851713', auth)).body.data)
  t.match((await get('/api/v1/editions/2017/852310', auth)).body.data, {
    relation: 'moved',
    targets: [{ hs_code: '852329' }],
  })
  for (const code of ['851718', '852321'])
    t.match((await get(`/api/v1/editions/2017/${code}`, auth)).body.data, {
      relation: 'same',
      targets: [{ hs_code: code }],
    })
})

testOnEngines('what an edition did not have, and what is no edition or code', async t => {
  const { get, auth } = await openService(t)
  for (const [path, status, code] of [
    ['2012/852321', 404, 'not_found'],
    ['2017/999999', 404, 'not_found'],
    ['2007/851712', 400, 'invalid_parameter'],
    ['2022/851712', 400, 'invalid_parameter'],
    ['2017/8517', 400, 'invalid_code'],
    ['2017/85171200', 400, 'invalid_code'],
    ['2017/8517.12', 400, 'invalid_code'],
    ['2017/%zz', 400, 'invalid_code'],
  ] as const) {
    const { status: got, body } = await get(`/api/v1/editions/${path}`, auth)
    t.equal(got, status, path)
    t.equal(body.error.code, code, path)
  }
  t.match((await get('/api/v1/editions/2017/8517.12', auth)).body.error.message, /did you mean 851712\?/)
  t.equal((await get('/api/v1/editions/2017/851712')).status, 401)
  t.equal((await get('/api/v1/editions/2017/851712/x', auth)).body.error.code, 'route_not_found')
})

testOnEngines('a code that is no more is refused with what it became', async t => {
  const { get, auth } = await openService(t)
  const lookup = (await get('/api/v1/hs-codes/851712', auth)).body.error
  t.match(lookup, { code: 'not_found', details: { nearest: '8517', moved_to: ['851713', '851718'] } })
  t.match(lookup.message, /it is now 851713 or 851718\./)
  for (const path of ['hs-codes/85171200', 'hs-codes/851712/children', 'hs-codes/851712/lines'])
    t.strictSame((await get(`/api/v1/${path}`, auth)).body.error.details.moved_to, ['851713', '851718'])
  const tariff = await get('/api/v1/tariff/calculate?hs_code=852310&value=1', auth)
  t.strictSame(tariff.body.error.details.moved_to, ['852329'])
  t.notOk('moved_to' in (await get('/api/v1/hs-codes/852399', auth)).body.error.details)
})
