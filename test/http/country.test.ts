import { Catalog } from '../../src/catalog/catalog.js'
import { dataOf, fixtureSnapshot, makeKey, openService, startService, testOnEngines } from '../support/service.js'

interface Item {
  hs_code: string
  tariff_rate: number
}

const FLASH_CARD = '852321'
const ratesOf = (items: Item[]) => Object.fromEntries(items.map(({ hs_code, tariff_rate }) => [hs_code, tariff_rate]))

testOnEngines('a country changes tariff_rate on every endpoint, and nothing else of a record', async t => {
  const { get, post, auth } = await openService(t)
  const plain = (await get(`/api/v1/hs-codes/${FLASH_CARD}`, auth)).body.data
  for (const country of ['SA', 'sa'])
    t.strictSame((await get(`/api/v1/hs-codes/${FLASH_CARD}?country=${country}`, auth)).body.data, { ...plain, tariff_rate: 20 })
  const { body, text } = await get(`/api/v1/hs-codes/${FLASH_CARD}?country=SA&include=path,unit`, auth)
  t.equal(body.data.tariff_rate, 20)
  t.strictSame(Object.keys(body.data), [...Object.keys(plain), 'path', 'unit'])
  t.ok(text.includes('"tariff_rate":20,"is_active":true,"path":[{"hs_code":"85"'))

  const children = (await get('/api/v1/hs-codes/8523/children?country=SA', auth)).body.data
  t.strictSame(ratesOf(children), { '852321': 20, '852329': 15, '852351': 5 })
  const lines = (await get('/api/v1/hs-codes/8523/lines?country=SA&limit=2&include=rate', auth)).body.data
  t.strictSame(ratesOf(lines), { '852321000000': 20, '852329000000': 15 })
  t.equal(lines[0].rate.country, 'SA')
  for (const extra of ['', '&include=rate']) {
    const found = (await get(`/api/v1/search?q=magnetic&country=SA${extra}`, auth)).body.data
    t.match(ratesOf(found), { '852321': 20, '852329': 15 }, `search${extra}`)
  }
  const resolved = (await get('/api/v1/resolve?codes=8523.21&country=SA', auth)).body.data
  t.equal(resolved[0].record.tariff_rate, 20)
  const posted = (await post('/api/v1/resolve', { codes: ['8523.21'], country: 'AE' }, auth)).body.data
  t.equal(posted[0].record.tariff_rate, 100)
  const lists = (await get('/api/v1/hs-codes/8523?country=SA&include=children,rate', auth)).body.data.children.items
  t.strictSame(ratesOf(lists), { '852321': 20, '852329': 15, '852351': 5 })
  t.match(lists[0].rate, { country: 'SA', list: '2026-02-25' })
})

testOnEngines('responses without a country are unchanged, byte for byte', async t => {
  const { get, auth, catalog } = await openService(t)
  const record = catalog.trie.find(FLASH_CARD)
  const plain = catalog.records.text(record)
  for (const query of ['', '?country=', '?country=&as_of='])
    t.equal(dataOf(await get(`/api/v1/hs-codes/${FLASH_CARD}${query}`, auth)), plain, query)
  const { rate } = (await get(`/api/v1/hs-codes/${FLASH_CARD}?include=rate`, auth)).body.data
  t.strictSame(Object.keys(rate), ['from', 'source', 'certainty', 'min', 'max', 'status'])
  const page = await get('/api/v1/hs-codes/8523/children', auth)
  t.equal(
    dataOf(page),
    dataOf(await get('/api/v1/hs-codes/8523/children?country=KW', auth)),
    'a country without a list does not change responses either',
  )
})

testOnEngines('include=rate gives list, date, source and certainty of a country', async t => {
  const { get, auth } = await openService(t)
  const rateOf = async (code: string, country: string) =>
    (await get(`/api/v1/hs-codes/${code}?include=rate&country=${country}`, auth)).body.data.rate
  t.strictSame(await rateOf('852321000000', 'SA'), {
    from: '852321',
    source: 'Saudi list of 2026-02-25',
    certainty: 'derived',
    min: 20,
    max: 20,
    status: 'prohibited',
    country: 'SA',
    list: '2026-02-25',
    date: '2025-11-28',
  })
  t.match(await rateOf('8523', 'SA'), { from: '8523', min: 15, max: 20, list: '2026-02-25', date: '2025-11-27' })
  t.match(
    await rateOf('903121000000', 'SA'),
    { from: '903121', certainty: 'reported' },
    'the prefix 90312 is not a code, so the code below it is named',
  )
  t.match(
    await rateOf('010121', 'SA'),
    { from: '01', certainty: 'published', date: '2020-06-10' },
    'the blank prefix is not a code, so the chapter is named',
  )
  t.match(await rateOf('85', 'AE'), { from: '85', source: 'general rate', list: null, date: null, max: 100 })
  t.match(await rateOf('8517', 'AE'), { certainty: 'published', status: 'normal', country: 'AE', list: null, date: null })
  t.match(await rateOf('8517', 'KW'), { certainty: 'published', country: 'KW', list: null, date: null })
})

testOnEngines('goods without an import rate have the common rate, and a status that says why', async t => {
  const { get, auth } = await openService(t)
  const of = async (code: string, country: string) => {
    const { tariff_rate, rate } = (await get(`/api/v1/hs-codes/${code}?include=rate&country=${country}`, auth)).body.data
    return [tariff_rate, rate.status, rate.min, rate.max]
  }
  t.strictSame(await of('851718', 'SA'), [0, 'prohibited', 0, 0], 'the list prohibits the goods')
  t.strictSame(await of('852351', 'SA'), [5, 'unknown', 5, 5], 'the goods are not in the list')
  t.strictSame(await of('01012910', 'SA'), [6.5, 'unknown', 6.5, 6.5], 'the list has only an export ban')
  t.strictSame(await of('010130', 'AE'), [0, 'prohibited', 0, 0])
  t.strictSame(await of('852329', 'AE'), [5, 'prohibited', 5, 5], 'a control of all GCC states prohibits the goods')
  t.strictSame(await of('852321', 'SA'), [20, 'prohibited', 20, 20], 'a control of the country prohibits the goods')
  t.strictSame(await of('8517', 'SA'), [0, 'normal', 0, 0], 'goods below the code are allowed')
})

testOnEngines('include=controls has the controls of the country in addition to those of all states', async t => {
  const { get, auth } = await openService(t)
  const scopes = async (country: string) =>
    (await get(`/api/v1/hs-codes/852321?include=controls${country}`, auth)).body.data.controls.items.map(
      ({ scope, kind }: { scope: string; kind: string }) => `${scope} ${kind}`,
    )
  t.strictSame(await scopes(''), ['GCC permit'])
  t.strictSame(await scopes('&country=SA'), ['SA prohibited', 'GCC permit', 'SA conformity'])
  t.strictSame(await scopes('&country=AE'), ['GCC permit'])
})

testOnEngines('as_of uses the newest list of that day or earlier', async t => {
  const { get, auth } = await openService(t)
  const of = async (day: string) => {
    const { tariff_rate, rate } = (await get(`/api/v1/hs-codes/852321?country=SA&include=rate&as_of=${day}`, auth)).body.data
    return [tariff_rate, rate.list]
  }
  t.strictSame(await of('2025-11-03'), [10, '2025-11-03'])
  t.strictSame(await of('2026-02-24'), [10, '2025-11-03'])
  t.strictSame(await of('2026-02-25'), [20, '2026-02-25'])
  t.strictSame(await of('2999-12-31'), [20, '2026-02-25'], 'for a future day, the newest list is used')
})

testOnEngines('an unknown country and an unusable day are refused with a message that states the rule', async t => {
  const { get, post, auth } = await openService(t)
  const paths = ['hs-codes/8523?', 'hs-codes/8523/children?', 'hs-codes/8523/lines?', 'search?q=magnetic&', 'resolve?codes=8523&']
  for (const path of paths) {
    const refused = async (query: string) => {
      const { status, body } = await get(`/api/v1/${path}${query}`, auth)
      t.equal(status, 400, path)
      return [body.error.details.parameter, body.error.message]
    }
    t.strictSame(await refused('country=XX'), ['country', 'The parameter country must be AE, SA or KW.'])
    t.strictSame(await refused('as_of=2026-01-01'), ['as_of', 'The parameter as_of needs country.'])
    for (const day of ['2026-02-30', '1990', '2026-1-1', 'today'])
      t.strictSame(await refused(`country=SA&as_of=${day}`), ['as_of', 'The parameter as_of must be a day, such as 2026-02-25.'])
    t.strictSame(await refused('country=SA&as_of=1990-01-01'), [
      'as_of',
      'The parameter as_of must be 2025-11-03 or later, because the first list of SA has this date.',
    ])
    t.strictSame(await refused('country=KW&as_of=2026-01-01'), [
      'as_of',
      'The parameter as_of is not supported for KW: the dataset has no list of this country.',
    ])
  }
  for (const body of [{ country: 5 }, { country: ['SA'] }, { country: 'SA', as_of: 2026 }]) {
    const { status } = await post('/api/v1/resolve', { codes: ['8523'], ...body }, auth)
    t.equal(status, 400, JSON.stringify(body))
  }
})

testOnEngines('with a default country, requests without a country use it and have another ETag', async t => {
  const key = makeKey('pro')
  const auth = { 'x-api-key': key.key }
  const snapshot = await fixtureSnapshot()
  const { get } = await startService(t, [key], new Catalog(snapshot, 'SA'))
  const common = await startService(t, [key], new Catalog(snapshot))
  const rateOf = async (query: string) => (await get(`/api/v1/hs-codes/${FLASH_CARD}${query}`, auth)).body.data.tariff_rate
  t.strictSame(await Promise.all(['', '', '?country=', '?include=rate', '?country=AE'].map(rateOf)), [20, 20, 20, 20, 100])
  t.equal(await rateOf('?as_of=2025-12-01'), 10, 'if there is a default country, as_of does not need country')
  t.equal(
    (await get('/api/v1/search?q=magnetic', auth)).body.data.find((item: Item) => item.hs_code === FLASH_CARD).tariff_rate,
    20,
  )
  t.strictSame(ratesOf((await get('/api/v1/hs-codes/8523/children', auth)).body.data), {
    '852321': 20,
    '852329': 15,
    '852351': 5,
  })
  const tag = (await get(`/api/v1/hs-codes/${FLASH_CARD}`, auth)).headers.get('etag') as string
  t.match(tag, /-SA"$/)
  t.equal((await get(`/api/v1/hs-codes/${FLASH_CARD}`, { ...auth, 'if-none-match': tag })).status, 304)
  t.equal((await common.get(`/api/v1/hs-codes/${FLASH_CARD}`, { ...auth, 'if-none-match': tag })).status, 200)
})
