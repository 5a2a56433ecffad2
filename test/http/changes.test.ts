import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openCatalog } from '../../src/index.js'
import {
  catalogOf,
  compiledFixture,
  FIXTURE,
  makeKey,
  openService,
  startService,
  temporaryDirectory,
  testOnEngines,
} from '../support/service.js'

const brief = (changes: { version: string; kind: string; hs_code: string }[]) =>
  changes.map(({ version, kind, hs_code }) => `${version} ${kind} ${hs_code}`)

const NO_TERMS = { unit_amount: null, minimum: null, unit: null, sugar_from: null, sugar_below: null, since: null, until: null }
const VAT = { ...NO_TERMS, tax: 'vat', rate: 15, applies: 'yes' }
const SUGAR = {
  ...NO_TERMS,
  tax: 'excise',
  rate: null,
  unit_amount: 0.79,
  unit: 'l',
  sugar_from: 5,
  sugar_below: 8,
  applies: 'perhaps',
  since: '2027-01-01',
}

testOnEngines('changes after a version are listed, newest version first, then by kind and code', async t => {
  const { get, auth } = await openService(t)
  const all = await get('/api/v1/changes', auth)
  t.strictSame(brief(all.body.data), [
    '1.2.3 rate 852321',
    '1.2.3 words 8517',
    '1.2.3 words 851713',
    '1.2.0 added 852351',
    '1.2.0 removed 852340',
    '1.2.0 active 0101',
  ])
  t.match(all.body.meta, { total: 6, limit: 50, offset: 0, count: 6 })
  t.strictSame(all.body.data[0], {
    version: '1.2.3',
    kind: 'rate',
    hs_code: '852321',
    old: { tariff_rate: 0 },
    new: { tariff_rate: 5 },
  })
  t.match(all.body.data[1], { old: { description: { en: 'Phones', ar: 'هواتف' } } })
  t.match(all.body.data[3], { old: null, new: { description: { en: 'Solid-state storage' }, tariff_rate: 5 } })
  t.match(all.body.data[4], { old: { description: { en: 'Optical media' } }, new: null })
  t.match(all.body.data[5], { old: { is_active: false }, new: { is_active: true } })
  const since = async (version: string, more = '') => (await get(`/api/v1/changes?since=${version}${more}`, auth)).body
  t.equal((await since('1.1.0')).meta.total, 6)
  t.equal((await since('1.2.0')).meta.total, 3)
  t.strictSame((await since('1.2.3')).data, [], 'nothing has changed since the version in use')
  t.strictSame(brief((await since('1.1.0', '&kind=words')).data), ['1.2.3 words 8517', '1.2.3 words 851713'])
})

testOnEngines(
  'the parameter codes lists only changes of these codes, of codes below them, and of the code that a padded line repeats',
  async t => {
    const { get, auth } = await openService(t)
    const of = async (codes: string, more = '') => (await get(`/api/v1/changes?codes=${codes}${more}`, auth)).body
    t.strictSame(brief((await of('8517')).data), ['1.2.3 words 8517', '1.2.3 words 851713'])
    t.strictSame(brief((await of('851713')).data), ['1.2.3 words 851713'])
    t.strictSame(brief((await of('851713000000,01')).data), ['1.2.3 words 851713', '1.2.0 active 0101'])
    t.strictSame(brief((await of('852340')).data), ['1.2.0 removed 852340'], 'a removed code has its changes')
    t.strictSame((await of('851714')).data, [])
    t.match((await of('8517,8523,8517', '&limit=2&offset=1')).meta, { total: 5, count: 2 })
    t.strictSame(brief((await of('85', '&kind=words&since=1.2.0')).data), ['1.2.3 words 8517', '1.2.3 words 851713'])
    for (const codes of ['8', '8517.13', 'x', '8517,', Array(101).fill('85').join()]) {
      const { error } = await of(codes)
      t.match(error, { code: 'invalid_parameter', message: /1 to 100 codes of digits only/, details: { parameter: 'codes' } })
    }
    t.equal((await of(Array(100).fill('85').join())).meta.total, 5)
  },
)

testOnEngines('changes of country terms, controls and units are separate kinds, and are listed for all codes below', async t => {
  const dataset = join(temporaryDirectory(t), 'dataset')
  cpSync(FIXTURE, dataset, { recursive: true })
  const file = join(dataset, 'changes.csv')
  const [header, ...rows] = readFileSync(file, 'utf8').trimEnd().split('\n')
  const terms = [
    '1.2.3,unit,851713,,u,,,,,',
    '1.2.3,taxes,8523,vat 15 %,vat 15 %; excise 0.79 by l sugar 5-8 perhaps from 2027-01-01,,,,,SA',
    '1.2.3,country_rate,8517,5,prohibited,,,,,SA',
    '1.2.3,country_rate,8517,5,7.5,,,,,AE',
    '1.2.3,controls,85,permit TDRA; restricted,,,,,,',
    '1.2.3,controls,85,,conformity SASO,,,,,SA',
  ]
  writeFileSync(file, `${[`${header},country`, ...rows.map(row => `${row},`), ...terms].join('\n')}\n`)
  const key = makeKey('pro', { per_minute: 1000 })
  const { get, url } = await startService(t, [key], await catalogOf(dataset))
  const of = async (query: string) => (await get(`/api/v1/changes?${query}`, { 'x-api-key': key.key })).body
  const { data } = await of('')
  t.strictSame(
    brief(data.slice(0, 3)),
    ['1.2.3 rate 852321', '1.2.3 words 8517', '1.2.3 words 851713'],
    'the changes of rates and words come first, as without the new kinds',
  )
  t.strictSame(data.slice(3, 9), [
    {
      version: '1.2.3',
      kind: 'country_rate',
      hs_code: '8517',
      country: 'SA',
      old: { tariff_rate: 5 },
      new: { rate_status: 'prohibited' },
    },
    {
      version: '1.2.3',
      kind: 'country_rate',
      hs_code: '8517',
      country: 'AE',
      old: { tariff_rate: 5 },
      new: { tariff_rate: 7.5 },
    },
    { version: '1.2.3', kind: 'taxes', hs_code: '8523', country: 'SA', old: { taxes: [VAT] }, new: { taxes: [VAT, SUGAR] } },
    {
      version: '1.2.3',
      kind: 'controls',
      hs_code: '85',
      old: {
        controls: [
          { kind: 'permit', authority: 'TDRA' },
          { kind: 'restricted', authority: null },
        ],
      },
      new: { controls: [] },
    },
    {
      version: '1.2.3',
      kind: 'controls',
      hs_code: '85',
      country: 'SA',
      old: { controls: [] },
      new: { controls: [{ kind: 'conformity', authority: 'SASO' }] },
    },
    { version: '1.2.3', kind: 'unit', hs_code: '851713', old: { unit: null }, new: { unit: 'u' } },
  ])
  const kindsOf = async (codes: string) => (await of(`codes=${codes}&since=1.2.0`)).data.map((one: { kind: string }) => one.kind)
  t.strictSame(await kindsOf('852329000000'), ['taxes', 'controls', 'controls'], 'changes of the codes above are listed')
  t.strictSame(await kindsOf('851713000000'), ['words', 'country_rate', 'country_rate', 'controls', 'controls', 'unit'])
  t.strictSame(await kindsOf('90'), [])
  t.equal((await of('kind=taxes')).meta.total, 1)
  const feed = await (await fetch(`${url}/changes.atom`, { headers: { connection: 'close' } })).text()
  t.match(
    feed,
    /descriptions changed: 2; rates of a country changed: 2; taxes of a country changed: 1; controls changed: 2; units/,
  )
})

testOnEngines('pages of any size, joined, are the whole list', async t => {
  const { get, auth } = await openService(t)
  const { data } = (await get('/api/v1/changes', auth)).body
  for (const limit of [1, 2, 4, 5]) {
    const pages: unknown[] = []
    for (let offset = 0; offset < 8; offset += limit)
      pages.push(...(await get(`/api/v1/changes?limit=${limit}&offset=${offset}`, auth)).body.data)
    t.strictSame(pages, data)
  }
})

testOnEngines(
  'an unknown version is refused with the list of known ones; other invalid parameters are refused as well',
  async t => {
    const { get, auth } = await openService(t)
    for (const [query, message, parameter] of [
      ['since=1.0.0', 'The parameter since must be a version of the dataset: 1.2.3, 1.2.0 or 1.1.0.', 'since'],
      ['since=x', /must be a version/, 'since'],
      ['kind=prices', /kind must be added, removed, rate, active, words, country_rate, taxes, controls or unit\./, 'kind'],
      ['limit=51', /limit/, 'limit'],
      ['offset=-1', /offset/, 'offset'],
      ['since=%ff', /percent-encoding/, 'since'],
    ] as const) {
      const { status, body } = await get(`/api/v1/changes?${query}`, auth)
      t.equal(status, 400, query)
      t.match(body.error, { code: 'invalid_parameter', message, details: { parameter } })
    }
    t.equal((await get('/api/v1/changes')).status, 401)
  },
)

testOnEngines('a dataset without the tables, or whose own version is not in them, has no changes', async t => {
  for (const missing of ['releases.csv', 'changes.csv']) {
    const dataset = join(temporaryDirectory(t), 'dataset')
    cpSync(FIXTURE, dataset, { recursive: true })
    for (const file of missing === 'releases.csv' ? ['releases.csv', 'changes.csv'] : ['changes.csv']) rmSync(join(dataset, file))
    const key = makeKey('pro')
    const { get } = await startService(t, [key], await catalogOf(dataset))
    const { body } = await get('/api/v1/changes', { 'x-api-key': key.key })
    t.strictSame(body.data, [])
    const since = await get('/api/v1/changes?since=1.2.0', { 'x-api-key': key.key })
    if (missing === 'changes.csv') t.strictSame(since.body.data, [], 'these versions changed no code')
    else t.match(since.body.error, { message: /this dataset has no list of changes/ })
  }
})

testOnEngines('the feed needs no key, in both languages and every encoding', async t => {
  const { url } = await openService(t)
  const feed = (query = '', headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${url}/changes.atom${query}`, { method, headers: { 'accept-encoding': 'identity', connection: 'close', ...headers } })
  const english = await feed()
  t.equal(english.headers.get('content-type'), 'application/atom+xml')
  t.equal(english.headers.get('content-language'), 'en')
  t.equal(english.headers.get('vary'), 'Accept-Encoding, Accept-Language')
  t.equal(english.headers.get('cache-control'), 'public, max-age=3600')
  const xml = await english.text()
  t.match(xml, /^<\?xml version="1\.0" encoding="utf-8"\?>\n<feed xmlns="http:\/\/www\.w3\.org\/2005\/Atom" xml:lang="en">/)
  t.match(xml, /<id>urn:hsapi:dataset:1\.2\.3<\/id><title>Dataset 1\.2\.3<\/title><updated>2026-05-01T00:00:00Z<\/updated>/)
  t.match(xml, /Cards &amp; &quot;tapes&quot; are &lt; new\.\n\ncodes added: 0; .*rates changed: 1; .*descriptions changed: 2\./)
  t.match(xml, /<id>urn:hsapi:dataset:1\.2\.0<\/id>.*<content>codes added: 1; codes removed: 1/)
  t.match(await (await feed('?lang=ar')).text(), /xml:lang="ar".*<content>بطاقات جديدة\./s)
  t.equal((await feed('', { 'accept-language': 'ar-SA' })).headers.get('content-language'), 'ar')
  const head = await feed('', {}, 'HEAD')
  t.equal(head.headers.get('content-length'), String(Buffer.byteLength(xml)))

  const tag = english.headers.get('etag') ?? ''
  t.equal((await feed('', { 'accept-encoding': 'gzip', 'if-none-match': tag })).status, 200, 'each encoding has its own tag')
  t.equal((await feed('', { 'if-none-match': tag })).status, 304)
})

testOnEngines('before the dataset is loaded, the feed is refused like all other requests', async t => {
  const { get } = await startService(t, [])
  const { status, headers } = await get('/changes.atom')
  t.equal(status, 503)
  t.equal(headers.get('retry-after'), '1')
})

testOnEngines('the library returns the same changes', async t => {
  const { get, auth } = await openService(t)
  const hs = await openCatalog({ snapshot: await compiledFixture() })
  for (const [query, options] of [
    ['', {}],
    ['?since=1.2.0&limit=2&offset=1', { since: '1.2.0', limit: 2, offset: 1 }],
    ['?kind=removed', { kind: 'removed' }],
  ] as const) {
    const { data, meta } = (await get(`/api/v1/changes${query}`, auth)).body
    const page = hs.changes(options)
    t.strictSame(page.items, data)
    t.match(page, { total: meta.total, limit: meta.limit, offset: meta.offset })
  }
  t.throws(() => hs.changes({ since: '9.9.9' }), { code: 'invalid_parameter', details: { parameter: 'since' } })
})
