import type { Route } from '../../src/http/routes.js'
import { fixtureCatalog, makeKey, openService, startService, testOnEngines } from '../support/service.js'

testOnEngines('codes that a spreadsheet has changed get one answer each, in order', async t => {
  const { get, auth } = await openService(t)
  const sent = ['852321', '8523.21', '10121', '٨٥٢٣', '8.5E+5', '852399', 'tea', '852321000000']
  const { body } = await get(`/api/v1/resolve?codes=${encodeURIComponent(sent.join())}`, auth)
  t.strictSame(
    body.data.map((one: { input: string }) => one.input),
    sent,
  )
  t.strictSame(
    body.data.map((one: { status: string; hs_code: string }) => [one.status, one.hs_code]),
    [
      ['found', '852321'],
      ['normalised', '852321'],
      ['normalised', '010121'],
      ['normalised', '8523'],
      ['invalid', null],
      ['unknown', null],
      ['invalid', null],
      ['found', '852321000000'],
    ],
  )
  const [found, , , heading, scientific, unknown, , line] = body.data
  t.strictSame(Object.keys(found), ['input', 'status', 'hs_code', 'declarable', 'lines', 'nearest', 'candidates', 'record'])
  t.strictSame(found.record, (await get('/api/v1/hs-codes/852321', auth)).body.data)
  t.match(found, { declarable: false, lines: 1 })
  t.match(heading, { declarable: false, lines: 3 })
  t.match(line, { declarable: true, lines: 1 })
  t.match(scientific.reason, /Scientific notation/)
  t.match(unknown, { nearest: '8523', record: null, lines: 0 })
  t.equal(body.meta.count, sent.length)
})

testOnEngines('codes of earlier editions are resolved to current codes', async t => {
  const { get, auth } = await openService(t)
  const of = async (code: string, edition: string) =>
    (await get(`/api/v1/resolve?codes=${code}&edition=${edition}`, auth)).body.data[0]
  t.match(await of('852310', '2017'), { status: 'moved', hs_code: '852329', candidates: ['852329'] })
  t.match(
    await of('85231090', '2017'),
    { status: 'moved', hs_code: '852329' },
    'a longer code is resolved by its first six digits',
  )
  t.match(await of('851712', '2017'), {
    status: 'ambiguous',
    hs_code: null,
    candidates: ['851713', '851718'],
    record: null,
  })
  t.match(await of('851718', '2017'), { status: 'found', hs_code: '851718' })
  t.match(await of('852321', '2017'), { status: 'found', hs_code: '852321' }, 'a code that is in no table is unchanged')
  t.match(await of('852321', '2012'), { status: 'unknown', hs_code: null }, 'the code did not exist in 2012')
  t.match(await of('851712', '2022'), {
    status: 'unknown',
    nearest: '8517',
    candidates: ['851713', '851718'],
  })
})

testOnEngines('a list that counts as exactly the limit of its key is refused only until the next minute', async t => {
  const key = makeKey('free', { per_minute: 6, per_day: 100 })
  const { get, post, clock } = await startService(t, [key], await fixtureCatalog())
  const auth = { 'x-api-key': key.key }
  const codes = Array.from({ length: 6 }, () => '8523')
  const lists = [
    () => get(`/api/v1/resolve?codes=${codes}`, auth),
    () => post('/api/v1/resolve', { codes }, auth),
    () => post('/api/v1/classify', { items: codes.map(() => ({ text: 'horses' })) }, auth),
  ]
  for (const ask of lists) {
    await get('/api/v1/hs-codes/85', auth)
    const refused = await ask()
    t.equal(refused.status, 429)
    t.equal(refused.headers.get('retry-after'), '60')
    t.match(refused.body.error.message, 'Try again in 60 seconds.')
    clock.forward(60_000)
    t.equal((await ask()).status, 200)
    clock.forward(60_000)
  }
})

testOnEngines(
  'each code of a body counts as a request: the first is charged before the body is read, the others are charged together or not at all',
  async t => {
    const key = makeKey('free', { per_minute: 30, per_day: 100 })
    const { get, post } = await startService(t, [key], await fixtureCatalog())
    const auth = { 'x-api-key': key.key }
    const resolve = (body: unknown, headers: Record<string, string> = {}) =>
      post('/api/v1/resolve', body, { ...auth, ...headers })
    const left = (answer: { headers: Headers }) => Number(answer.headers.get('x-ratelimit-remaining-minute'))
    const codes = (n: number) => Array.from({ length: n }, () => '8523')

    const first = await resolve({ codes: codes(18), edition: '2022' })
    t.equal(first.status, 200)
    t.equal(first.body.data.length, 18)
    t.equal(left(first), 12)
    t.equal(first.headers.get('etag'), null, 'answers to POST have no tag')

    const tooMany = await resolve({ codes: codes(13) })
    t.equal(tooMany.status, 429)
    t.equal(left(tooMany), 11, 'only the first request is charged')
    t.match(tooMany.body.error.message, /used up/)
    const query = await get(`/api/v1/resolve?codes=${codes(12).join()}`, auth)
    t.equal(query.status, 429)
    t.equal(left(query), 11, 'a refused query is not charged')

    const never = await resolve({ codes: codes(31) })
    t.equal(never.status, 429)
    t.match(never.body.error.message, /counts as 31 requests, more than this key's limit of 30/)
    t.equal(left(never), 10)
    t.ok(Number(never.headers.get('retry-after')) >= 1)

    for (const [body, headers, status, code] of [
      ['[', {}, 400, 'invalid_parameter'],
      ['[]', {}, 400, 'invalid_parameter'],
      ['{"codes":"8523"}', {}, 400, 'invalid_parameter'],
      ['{"codes":[]}', {}, 400, 'invalid_parameter'],
      ['{"codes":[8523]}', {}, 400, 'invalid_parameter'],
      ['{"codes":["8523"],"edition":"2007"}', {}, 400, 'invalid_parameter'],
      ['{"codes":["8523"]}', { 'content-type': 'text/csv' }, 415, 'unsupported_media_type'],
    ] as const) {
      const answer = await resolve(body, headers)
      t.equal(answer.status, status, body)
      t.equal(answer.body.error.code, code)
    }
    t.equal(left(await resolve({ codes: ['8523'] })), 2, 'each refused body counted as one request')
  },
)

testOnEngines('fields of a body accept several types; a refusal names the field', async t => {
  const { post, auth } = await openService(t)
  const resolve = async (body: unknown) => (await post('/api/v1/resolve', body, auth)).body
  for (const edition of ['2017', 2017])
    t.match((await resolve({ codes: ['852310'], edition })).data[0], { status: 'moved', hs_code: '852329' })
  for (const [edition, rule] of [
    ...[2007, '2007', '?'].map(one => [one, '2022, 2017 or 2012']),
    ...[20.17, true, null, [], {}, [2017]].map(one => [one, 'a string or a whole number']),
  ])
    t.match((await resolve({ codes: ['852310'], edition })).error, {
      code: 'invalid_parameter',
      message: `The parameter edition must be ${rule}.`,
      details: { parameter: 'edition' },
    })
  for (const codes of [8523, '8523', null, {}, [], [8523], ['8523', null], [['8523']]])
    t.match((await resolve({ codes })).error.details, { parameter: 'codes' })
})

testOnEngines('a country and a day choose the rates of resolved codes, in a body as in a query', async t => {
  const { get, post, auth } = await openService(t)
  for (const [terms, rate] of [
    [{}, 5],
    [{ country: 'SA' }, 20],
    [{ country: 'SA', as_of: '2025-12-01' }, 10],
  ] as const) {
    const query = new URLSearchParams({ codes: '852321', ...terms })
    const asked = (await get(`/api/v1/resolve?${query}`, auth)).body.data
    t.equal(asked[0].record.tariff_rate, rate, String(query))
    t.strictSame((await post('/api/v1/resolve', { codes: ['852321'], ...terms }, auth)).body.data, asked)
  }
})

testOnEngines('the key is checked before the number of charged requests is calculated', async t => {
  const [key, spent] = [makeKey('free'), makeKey('free', { per_minute: 0 })]
  let found = 0
  const route: Route = {
    kind: 'keyed',
    path: '/many',
    prepare: () => ({
      handle: (_req, out) => out.openData().ascii('1').endRecord(),
      charge: () => {
        found++
        return 3
      },
    }),
  }
  const { url } = await startService(t, [key, spent], await fixtureCatalog(), [route])
  const ask = (key: string) => fetch(`${url}/many`, { headers: { 'x-api-key': key, connection: 'close' } })
  for (const [sent, status] of [
    ['', 401],
    ['wrong', 401],
    [spent.key, 429],
  ] as const)
    t.equal((await ask(sent)).status, status)
  t.equal(found, 0)
  t.equal((await ask(key.key)).headers.get('x-ratelimit-remaining-minute'), '27')
  t.equal(found, 1)
})

testOnEngines('a thousand codes are accepted in a body and fifty in a query, but not one more', async t => {
  const { get, post, auth } = await openService(t)
  const resolve = (codes: string[]) => post('/api/v1/resolve', { codes }, auth)
  const thousand = Array.from({ length: 1000 }, (_, i) => (i % 2 === 0 ? '9031' : '"\u0000بضاعة'))
  const { status, body } = await resolve(thousand)
  t.equal(status, 200)
  t.strictSame(
    body.data.map((one: { input: string }) => one.input),
    thousand,
  )
  t.equal((await resolve([...thousand, '85'])).status, 400)
  const fifty = Array.from({ length: 50 }, () => '85').join()
  t.equal((await get(`/api/v1/resolve?codes=${fifty}`, auth)).body.data.length, 50)
  t.equal((await get(`/api/v1/resolve?codes=${fifty},85`, auth)).body.error.details.parameter, 'codes')
  t.equal((await get('/api/v1/resolve', auth)).body.error.details.parameter, 'codes')
  t.equal((await get('/api/v1/resolve?codes=%zz', auth)).body.error.details.parameter, 'codes')
  t.equal((await get('/api/v1/resolve?codes=85&edition=1996', auth)).body.error.details.parameter, 'edition')
  t.match((await get('/api/v1/resolve?codes=85,,85', auth)).body.data[1], { input: '', status: 'invalid' })
})

testOnEngines('a refused request to read codes counts as one request', async t => {
  const { get, post, auth } = await openService(t)
  const left = async () => Number((await get('/api/v1/health', auth)).headers.get('x-ratelimit-remaining-day'))
  const before = await left()
  t.equal((await get('/api/v1/resolve?codes=85,86&edition=1999', auth)).status, 400)
  t.equal(before - (await left()), 1)
  t.equal((await post('/api/v1/resolve', { codes: ['85', '86'], edition: '1999' }, auth)).status, 400)
  t.equal(before - (await left()), 2)
})
