import fc from 'fast-check'
import type { Classified } from '../../src/answers/shapes.js'
import { CLASSIFY_BODY_BYTES_MAX } from '../../src/limits.js'
import { dataOf, fixtureCatalog, makeKey, openService, startService, testOnEngines } from '../support/service.js'

const PATH = '/api/v1/classify'

const url = (parameters: Record<string, string>) => `${PATH}?${new URLSearchParams(parameters)}`

testOnEngines(
  'a title has candidates, best first, within the requested codes and with the requested number of digits',
  async t => {
    const { get, post, auth } = await openService(t)
    const one = async (parameters: Record<string, string>): Promise<Classified> =>
      (await get(url(parameters), auth)).body.data.items[0]
    const found = await one({ text: ' Magnetic cards, black ' })
    t.strictSame(Object.keys(found), ['text', 'status', 'candidates', 'question', 'verdict'])
    t.match(found, { text: ' Magnetic cards, black ', status: /^(clear|choose|ask)$/, verdict: null })
    t.strictSame(Object.keys(found.candidates[0] ?? {}), ['hs_code', 'description', 'level', 'tariff_rate', 'score', 'matched'])
    for (const level of [4, 6, 8, 12])
      for (const within of ['', '85', '8523,01', '852321'])
        for (const limit of [1, 3, 20]) {
          const { candidates } = await one({ text: 'magnetic cards', within, level: `${level}`, limit: `${limit}` })
          const scores = candidates.map(({ score }) => score)
          t.ok(candidates.length <= limit)
          t.strictSame(
            scores,
            scores.toSorted((a, b) => b - a),
          )
          t.ok(scores.every(score => score >= 0 && score <= 1 && Number(score.toFixed(3)) === score))
          for (const { hs_code, level: digits } of candidates) {
            t.ok(within.split(',').some(code => hs_code.startsWith(code) || code.startsWith(hs_code)))
            t.ok(hs_code.length <= level && hs_code.length === digits)
          }
        }
    t.strictSame((await one({ text: 'مغناطيسية' })).text, 'مغناطيسية')
    t.match(await one({ text: 'zzzzqqqq' }), { status: 'unknown', candidates: [], question: null })
    const verified = await one({ text: 'magnetic cards', hs_code: '852321' })
    t.match(verified.verdict, { status: /^(agrees|doubtful|contradicts)$/, against: Array })
    const wrong = await one({ text: 'magnetic cards', hs_code: '0101' })
    t.ok(wrong.verdict?.status !== 'agrees')
    t.ok((wrong.verdict?.against.length ?? 0) > 0)

    const rates = async (terms: Record<string, string>) =>
      (await one({ text: 'magnetic', within: '852321', ...terms })).candidates.map(({ tariff_rate }) => tariff_rate)
    t.ok((await rates({})).every(rate => rate === 5))
    t.ok((await rates({ country: 'sa', as_of: '2026-03-01' })).every(rate => rate === 20))

    const items = [
      { text: 'magnetic cards' },
      { text: 'horses', within: ['01', '8523'] },
      { text: 'smartphone 5G', within: '85', hs_code: '851713' },
    ]
    const shared = { level: 8, limit: 2, country: 'SA', as_of: '2026-03-01' }
    const all = await post(PATH, { items, ...shared }, auth)
    t.equal(all.status, 200)
    const alone = items.map(item =>
      url({ ...item, within: String(item.within ?? ''), level: '8', limit: '2', country: 'SA', as_of: '2026-03-01' }),
    )
    const each = await Promise.all(alone.map(path => get(path, auth)))
    t.equal(dataOf(all), `{"items":[${each.map(answer => dataOf(answer).slice('{"items":['.length, -2)).join()}]}`)
    const [first] = items
    const single = await post(PATH, { items: [first] }, auth)
    t.equal(dataOf(single), dataOf(await get(url({ text: 'magnetic cards' }), auth)))
  },
)

/** Refused bodies, and the parameter that the error names. */
const REFUSED: [unknown, string][] = [
  [[], 'body'],
  ['{}', 'body'],
  [null, 'body'],
  [7, 'body'],
  [{}, 'items'],
  [{ items: {} }, 'items'],
  [{ items: [] }, 'items'],
  [{ items: Array(101).fill({ text: 'tea' }) }, 'items'],
  [{ items: ['tea'] }, 'items[0]'],
  [{ items: [{ text: 'tea' }, null] }, 'items[1]'],
  [{ items: [[]] }, 'items[0]'],
  [{ items: [{}] }, 'items[0].text'],
  [{ items: [{ text: 5 }] }, 'items[0].text'],
  [{ items: [{ text: ['tea'] }] }, 'items[0].text'],
  [{ items: [{ text: ' x ' }] }, 'items[0].text'],
  [{ items: [{ text: '🚗' }] }, 'items[0].text'],
  [{ items: [{ text: 'tea' }, { text: 'tea' }, { text: 'tea' }, { text: '🚗'.repeat(501) }] }, 'items[3].text'],
  [{ items: [{ text: 'tea', within: 85 }] }, 'items[0].within'],
  [{ items: [{ text: 'tea', within: null }] }, 'items[0].within'],
  [{ items: [{ text: 'tea', within: [] }] }, 'items[0].within'],
  [{ items: [{ text: 'tea', within: [''] }] }, 'items[0].within'],
  [{ items: [{ text: 'tea', within: ['85', 1] }] }, 'items[0].within'],
  [{ items: [{ text: 'tea', within: Array(21).fill('85') }] }, 'items[0].within'],
  [{ items: [{ text: 'tea', within: '8' }] }, 'items[0].within'],
  [{ items: [{ text: 'tea', within: '8523.21' }] }, 'items[0].within'],
  [{ items: [{ text: 'tea', within: '8523210000000' }] }, 'items[0].within'],
  [{ items: [{ text: 'tea', within: '852399' }] }, 'items[0].within'],
  [{ items: [{ text: 'tea', within: ['85', '77'] }] }, 'items[0].within'],
  [{ items: [{ text: 'tea', hs_code: 8523 }] }, 'items[0].hs_code'],
  [{ items: [{ text: 'tea', hs_code: null }] }, 'items[0].hs_code'],
  [{ items: [{ text: 'tea', hs_code: ['85'] }] }, 'items[0].hs_code'],
  [{ items: [{ text: 'tea', hs_code: '8523.21' }] }, 'items[0].hs_code'],
  [{ items: [{ text: 'tea' }, { text: 'tea', hs_code: '852399' }] }, 'items[1].hs_code'],
  [{ items: [{ text: 'tea' }], level: 2 }, 'level'],
  [{ items: [{ text: 'tea' }], level: '6' }, 'level'],
  [{ items: [{ text: 'tea' }], level: null }, 'level'],
  [{ items: [{ text: 'tea' }], limit: 0 }, 'limit'],
  [{ items: [{ text: 'tea' }], limit: 21 }, 'limit'],
  [{ items: [{ text: 'tea' }], limit: 1.5 }, 'limit'],
  [{ items: [{ text: 'tea' }], limit: '5' }, 'limit'],
  [{ items: [{ text: 'tea' }], country: 'XX' }, 'country'],
  [{ items: [{ text: 'tea' }], country: 5 }, 'country'],
  [{ items: [{ text: 'tea' }], country: 'SA', as_of: 20260301 }, 'as_of'],
  [{ items: [{ text: 'tea' }], as_of: '2026-03-01' }, 'as_of'],
]

testOnEngines(
  'an invalid value is refused with the name of its parameter, and one invalid item refuses the whole list',
  async t => {
    const { get, post, auth } = await openService(t)
    for (const [body, parameter] of REFUSED) {
      const { status, body: answer } = await post(PATH, JSON.stringify(body), auth)
      t.equal(status, 400, JSON.stringify(body).slice(0, 80))
      t.match(answer.error, { code: 'invalid_parameter', details: { parameter } })
      t.match(answer.error.message, `The parameter ${parameter} `)
    }
    for (const [parameters, parameter] of [
      [{}, 'text'],
      [{ text: 'x' }, 'text'],
      [{ text: 'x'.repeat(501) }, 'text'],
      [{ text: 'tea', within: '8' }, 'within'],
      [{ text: 'tea', within: '85,' }, 'within'],
      [{ text: 'tea', within: '85,77' }, 'within'],
      [{ text: 'tea', hs_code: '85.23' }, 'hs_code'],
      [{ text: 'tea', hs_code: '852399' }, 'hs_code'],
      [{ text: 'tea', level: '10' }, 'level'],
      [{ text: 'tea', level: 'x' }, 'level'],
      [{ text: 'tea', limit: '21' }, 'limit'],
      [{ text: 'tea', country: 'XX' }, 'country'],
      [{ text: 'tea', as_of: '2026-03-01' }, 'as_of'],
    ] as const) {
      const { status, body } = await get(url(parameters), auth)
      t.equal(status, 400, JSON.stringify(parameters))
      t.match(body.error, { code: 'invalid_parameter', details: { parameter } })
    }
    t.match((await get(`${PATH}?text=%zz`, auth)).body.error.details, { parameter: 'text' })
    const unknown = (await post(PATH, { items: [{ text: 'tea', hs_code: '852399' }] }, auth)).body.error
    t.match(unknown, {
      message:
        'The parameter items[0].hs_code must be an existing code: HS code 852399 is not in the dataset; the nearest code above it is 8523.',
      details: { nearest: '8523' },
    })
    const moved = (await get(url({ text: 'phone', hs_code: '851712' }), auth)).body.error
    t.strictSame(moved.details.moved_to, ['851713', '851718'])
    for (const accepted of [
      { text: 'horses', within: '', hs_code: '' },
      { text: 'x'.repeat(500) },
      { text: '🐎'.repeat(500) },
      { text: 'horses', within: Array(20).fill('01') },
      { text: 'horses', sku: 'x'.repeat(100) },
    ])
      t.equal((await post(PATH, { items: [accepted] }, auth)).status, 200, JSON.stringify(accepted).slice(0, 60))
  },
)

testOnEngines(
  'n items count as n requests: one is charged before the body is read, the others are charged together or not at all',
  async t => {
    const key = makeKey('free', { per_minute: 30, per_day: 100 })
    const { get, post } = await startService(t, [key], await fixtureCatalog())
    const auth = { 'x-api-key': key.key }
    const titles = (n: number) => ({ items: Array.from({ length: n }, () => ({ text: 'horses' })) })
    const left = (answer: { headers: Headers }) => Number(answer.headers.get('x-ratelimit-remaining-minute'))
    const first = await post(PATH, titles(18), auth)
    t.equal(first.status, 200)
    t.equal(first.body.data.items.length, 18)
    t.equal(left(first), 12)
    t.equal(first.headers.get('etag'), null)
    t.equal(left(await get(url({ text: 'horses' }), auth)), 11)
    const tooMany = await post(PATH, titles(12), auth)
    t.equal(tooMany.status, 429)
    t.equal(left(tooMany), 10, 'only the first request is charged')
    const never = await post(PATH, titles(31), auth)
    t.match(never.body.error.message, /counts as 31 requests, more than/)
    t.equal(left(await post(PATH, titles(0), auth)), 8, 'an invalid request counts as one')
    t.equal(left(await post(PATH, titles(8), auth)), 0)
    t.equal((await post(PATH, titles(1))).status, 401)
  },
)

testOnEngines('GET has an ETag and gives 304 for it, and HEAD has the Content-Length of GET', async t => {
  const { get, auth } = await openService(t)
  const path = url({ text: 'magnetic cards' })
  const plain = await get(path, auth)
  const tag = plain.headers.get('etag') ?? ''
  t.equal(tag, (await get('/api/v1/hs-codes/85', auth)).headers.get('etag'))
  t.equal((await get(path, { ...auth, 'if-none-match': tag })).status, 304)
  const head = await get(path, auth, 'HEAD')
  t.equal(head.text, '')
  t.equal(head.headers.get('content-length'), plain.headers.get('content-length'))
  const put = await get(path, auth, 'PUT')
  t.equal(put.headers.get('allow'), 'GET, HEAD, POST')
})

testOnEngines('a body may be up to 256 KiB, with or without Content-Length; bodies of other paths up to 64 KiB', async t => {
  const { post, url: base, auth } = await openService(t)
  const body = (bytes: number) => {
    const text = '{"items":[{"text":"tea"}]}'
    return text + ' '.repeat(bytes - text.length)
  }
  const chunked = async (bytes: number) => {
    const text = new TextEncoder().encode(body(bytes))
    const stream = new ReadableStream({
      start(controller) {
        for (let at = 0; at < text.length; at += 50_000) controller.enqueue(text.subarray(at, at + 50_000))
        controller.close()
      },
    })
    const headers = { ...auth, 'content-type': 'application/json', connection: 'close' }
    const answer = await fetch(base + PATH, { method: 'POST', body: stream, headers, duplex: 'half' } as RequestInit)
    return { status: answer.status, body: JSON.parse(await answer.text()) }
  }
  t.equal((await post(PATH, body(CLASSIFY_BODY_BYTES_MAX), auth)).status, 200)
  t.equal((await chunked(CLASSIFY_BODY_BYTES_MAX)).status, 200)
  for (const answer of [await post(PATH, body(CLASSIFY_BODY_BYTES_MAX + 1), auth), await chunked(CLASSIFY_BODY_BYTES_MAX + 1)]) {
    t.equal(answer.status, 413)
    t.match(answer.body.error, { code: 'body_too_large', message: /262144 bytes/ })
  }
  const other = await post('/api/v1/resolve', body(65_537), auth)
  t.match(other.body.error, { code: 'body_too_large', message: /65536 bytes/ })
})

testOnEngines('any JSON body gets an answer or a refusal', async t => {
  const { post, auth, faults } = await openService(t)
  const text = fc.oneof(
    fc.string({ unit: 'binary', minLength: 4, maxLength: 40, size: 'max' }),
    fc.constantFrom('magnetic cards', 'خيول'),
  )
  const some = (value: fc.Arbitrary<unknown>) => fc.oneof({ weight: 19, arbitrary: value }, fc.jsonValue())
  const codes = fc.constantFrom('85', '8523', '852321', '852321000000')
  const item = fc.record(
    { text: some(text), within: some(fc.oneof(codes, fc.array(codes, { minLength: 1, maxLength: 3 }))), hs_code: some(codes) },
    { requiredKeys: ['text'] },
  )
  const body = fc.record(
    {
      items: some(fc.array(some(item), { minLength: 1, maxLength: 5 })),
      level: some(fc.constantFrom(4, 6, 8, 12)),
      limit: some(fc.integer({ min: 1, max: 20 })),
      country: some(fc.constantFrom('SA', 'ae', '')),
    },
    { requiredKeys: ['items'] },
  )
  let answered = 0
  await fc.assert(
    fc.asyncProperty(fc.oneof({ weight: 9, arbitrary: body }, fc.jsonValue()), async sent => {
      const { status } = await post(PATH, JSON.stringify(sent), auth)
      if (status === 200) answered++
      return status === 200 || status === 400
    }),
    { numRuns: 150 },
  )
  t.ok(answered > 0, `${answered} bodies got an answer`)
  t.strictSame(faults, [])
})
