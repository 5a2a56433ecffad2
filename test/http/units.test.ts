import { Catalog } from '../../src/catalog/catalog.js'
import { dataOf, makeKey, openService, shippedSnapshot, startService, testOnEngines } from '../support/service.js'

const ITEMS = { code: 'u', name: { en: 'number of items', ar: 'عدد' }, certainty: 'published', unece: 'H87' }
const UNECE = {
  kg: 'KGM',
  u: 'H87',
  '2u': 'PR',
  '1000u': 'MIL',
  pack: null,
  l: 'LTR',
  m: 'MTR',
  m2: 'MTK',
  m3: 'MTQ',
  carat: 'CTM',
  '1000kWh': 'MWH',
}
const KILOGRAM = { en: 'kilogram', ar: 'كيلوجرام' }

testOnEngines('a subheading has its unit, and so have the lines below it', async t => {
  const { get, auth } = await openService(t)
  const unitOf = async (code: string) => (await get(`/api/v1/hs-codes/${code}?include=unit`, auth)).body.data.unit
  for (const code of ['851713', '85171300', '851713000000', '01012910', '010129101000'])
    t.strictSame(await unitOf(code), ITEMS, code)
  t.strictSame(Object.keys(await unitOf('851713')), ['code', 'name', 'certainty', 'unece'])
  t.strictSame(await unitOf('010719'), { code: 'kg', name: KILOGRAM, certainty: 'assumed', unece: 'KGM' })
  t.equal(await unitOf('903110'), null, 'the unit is null if the dataset names none')
})

testOnEngines('a shorter code has a unit if all codes below have the same one, with the lowest of their certainties', async t => {
  const { get, auth } = await openService(t)
  const unitOf = async (code: string) => (await get(`/api/v1/hs-codes/${code}?include=unit`, auth)).body.data.unit
  t.strictSame(await unitOf('8517'), ITEMS)
  t.strictSame(await unitOf('0107'), { code: 'kg', name: KILOGRAM, certainty: 'assumed', unece: 'KGM' })
  t.equal(await unitOf('8523'), null, 'the codes below have items or kilograms')
  t.equal(await unitOf('0102'), null, 'one of the codes below has no unit')
  t.equal(await unitOf('85'), null)
})

testOnEngines(
  'lists and searches include the unit, after the rate and before the names; requested twice, it is included once',
  async t => {
    const { get, auth } = await openService(t)
    const plain = await get('/api/v1/hs-codes/851713', auth)
    const once = await get('/api/v1/hs-codes/851713?include=unit', auth)
    t.equal(dataOf(once), `${dataOf(plain).slice(0, -1)},"unit":${JSON.stringify(ITEMS)}}`)
    t.equal(dataOf(await get('/api/v1/hs-codes/851713?include=unit,unit', auth)), dataOf(once))
    const { body } = await get('/api/v1/hs-codes/851713?include=examples,unit,rate', auth)
    t.strictSame(Object.keys(body.data).slice(-3), ['rate', 'unit', 'examples'])
    for (const path of ['hs-codes/8517/children?', 'hs-codes/8517/lines?', 'search?q=smartphones&'])
      t.strictSame((await get(`/api/v1/${path}include=unit`, auth)).body.data[0].unit, ITEMS, path)
    const refused = await get('/api/v1/hs-codes/851713?include=units', auth)
    t.match(refused.body.error, { code: 'invalid_parameter', message: /path, editions, rate, unit,/ })
  },
)

testOnEngines('in the shipped dataset, every subheading except those of chapter 98 has a unit', async t => {
  const catalog = new Catalog(await shippedSnapshot())
  const without = Array.from(catalog.level.keys())
    .filter(record => catalog.level[record] === 6 && catalog.unitOf(record) === undefined)
    .map(record => catalog.records.code(record))
  t.strictSame(without, ['980100', '980200', '980300', '980400'])
  const codes = new Map(catalog.meta.units.map(({ code, unece }) => [code, unece]))
  t.strictSame(Object.fromEntries(codes), UNECE, 'each unit has its UN/ECE code, if there is one')
  const key = makeKey('pro')
  const { get } = await startService(t, [key], catalog)
  for (const [code, unit] of [
    ['640391', '2u'],
    ['710231', 'carat'],
    ['271600', '1000kWh'],
    ['090210', 'kg'],
    ['220421', 'l'],
    ['8471', 'u'],
    ['64', null],
  ] as const) {
    const { body } = await get(`/api/v1/hs-codes/${code}?include=unit`, { 'x-api-key': key.key })
    t.equal(body.data?.unit?.code ?? null, unit, code)
  }
})
