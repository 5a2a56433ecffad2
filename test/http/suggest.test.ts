import fc from 'fast-check'
import { makeKey, openService, startService, testOnEngines } from '../support/service.js'

type Item = { text: string; lang: string; hs_code: string; description: { en: string; ar: string } }
const path = (q: string, more = '') => `/api/v1/suggest?q=${encodeURIComponent(q)}${more}`

testOnEngines('a suggestion has the four fields of the contract, in order', async t => {
  const { get, auth } = await openService(t)
  const { status, body } = await get(path('smart', '&limit=1'), auth)
  t.equal(status, 200)
  t.strictSame(body.data, [
    {
      text: 'smartphones',
      lang: 'en',
      hs_code: '851713',
      description: { en: 'Smartphones', ar: 'هواتف ذكية' },
    },
  ])
  t.strictSame(Object.keys(body.data[0]), ['text', 'lang', 'hs_code', 'description'])
  t.strictSame(Object.keys(body.meta), ['count', 'timestamp', 'api_version'])
  t.equal(body.meta.count, 1)
})

testOnEngines('one letter is enough, in both languages, and the language can be requested', async t => {
  const { get, auth } = await openService(t)
  const ask = async (q: string, more = ''): Promise<Item[]> => (await get(path(q, more), auth)).body.data
  t.ok((await ask('s')).length > 1)
  t.ok((await ask('s')).every(({ lang, text }) => lang === 'en' && / s|^s/i.test(text)))
  t.ok((await ask('ج')).some(({ lang, text }) => lang === 'ar' && text === 'جوال'))
  t.equal((await ask('ج', '&limit=1')).length, 1)
  t.strictSame(await ask('s', '&lang=ar'), [])
  t.strictSame(await ask('s', '&lang=en&limit='), await ask('s'))
  t.strictSame(await ask('smartfone'), await ask('smart'))
})

testOnEngines('each suggestion has the description of its own record', async t => {
  const { get, auth } = await openService(t)
  for (const q of ['m', 'h', 'م', 'ه', 'cards']) {
    for (const { hs_code, description } of (await get(path(q, '&limit=20'), auth)).body.data) {
      const { body } = await get(`/api/v1/hs-codes/${hs_code}`, auth)
      t.strictSame(description, body.data.description, hs_code)
      t.ok(body.data.is_active)
    }
  }
})

testOnEngines('parameters that are too short, too long or invalid are refused', async t => {
  const { get, auth } = await openService(t)
  for (const [query, code, parameter] of [
    ['', 'query_too_short'],
    ['q=', 'query_too_short'],
    ['q=+++', 'query_too_short'],
    [`q=${'a'.repeat(61)}`, 'invalid_parameter', 'q'],
    ['q=%E0%A4', 'invalid_parameter', 'q'],
    ['q=a&limit=0', 'invalid_parameter', 'limit'],
    ['q=a&limit=21', 'invalid_parameter', 'limit'],
    ['q=a&limit=x', 'invalid_parameter', 'limit'],
    ['q=a&limit=%E0', 'invalid_parameter', 'limit'],
    ['q=a&lang=fr', 'invalid_parameter', 'lang'],
    ['q=a&lang=EN', 'invalid_parameter', 'lang'],
    ['q=a&lang=%E0', 'invalid_parameter', 'lang'],
  ] as const) {
    const { status, body } = await get(`/api/v1/suggest?${query}`, auth)
    t.equal(status, 400, query)
    t.equal(body.error.code, code, query)
    t.equal(body.error.details?.parameter, parameter, query)
  }
  const { body } = await get('/api/v1/suggest', auth)
  t.match(body.error.message, /at least 1 character/)
  t.equal((await get(path('😀'.repeat(60)), auth)).status, 200, 'characters are code points')
})

testOnEngines('suggest requires a key, is counted, supports HEAD, and answers 503 until the dataset is loaded', async t => {
  const service = await openService(t)
  t.equal((await service.get(path('s'))).body.error.code, 'missing_api_key')
  const left = (answer: { headers: Headers }) => Number(answer.headers.get('x-ratelimit-remaining-minute'))
  const first = await service.get(path('s'), service.auth)
  const second = await service.get(path('s'), service.auth, 'HEAD')
  t.equal(left(second), left(first) - 1)
  t.equal(second.headers.get('content-length'), first.headers.get('content-length'))
  t.equal((await service.get(path('s'), service.auth, 'POST')).status, 405)
  const key = makeKey('free')
  const empty = await startService(t, [key])
  t.equal((await empty.get(path('s'), { 'x-api-key': key.key })).body.error.code, 'db_unavailable')
})

testOnEngines('any text is answered without an internal error', async t => {
  const { get, auth, faults } = await openService(t)
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 62, size: 'max' }), async q => {
      const wellFormed = /\p{Surrogate}/u.test(q) ? '%ED%A0%80' : encodeURIComponent(q)
      const { status } = await get(`/api/v1/suggest?q=${wellFormed}`, auth)
      return status === 200 || status === 400
    }),
    { numRuns: 150 },
  )
  t.strictSame(faults, [])
})
