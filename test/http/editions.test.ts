import { Catalog } from '../../src/catalog/catalog.js'
import { dataOf, makeKey, openService, shippedSnapshot, startService, testOnEngines } from '../support/service.js'

testOnEngines('a code of an earlier edition is converted to current codes', async t => {
  const { get, auth } = await openService(t)
  const split = (await get('/api/v1/editions/2017/851712', auth)).body.data
  t.strictSame(Object.keys(split), ['edition', 'code', 'relation', 'targets'])
  t.match(split, { edition: '2017', code: '851712', relation: 'split' })
  t.strictSame(
    split.targets.map((record: { hs_code: string }) => record.hs_code),
    ['851713', '851718'],
    'codes that come from one code alone precede those that come from several',
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

testOnEngines('unknown codes of an edition, unknown editions and invalid codes are refused', async t => {
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
  for (const written of ['8517.12', '85171200', '8517.12.00.0000'])
    t.match((await get(`/api/v1/editions/2017/${written}`, auth)).body.error.message, /did you mean 851712\?/, written)
  t.match((await get('/api/v1/editions/2007/851712', auth)).body.error.message, /must be 2017, 2012 or 2028\./)
  t.equal((await get('/api/v1/editions/2017/851712')).status, 401)
  t.equal((await get('/api/v1/editions/2017/851712/x', auth)).body.error.code, 'route_not_found')
})

testOnEngines('a lookup of a code that no longer exists is refused, with its successors', async t => {
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

testOnEngines('a current code is converted to codes of the next edition', async t => {
  const { get, auth } = await openService(t)
  const next = async (code: string) => dataOf(await get(`/api/v1/editions/2028/${code}`, auth))
  t.equal(
    await next('851718'),
    '{"edition":"2028","code":"851718","relation":"split","targets":[' +
      '{"hs_code":"851718","part":"old","certainty":"published"},' +
      '{"hs_code":"851716","part":"both","certainty":"published"}],"provisional":true}',
    'the same code comes first',
  )
  t.match(JSON.parse(await next('852329')), { relation: 'moved', targets: [{ hs_code: '852328', part: 'whole' }] })
  t.match(JSON.parse(await next('903110')), { relation: 'same', targets: [{ hs_code: '903110', part: 'new' }] })
  t.match(
    JSON.parse(await next('851713')),
    { relation: 'same', targets: [{ hs_code: '851713', part: 'whole', certainty: 'published' }] },
    'a code outside the table keeps its number and scope',
  )
})

testOnEngines('a code that cannot be converted to the next edition is refused, with related codes if any exist', async t => {
  const { get, auth } = await openService(t)
  const refused = async (path: string) => (await get(`/api/v1/${path}`, auth)).body.error
  const later = await refused('editions/2028/851716')
  t.match(later, { code: 'not_found', details: { nearest: '8517', comes_from: ['851718', '852351'] } })
  t.match(later.message, /it is a code of HS 2028 and takes over goods of 851718 and 852351\./)
  for (const path of ['hs-codes/851716', 'hs-codes/85171600', 'hs-codes/851716/lines', 'tariff/calculate?hs_code=851716&value=1'])
    t.strictSame((await refused(path)).details.comes_from, ['851718', '852351'], path)
  t.match(await refused('editions/2028/851712'), { code: 'not_found', details: { moved_to: ['851713', '851718'] } })
  t.match(await refused('editions/2028/999999'), { code: 'not_found', message: 'HS code 999999 is not in the dataset.' })
  for (const written of ['85171300', '8517.13', '851713000000'])
    t.match(await refused(`editions/2028/${written}`), { code: 'invalid_code', message: /did you mean 851713\?/ })
  t.match(await refused('editions/2028/8517'), { code: 'invalid_code', message: /6 digits without dots or spaces\.$/ })
  t.match(await refused('resolve?codes=851713&edition=2028'), {
    code: 'invalid_parameter',
    message: 'The parameter edition must be 2022, 2017 or 2012.',
    details: { parameter: 'edition' },
  })
})

testOnEngines('the shipped dataset converts codes of five earlier editions, and current codes to the next one', async t => {
  const key = makeKey('pro')
  const { get } = await startService(t, [key], new Catalog(await shippedSnapshot()))
  const ask = async (path: string) => (await get(`/api/v1/${path}`, { 'x-api-key': key.key })).body
  const targetsOf = async (path: string) =>
    (await ask(`editions/${path}`)).data.targets.map(({ hs_code }: { hs_code: string }) => hs_code)
  t.strictSame(await targetsOf('1996/010111'), ['010121', '010130'])
  t.match(await targetsOf('2007/854150'), ['854151', '854159'], 'the dataset adds a pair that the UN tables lack')
  t.strictSame(await targetsOf('2002/848510'), ['848710'], 'a code whose number now means other goods is not its own target')
  t.strictSame((await targetsOf('1996/844319'))[0], '844313')
  t.notOk((await targetsOf('1996/844319')).includes('844319'))
  t.match((await ask('resolve?codes=848510&edition=1996')).data, [{ status: 'moved', hs_code: '848710' }])
  t.match(await ask('editions/1992/010111'), {
    error: { code: 'invalid_parameter', message: /must be 2017, 2012, 2007, 2002, 1996 or 2028\./ },
  })
  const { editions } = (await ask('hs-codes/010121100001?include=editions')).data
  t.match(editions, { 2017: ['010121'], 2007: ['010110'], 1996: ['010111'], 2028: ['010121'] })
  const shown = await get('/api/v1/hs-codes/010121?include=editions', { 'x-api-key': key.key })
  t.strictSame(shown.text.match(/"(?:19|20)\d\d"(?=:)/g), ['"2017"', '"2012"', '"2007"', '"2002"', '"1996"', '"2028"'])
  t.match((await ask('editions/2028/030282')).data, { relation: 'split', provisional: true })
})
