/** Tests that the library returns the same answers as the HTTP API. */
import t from 'tap'
import { type HsCatalog, openCatalog } from '../../src/index.js'
import { compiledFixture, openService } from '../support/service.js'

/** Opens a server and the library with the same snapshot. */
async function openBoth(t: Parameters<typeof openService>[0]) {
  const { get, auth, catalog } = await openService(t)
  const hs = await openCatalog({ snapshot: await compiledFixture() })
  const data = async (path: string) => (await get(`/api/v1/${path}`, auth)).body.data
  const meta = async (path: string) => (await get(`/api/v1/${path}`, auth)).body.meta
  return { hs, data, meta, catalog }
}

const allCodes = ({ dataset }: HsCatalog, code: (record: number) => string) =>
  Array.from({ length: dataset.records }, (_, record) => code(record))

t.test('lookup returns the record of the HTTP API, and the same object each time', async t => {
  const { hs, catalog } = await openBoth(t)
  for (const [record, code] of allCodes(hs, record => catalog.records.code(record)).entries()) {
    const rendered = JSON.parse(new TextDecoder().decode(catalog.records.bytes(record)))
    t.strictSame(hs.lookup(code), rendered, code)
    t.strictSame(Object.keys(hs.lookup(code) ?? {}), Object.keys(rendered))
    t.equal(hs.lookup(code), hs.lookup(code))
  }
})

t.test('children and lines return the pages of the HTTP API', async t => {
  const { hs, data, meta } = await openBoth(t)
  for (const [path, page] of [
    ['hs-codes/90/children?limit=3&offset=2', hs.children('90', { limit: 3, offset: 2 })],
    ['hs-codes/0101/children', hs.children('0101')],
    ['hs-codes/85/lines?limit=4&offset=1', hs.lines('85', { limit: 4, offset: 1 })],
    ['hs-codes/85/lines?digits=8', hs.lines('85', { digits: 8 })],
    ['hs-codes/852321000000/lines?offset=9', hs.lines('852321000000', { offset: 9 })],
  ] as const) {
    t.strictSame(page?.items, await data(path), path)
    const { total, limit, offset } = await meta(path)
    t.match(page, { total, limit, offset })
  }
  t.strictSame(
    hs.path('85232100')?.map(({ hs_code }) => hs_code),
    ['85', '8523', '852321'],
  )
  t.strictSame(hs.path('85'), [])
})

t.test('searches and suggestions equal those of the HTTP API', async t => {
  const { hs, data, meta } = await openBoth(t)
  for (const [query, options] of [
    ['phones', {}],
    ['هواتف', { limit: 2 }],
    ['cards', { level: 12, within: '8523' }],
    ['cards', { rate: 5, limit: 1 }],
    ['8523', { offset: 2, limit: 3 }],
    ['nothing of that kind', {}],
  ] as const) {
    const parameters = new URLSearchParams({ q: query })
    for (const [name, value] of Object.entries(options)) parameters.set(name, String(value))
    const page = hs.search(query, options)
    const short = page.items.map(({ hs_code, description, tariff_rate }) => ({
      hs_code,
      description,
      tariff_rate,
    }))
    t.strictSame(short, await data(`search?${parameters}`), query)
    t.equal(page.total, (await meta(`search?${parameters}`)).total)
    const { facets } = hs.search(query, { ...options, facets: ['chapter', 'level', 'rate'] })
    for (const counts of Object.values(facets))
      t.equal(
        counts.reduce((sum: number, { count }: { count: number }) => sum + count, 0),
        page.total,
      )
    t.ok(
      page.items.every(item => item === hs.lookup(item.hs_code)),
      'results of a search are whole records',
    )
  }
  for (const typed of ['sm', 'هوا', 'c', 'zzzz'])
    t.strictSame(hs.suggest(typed), await data(`suggest?q=${encodeURIComponent(typed)}`), typed)
  t.strictSame(hs.suggest('ma', { limit: 1, lang: 'en' }), await data('suggest?q=ma&limit=1&lang=en'))
})

t.test('resolved codes, editions, rates, units, controls, notes and examples equal those of the HTTP API', async t => {
  const { hs, data } = await openBoth(t)
  const codes = ['8517.13', '851713', '10121', '851712', '8.5E+11', '8523219', 'x']
  t.strictSame(hs.resolve(codes), await data(`resolve?codes=${encodeURIComponent(codes.join())}`))
  t.strictSame(hs.resolve('851712', { edition: '2017' }), (await data('resolve?codes=851712&edition=2017'))[0])
  t.strictSame(hs.resolve([]), [])
  t.strictSame(hs.editions('2017', '851712'), await data('editions/2017/851712'))
  t.strictSame(hs.editions('2012', '852320'), await data('editions/2012/852320'))
  t.equal(hs.editions('2017', '999999'), null)
  t.strictSame(hs.editions('2028', '851718'), await data('editions/2028/851718'))
  t.equal(hs.editions('2028', '851716'), null)
  const record = await data('hs-codes/85232100?include=editions,rate')
  const { 2028: _, ...earlier } = record.editions
  t.strictSame(hs.earlier('85232100'), earlier)
  t.strictSame(hs.rate('85232100'), record.rate)
  t.strictSame(hs.unit('010719'), (await data('hs-codes/010719?include=unit')).unit)
  t.equal(hs.unit('8523'), null)
  t.strictSame(hs.controls('852329'), (await data('hs-codes/852329?include=controls')).controls)
  const { notes, see_also } = await data('hs-codes/852329?include=notes,see_also')
  t.strictSame([hs.notesOn('852329'), hs.seeAlso('852329')], [notes, see_also])
  for (const scope of ['85', 'S16', 'rules']) t.strictSame(hs.notes(scope), await data(`notes/${scope}`), scope)
  t.strictSame(hs.examples('851713'), (await data('hs-codes/851713?include=examples')).examples)
  t.strictSame(hs.dataset, await data('dataset'))
})

t.test('classified texts equal those of the HTTP API', async t => {
  const { hs, data } = await openBoth(t)
  const classified = async (query: string) => (await data(`classify?${query}`)).items[0]
  t.strictSame(hs.classify('magnetic cards'), await classified('text=magnetic%20cards'))
  const saudi = { country: 'SA', as_of: '2026-03-01' } as const
  t.strictSame(
    hs.classify(' magnetic cards ', { within: ['8523', '01'], hs_code: '852321', level: 12, limit: 2, ...saudi }),
    await classified('text=+magnetic+cards+&within=8523,01&hs_code=852321&level=12&limit=2&country=SA&as_of=2026-03-01'),
  )
  const items = hs.classify(['magnetic cards', { text: 'horses', within: '01' }], { limit: 1 })
  t.strictSame(items, [await classified('text=magnetic+cards&limit=1'), await classified('text=horses&within=01&limit=1')])
  t.strictSame(hs.classify([]), [])
  t.ok([items, items[0], items[0]?.candidates, items[0]?.candidates[0]?.description].every(Object.isFrozen))
})

t.test('answers for a country equal those of the HTTP API', async t => {
  const { hs, data } = await openBoth(t)
  const terms = { country: 'SA', as_of: '2026-03-01' } as const
  const query = 'country=SA&as_of=2026-03-01'
  t.strictSame(hs.lookup('852321', terms), await data(`hs-codes/852321?${query}`))
  t.equal(hs.lookup('852321', { country: 'ae' })?.tariff_rate, 100)
  t.equal(hs.lookup('852321', { country: 'SA', as_of: '2025-12-01' })?.tariff_rate, 10)
  t.equal(hs.lookup('852321')?.tariff_rate, 5, 'without a country, the rate is the common one')
  t.strictSame(hs.children('8523', terms)?.items, await data(`hs-codes/8523/children?${query}`))
  t.strictSame(hs.lines('8523', terms)?.items, await data(`hs-codes/8523/lines?${query}`))
  t.strictSame(
    hs.search('magnetic', terms).items.map(({ tariff_rate }) => tariff_rate),
    (await data(`search?q=magnetic&${query}`)).map(({ tariff_rate }: { tariff_rate: number }) => tariff_rate),
  )
  const codesAt = (rate: number) => hs.search('magnetic', { ...terms, rate }).items.map(({ hs_code }) => hs_code)
  t.strictSame(
    codesAt(20),
    (await data(`search?q=magnetic&rate=20&${query}`)).map(({ hs_code }: { hs_code: string }) => hs_code),
  )
  t.match(codesAt(20)[0], /^852321/, 'the filter finds a code by its rate in the country')
  t.strictSame(codesAt(5), [], 'the filter does not use the common rate')
  t.strictSame(hs.resolve(['8523.21'], terms), await data(`resolve?codes=8523.21&${query}`))
  const { rate, controls } = await data(`hs-codes/852321?include=rate,controls&${query}`)
  t.strictSame([hs.rate('852321', terms), hs.controls('852321', terms)], [rate, controls])
  t.throws(() => hs.lookup('85', { country: 'XX' as 'SA' }), { code: 'invalid_parameter', details: { parameter: 'country' } })
  t.throws(() => hs.lookup('85', { as_of: '2026-01-01' }), { code: 'invalid_parameter', details: { parameter: 'as_of' } })
  t.throws(() => hs.rate('85', { country: 5 as never }), { code: 'invalid_parameter', details: { parameter: 'country' } })
})

t.test('estimates equal those of the HTTP API, including the exact amounts', async t => {
  const { hs, data } = await openBoth(t)
  for (const [query, estimate] of [
    ['hs_code=85&value=1000', hs.tariff('85', 1000)],
    ['hs_code=85&value=1000&include_vat=1', hs.tariff('85', 1000, { include_vat: true })],
    ['hs_code=85&value=1000', hs.tariff('85', 1000, { include_vat: false, vat_rate: 15 })],
    ['hs_code=85&value=1000&include_vat=0&vat_rate=15', hs.tariff('85', 1000, { include_vat: false })],
    ['hs_code=85&value=1000&vat_rate=15', hs.tariff('85', 1000, { vat_rate: 15 })],
    ['hs_code=85&value=1000&vat_rate=', hs.tariff('85', 1000, { vat_rate: '' })],
    [
      'hs_code=85&value=99.9&include_vat=1&vat_rate=15&currency=sar',
      hs.tariff('85', '99.9', { vat_rate: '15', currency: 'sar' }),
    ],
    [
      'hs_code=852329&value=99.95&country=SA&as_of=2026-03-01&origin=CH&freight=5&convert=1',
      hs.tariff('852329', 99.95, { country: 'sa', as_of: '2026-03-01', origin: 'CH', freight: 5, convert: true }),
    ],
  ] as const) {
    if (estimate === null) throw new Error(`no estimate for ${query}`)
    t.strictSame(estimate, await data(`tariff/calculate?${query}&include=exact`), query)
  }
  t.equal(
    hs.tariff('85', '999999999999.99', { vat_rate: 15 })?.exact.landed_cost,
    '1207499999999.987925',
    'exact amounts have more digits than a number can hold',
  )
})

t.test('answers about codes and scopes that do not exist are null', async t => {
  const { hs } = await openBoth(t)
  for (const answer of [
    hs.lookup('0999'),
    hs.children('0999'),
    hs.lines('0999'),
    hs.path('0999'),
    hs.earlier('0999'),
    hs.rate('0999'),
    hs.examples('0999'),
    hs.unit('0999'),
    hs.controls('0999'),
    hs.notes('77'),
    hs.notes('S22'),
    hs.notesOn('0999'),
    hs.seeAlso('0999'),
    hs.tariff('0999', 1),
    hs.lookup('851712'),
  ])
    t.equal(answer, null)
})

t.test('all results are deeply frozen', async t => {
  const { hs } = await openBoth(t)
  const assertFrozen = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return
    t.ok(Object.isFrozen(value), `${path} is frozen`)
    for (const [name, inner] of Object.entries(value)) assertFrozen(inner, `${path}.${name}`)
  }
  assertFrozen(hs.dataset, 'dataset')
  assertFrozen(hs.lookup('85'), 'lookup')
  assertFrozen(hs.search('phones', { facets: ['chapter', 'level'] }), 'search')
  assertFrozen(hs.suggest('sm'), 'suggest')
  assertFrozen(hs.children('85'), 'children')
  assertFrozen(hs.lines('85'), 'lines')
  assertFrozen(hs.path('852321'), 'path')
  assertFrozen(hs.resolve(['851712', 'x'], { edition: '2017' }), 'resolve')
  assertFrozen(hs.editions('2017', '851712'), 'editions')
  assertFrozen(hs.editions('2028', '851718'), 'next edition')
  assertFrozen(hs.earlier('851713'), 'earlier')
  assertFrozen(hs.rate('851713'), 'rate')
  assertFrozen(hs.examples('851713'), 'examples')
  assertFrozen(hs.unit('851713'), 'unit')
  assertFrozen(hs.controls('852329'), 'controls')
  assertFrozen(hs.notes('85'), 'notes')
  assertFrozen(hs.notesOn('852329'), 'notes on a code')
  assertFrozen(hs.seeAlso('852329'), 'see also')
  assertFrozen(hs.tariff('85', 1), 'tariff')
})
