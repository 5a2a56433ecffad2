import fc from 'fast-check'
import { KEY_BATCHES_MAX, SEARCHES_INCLUDING_MAX, SEARCHES_MAX } from '../../src/limits.js'
import { fixtureCatalog, makeKey, openService, startService, testOnEngines } from '../support/service.js'

const PATH = '/api/v1/search'

testOnEngines('each query has its page, as GET answers it, or its own refusal, in order', async t => {
  const { get, post, auth } = await openService(t)
  const queries = [
    { q: 'stripe' },
    { q: 'x' },
    { q: 'magnetic cards', level: 8, within: '85', limit: 2, offset: 1 },
    { q: 'cards', level: 5 },
    { q: 'cards', within: '8' },
    { q: 'cards', within: 85 },
    { q: 'cards', limit: 51 },
    { q: 'cards', limit: '5' },
    { q: 'cards', offset: -1 },
    { q: 'cards', rate: -5 },
    { q: 'cards', rate: '5' },
    { q: 'cards', level: null },
    { q: 'a'.repeat(201) },
    { q: ' خيول ', rate: 5, limit: 50 },
    { q: '852321' },
  ]
  for (const shared of [
    {},
    { include: ['matched', 'path'], facets: ['chapter', 'level', 'rate'], country: 'SA', as_of: '2026-03-01' },
    { include: ['rate'], fields: ['hs_code', 'description.ar'] },
  ]) {
    const all = await post(PATH, { queries, ...shared }, auth)
    t.equal(all.status, 200)
    t.equal(all.body.meta.count, queries.length)
    const each = await Promise.all(
      queries.map(async query => {
        const named = Object.entries({ limit: 5, ...query, ...shared }).map(
          ([name, value]) => [name, String(value ?? 'null')] as [string, string],
        )
        return get(`${PATH}?${new URLSearchParams(named)}`, auth)
      }),
    )
    for (const [i, { q, ...query }] of queries.entries()) {
      const { status, body } = each[i] as (typeof each)[number]
      const answer = all.body.data[i]
      // types do not exist in a query string
      const isMistyped = Object.values(query).some(value => value === '5' || value === 85)
      if (status === 200 && !isMistyped) {
        const { total, limit, offset } = body.meta
        const facets = body.facets === undefined ? {} : { facets: body.facets }
        t.strictSame(answer, { q, items: body.data, total, limit, offset, ...facets }, q)
        t.equal(JSON.stringify(answer.items), JSON.stringify(body.data), 'the fields are in the same order')
      } else if (isMistyped) t.match(answer, { q, error: { code: 'invalid_parameter' } })
      else t.strictSame(answer, { q, error: { code: body.error.code, message: body.error.message } })
    }
  }
  const single = await post(PATH, { queries: [{ q: 'iphone' }], include: ['matched'] }, auth)
  t.match(single.body.data, [{ q: 'iphone', items: [{ hs_code: '851713', matched: { text: String, lang: 'en' } }] }])
  const tooMany = await post(PATH, { queries: [{ q: 'iphone', limit: 1000 }, { q: 'iphone' }], include: ['matched'] }, auth)
  t.match(tooMany.body.data, [{ error: { code: 'invalid_parameter' } }, { items: [{ hs_code: '851713' }] }])
})

const REFUSED: [unknown, string][] = [
  [[], 'body'],
  [null, 'body'],
  ['{}', 'body'],
  [{}, 'queries'],
  [{ queries: {} }, 'queries'],
  [{ queries: [] }, 'queries'],
  [{ queries: Array(SEARCHES_MAX + 1).fill({ q: 'tea' }) }, 'queries'],
  [{ queries: ['tea'] }, 'queries[0]'],
  [{ queries: [{ q: 'tea' }, null] }, 'queries[1]'],
  [{ queries: [{ q: 'tea' }, []] }, 'queries[1]'],
  [{ queries: [{}] }, 'queries[0].q'],
  [{ queries: [{ q: 5 }] }, 'queries[0].q'],
  [{ queries: [{ q: 'tea' }], include: 'path' }, 'include'],
  [{ queries: [{ q: 'tea' }], include: ['children'] }, 'include'],
  [{ queries: [{ q: 'tea' }], fields: ['colour'] }, 'fields'],
  [{ queries: [{ q: 'tea' }], fields: [5] }, 'fields'],
  [{ queries: [{ q: 'tea' }], facets: ['colour'] }, 'facets'],
  [{ queries: [{ q: 'tea' }], facets: { chapter: true } }, 'facets'],
  [{ queries: [{ q: 'tea' }], country: 'XX' }, 'country'],
  [{ queries: [{ q: 'tea' }], country: 5 }, 'country'],
  [{ queries: [{ q: 'tea' }], as_of: '2026-03-01' }, 'as_of'],
  [{ queries: [{ q: 'tea' }], country: 'SA', as_of: 5 }, 'as_of'],
  [{ queries: Array(6).fill({ q: 'tea', limit: 50 }), include: ['path'] }, 'queries'],
]

testOnEngines('anything other than a list of queries is refused as a whole, with the name of the field', async t => {
  const { post, get, auth } = await openService(t)
  for (const [body, parameter] of REFUSED) {
    const { status, body: answer } = await post(PATH, JSON.stringify(body), auth)
    t.equal(status, 400, JSON.stringify(body).slice(0, 80))
    t.match(answer.error, { code: 'invalid_parameter', details: { parameter } })
  }
  const full = Array(5).fill({ q: 'cards', limit: SEARCHES_INCLUDING_MAX / 5 })
  t.equal((await post(PATH, { queries: full, include: ['path'] }, auth)).status, 200, 'the maximum of queries is accepted')
  t.equal((await post(PATH, { queries: Array(SEARCHES_MAX).fill({ q: 'cards', limit: 50 }) }, auth)).status, 200)
  t.equal((await post(PATH, { queries: [{ q: 'cards' }], include: [], fields: [] }, auth)).status, 200)
  t.equal((await post(PATH, `{"queries":[{"q":"${'x'.repeat(65_536)}"}]}`, auth)).status, 413)
  const put = await get(PATH, auth, 'PUT')
  t.equal(put.headers.get('allow'), 'GET, HEAD, POST')
})

testOnEngines('n queries count as n requests; after the first, all or none are counted', async t => {
  const key = makeKey('free', { per_minute: 20, per_day: 100 })
  const { post } = await startService(t, [key], await fixtureCatalog())
  const auth = { 'x-api-key': key.key }
  const queries = (n: number) => ({ queries: Array.from({ length: n }, (_, i) => ({ q: i % 2 === 0 ? 'horses' : 'x' })) })
  const left = (answer: { headers: Headers }) => Number(answer.headers.get('x-ratelimit-remaining-minute'))
  t.equal(left(await post(PATH, queries(12), auth)), 8)
  const tooMany = await post(PATH, queries(9), auth)
  t.equal(tooMany.status, 429)
  t.equal(left(tooMany), 7, 'only the first request is charged')
  t.match((await post(PATH, queries(21), auth)).body.error.message, /counts as 21 requests, more than/)
  t.equal(left(await post(PATH, queries(0), auth)), 5)
  t.equal((await post(PATH, queries(1))).status, 401)
})

testOnEngines('one search is done per turn of the event loop, so that other requests do not wait for the end', async t => {
  const { get, post, auth } = await openService(t)
  const order: string[] = []
  const many = post(PATH, { queries: Array.from({ length: SEARCHES_MAX }, (_, i) => ({ q: `card ${i}`, limit: 50 })) }, auth)
  await Promise.all([
    many.then(() => order.push('many')),
    new Promise(resolve => setTimeout(resolve, 0)).then(() => get('/api/v1/hs-codes/85', auth)).then(() => order.push('one')),
  ])
  t.equal((await many).body.data.length, SEARCHES_MAX)
  t.equal(order.length, 2)
  const crowd = await Promise.all(
    Array.from({ length: KEY_BATCHES_MAX + 4 }, () => post(PATH, { queries: [{ q: 'cards' }, { q: 'horses' }] }, auth)),
  )
  for (const { status, body } of crowd)
    if (status !== 200) t.match({ status, body }, { status: 503, body: { error: { code: 'busy' } } })
  t.ok(crowd.some(({ status }) => status === 200))
})

testOnEngines('any JSON body gets an answer or a refusal', async t => {
  const { post, auth, faults } = await openService(t)
  const query = fc.record({
    q: fc.string({ unit: 'binary' }),
    level: fc.jsonValue(),
    within: fc.jsonValue(),
    limit: fc.jsonValue(),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.jsonValue(),
        fc.record({ queries: fc.array(fc.oneof(query, fc.jsonValue()), { maxLength: 4 }), facets: fc.jsonValue() }),
      ),
      async body => [200, 400].includes((await post(PATH, JSON.stringify(body), auth)).status),
    ),
    { numRuns: 80 },
  )
  t.strictSame(faults, [])
})
