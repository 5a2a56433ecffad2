import fc from 'fast-check'
import t from 'tap'
import { batchesOf, mapConcurrently } from '../../src/client/batches.js'
import { HsapiClient } from '../../src/client/index.js'
import { BODY_BYTES_MAX, CLASSIFY_BODY_BYTES_MAX } from '../../src/limits.js'
import { clientOn, fakeServer } from '../support/client.js'
import { makeKey, testOnEngines } from '../support/service.js'

testOnEngines('codes are resolved in order, 1,000 per request', async t => {
  const { client, seen } = await clientOn(t)
  const codes = Array.from({ length: 2_345 }, (_, i) => String(i))
  const answers = await client.resolve(codes)
  t.strictSame(
    answers.map(answer => answer.input),
    codes,
  )
  const sizes = seen.map(one => JSON.parse(one.body).codes.length).sort()
  t.strictSame(sizes, [1000, 1000, 345])
  seen.length = 0
  t.strictSame(await client.resolve([]), [])
  t.equal(seen.length, 0, 'an empty list sends no request')
})

testOnEngines('the option batch sets the number of items per request', async t => {
  const { client, seen } = await clientOn(t, { batch: 2, concurrency: 1 })
  await client.resolve(['01', '85', '90'])
  t.strictSame(
    seen.map(one => one.body),
    ['{"codes":["01","85"]}', '{"codes":["90"]}'],
  )
  const sizes = () => seen.splice(0).map(({ body }) => Object.values<unknown[]>(JSON.parse(body)).map(({ length }) => length))
  sizes()
  await client.searchMany(['cards', 'horses', 'tapes'])
  t.strictSame(sizes(), [[2], [1]])
  await client.classify(['cards', 'horses', 'tapes'])
  t.strictSame(sizes(), [[2], [1]])
})

testOnEngines('if the limit refuses a later batch, the error has the time to wait as retryAfter', async t => {
  const { client } = await clientOn(t, { batch: 2, concurrency: 1, waitMsMax: 0 }, makeKey('free', { per_minute: 3 }))
  const refusal = { code: 'rate_limit_exceeded', status: 429, retryAfter: 60 }
  await t.rejects(client.classify(['cards', 'horses', 'tapes', 'telephones']), refusal)
})

testOnEngines('if the server refuses a batch, the call fails with its error', async t => {
  const { client } = await clientOn(t, { batch: 1 })
  await t.rejects(client.resolve(['85', '01'], { edition: '1999' }), {
    code: 'invalid_parameter',
    details: { parameter: 'edition' },
  })
})

testOnEngines('titles are classified in order, 100 per request', async t => {
  const { client, seen } = await clientOn(t)
  const titles = Array.from({ length: 234 }, (_, i) => (i % 2 === 0 ? `card ${i}` : { text: `horse ${i}`, within: ['01', '85'] }))
  const answers = await client.classify(titles, { level: 4, limit: 1, country: 'sa', as_of: '2026-03-01' })
  t.strictSame(
    answers.map(answer => answer.text),
    titles.map((title, i) => (typeof title === 'string' ? title : `horse ${i}`)),
  )
  const sent = seen.map(one => JSON.parse(one.body))
  t.strictSame(sent.map(({ items }) => items.length).sort(), [100, 100, 34])
  t.match(sent[0], { level: 4, limit: 1, country: 'sa', as_of: '2026-03-01' })
  seen.length = 0
  t.strictSame(await client.classify([]), [])
  t.equal(seen.length, 0)
  const long = Array.from({ length: 100 }, () => ({ text: '\u0001'.repeat(500) }))
  t.equal((await client.classify(long)).length, 100)
  t.equal(seen.length, 2, 'titles that do not fit into one body are sent in two bodies')
})

testOnEngines('a refused title is reported with its position in the whole list', async t => {
  const { client } = await clientOn(t, { batch: 30, concurrency: 1 })
  const titles = Array.from({ length: 100 }, (_, i) => (i === 77 ? 'x' : 'horses'))
  await t.rejects(client.classify(titles), {
    code: 'invalid_parameter',
    status: 400,
    message: /^The parameter items\[77\]\.text must/,
    details: { parameter: 'items[77].text' },
  })
  await t.rejects(client.classify(titles, { limit: 0 }), { message: /limit/, details: { parameter: 'limit' } })
})

testOnEngines('searches are answered in order, 50 per request, or fewer if include makes the answers long', async t => {
  const { client, seen } = await clientOn(t, { concurrency: 1 })
  const queries = Array.from({ length: 120 }, (_, i) => (i % 2 === 0 ? `card ${i}` : { q: `horse ${i}`, limit: 2 }))
  const answers = await client.searchMany(queries)
  t.strictSame(
    answers.map(({ q }) => q),
    queries.map((query, i) => (typeof query === 'string' ? query : `horse ${i}`)),
  )
  const sizes = () => seen.splice(0).map(one => JSON.parse(one.body).queries.length)
  t.strictSame(sizes(), [50, 50, 20])
  await client.searchMany([...queries.slice(0, 59), { q: 'cards', limit: 10 }], { include: ['path'] })
  t.strictSame(sizes(), [25, 25, 10])
  t.strictSame(await client.searchMany([]), [])
  t.equal(seen.length, 0)
  const wrong = Array.from({ length: 60 }, (_, i) => ({ q: i === 55 ? (5 as unknown as string) : 'horses' }))
  await t.rejects(client.searchMany(wrong), { code: 'invalid_parameter', details: { parameter: 'queries[55].q' } })
})

t.test('a response whose items do not match the request is refused', async t => {
  const meta = { timestamp: '2026-05-04T12:00:00+00:00', api_version: '1.0.0' }
  for (const data of [[{ input: '01' }], [{}, {}, {}], null, { items: [{}] }]) {
    const { url } = await fakeServer(t, (_, res) => res.end(JSON.stringify({ success: true, data, meta })))
    const client = new HsapiClient({ url })
    const refusal = { code: 'unexpected_answer', status: 200, message: /2 / }
    await t.rejects(client.resolve(['01', '85']), refusal, JSON.stringify(data))
    const items = ['01', '85'].map(hs_code => ({ hs_code, value: 1 }))
    await t.rejects(client.invoice(items), refusal, JSON.stringify(data))
    await t.rejects(client.classify(['horses', 'cards']), refusal, JSON.stringify(data))
    if (!Array.isArray(data) || data.length !== 2) await t.rejects(client.searchMany(['horses', 'cards']), refusal)
  }
})

t.test('batches contain all codes in order, and each batch fits into a body', async () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.nat(2_000)).map(([text, times]) => text.repeat(times))),
      fc.integer({ min: 1, max: 20 }),
      fc.constantFrom(BODY_BYTES_MAX, CLASSIFY_BODY_BYTES_MAX),
      (codes, countMax, bytesMax) => {
        const batches = batchesOf(codes, countMax, bytesMax)
        const fits = batches.every(
          codes =>
            codes.length >= 1 &&
            codes.length <= countMax &&
            (codes.length === 1 || Buffer.byteLength(JSON.stringify({ codes, edition: '2017' })) <= bytesMax),
        )
        return fits && JSON.stringify(batches.flat()) === JSON.stringify(codes)
      },
    ),
    { numRuns: 30 },
  )
})

t.test('batches leave room in a body for the fields beside the items', async t => {
  const terms = { level: 12, limit: 20, country: 'SA', as_of: '2026-02-25' }
  for (const item of ['0902', 'x'.repeat(37), 'ش'.repeat(50)])
    for (const bytesMax of [1_000, 1_001, 1_010, 1_025]) {
      const [items = []] = batchesOf(Array(500).fill(item), 500, bytesMax)
      const bytes = Buffer.byteLength(JSON.stringify({ ...terms, items }))
      t.ok(bytes <= bytesMax, `${items.length} times "${item}" take ${bytes} of ${bytesMax} bytes`)
    }
})

t.test('an item that is longer than a body is sent alone', async t => {
  const long = 'x'.repeat(BODY_BYTES_MAX)
  t.strictSame(batchesOf([long, 'a', 'b', long], 10), [[long], ['a', 'b'], [long]])
})

t.test('the number of concurrent requests does not exceed its maximum', async t => {
  let inProgress = 0
  let most = 0
  const answers = await mapConcurrently([...Array(20).keys()], 3, undefined, async item => {
    most = Math.max(most, ++inProgress)
    await new Promise(done => setImmediate(done))
    inProgress--
    return item * 2
  })
  t.equal(most, 3)
  t.strictSame(
    answers,
    [...Array(20).keys()].map(item => item * 2),
  )
})

t.test('a failure aborts the requests in progress, and no further request starts', async t => {
  const started: number[] = []
  const aborted: number[] = []
  const failure = new Error('one failed')
  await t.rejects(
    mapConcurrently([0, 1, 2, 3, 4, 5], 2, undefined, async (item, signal) => {
      started.push(item)
      if (item === 1) throw failure
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          aborted.push(item)
          reject(signal.reason)
        })
      })
    }),
    failure,
  )
  t.strictSame([started, aborted], [[0, 1], [0]])
  const controller = new AbortController()
  const reason = new Error('stop')
  const call = mapConcurrently([0], 1, controller.signal, (_, signal) => {
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  controller.abort(reason)
  await t.rejects(call, reason)
})
