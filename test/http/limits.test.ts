import fc from 'fast-check'
import type { Answer } from '../support/contract.js'
import { fixtureCatalog, makeKey, startService, type TestKey, testOnEngines } from '../support/service.js'

const PATH = '/api/v1/hs-codes/85'
const figures = ({ headers }: Answer) =>
  ['Limit-Minute', 'Remaining-Minute', 'Limit-Day', 'Remaining-Day'].map(name => Number(headers.get(`X-RateLimit-${name}`)))

testOnEngines('each tier has its limits, and every answer shows the remaining requests', async t => {
  const keys = { free: makeKey('free'), basic: makeKey('basic'), pro: makeKey('pro') }
  const { get } = await startService(t, Object.values(keys), await fixtureCatalog())
  t.strictSame(figures(await get(PATH, { 'x-api-key': keys.free.key })), [30, 29, 1000, 999])
  t.strictSame(figures(await get(PATH, { 'x-api-key': keys.basic.key })), [60, 59, 5000, 4999])
  t.strictSame(figures(await get(PATH, { 'x-api-key': keys.pro.key })), [200, 199, 50000, 49999])
  t.strictSame(
    figures(await get('/api/v1/hs-codes/x', { 'x-api-key': keys.free.key })),
    [30, 28, 1000, 998],
    'refused requests count',
  )
  t.strictSame(figures(await get('/api/v1/hs-codes/99', { 'x-api-key': keys.free.key })), [30, 27, 1000, 997])
})

testOnEngines('without a valid key, responses show the limits of an unused Free key', async t => {
  const { get } = await startService(t, [makeKey('pro')], await fixtureCatalog())
  for (const path of [PATH, '/api/v1/health', '/openapi.json', '/nowhere']) {
    t.strictSame(figures(await get(path)), [30, 30, 1000, 1000], path)
    t.strictSame(figures(await get(path, { 'x-api-key': 'bad' })), [30, 30, 1000, 1000], path)
  }
})

testOnEngines('health with a key shows the figures of the key and charges nothing', async t => {
  const { key, record } = makeKey('basic')
  const { get } = await startService(t, [{ key, record }], await fixtureCatalog())
  const headers = { 'x-api-key': key }
  await get(PATH, headers)
  t.strictSame(figures(await get('/api/v1/health', headers)), [60, 59, 5000, 4999])
  t.strictSame(figures(await get('/api/v1/health', headers)), [60, 59, 5000, 4999])
})

testOnEngines('the minute opens at the first request and lasts 60 seconds', async t => {
  const { key, record } = makeKey('free', { per_minute: 3 })
  const { get, clock } = await startService(t, [{ key, record }], await fixtureCatalog())
  const ask = () => get(PATH, { 'x-api-key': key })
  clock.forward(12_345)
  await ask()
  clock.forward(30_000)
  await ask()
  t.equal((await ask()).status, 200)
  const refused = await ask()
  t.equal(refused.status, 429)
  t.equal(refused.body.error.code, 'rate_limit_exceeded')
  t.equal(refused.headers.get('retry-after'), '30')
  t.equal(refused.body.error.message, 'This key has used up its requests for now. Try again in 30 seconds.')
  t.strictSame(figures(refused), [3, 0, 1000, 997], 'a refused request is not counted')
  clock.forward(29_999)
  const late = await ask()
  t.equal(late.headers.get('retry-after'), '1')
  t.match(late.body.error.message, /Try again in 1 second\.$/)
  clock.forward(1)
  t.strictSame(figures(await ask()), [3, 2, 1000, 996])
})

testOnEngines('the day is the UTC calendar day', async t => {
  const { key, record } = makeKey('free', { per_day: 2 })
  const { get, clock } = await startService(t, [{ key, record }], await fixtureCatalog())
  const ask = () => get(PATH, { 'x-api-key': key })
  await ask()
  await ask()
  const refused = await ask()
  t.equal(refused.status, 429)
  t.equal(refused.headers.get('retry-after'), String(12 * 3600))
  clock.forward(12 * 3600 * 1000 - 1)
  t.equal((await ask()).headers.get('retry-after'), '1')
  clock.forward(1)
  t.equal((await ask()).status, 200)
})

testOnEngines('if both windows are exhausted, Retry-After is that of the window that ends later', async t => {
  const { key, record } = makeKey('free', { per_minute: 1, per_day: 1 })
  const { get } = await startService(t, [{ key, record }], await fixtureCatalog())
  const ask = () => get(PATH, { 'x-api-key': key })
  await ask()
  t.equal((await ask()).headers.get('retry-after'), String(12 * 3600))
})

testOnEngines('a key with a limit of 0 is refused with 429', async t => {
  const { key, record } = makeKey('free', { per_minute: 0 })
  const { get } = await startService(t, [{ key, record }], await fixtureCatalog())
  const refused = await get(PATH, { 'x-api-key': key })
  t.equal(refused.status, 429)
  t.equal(refused.headers.get('retry-after'), '60')
  t.notMatch(refused.body.error.message, 'list', 'a single request is not called a list')
})

testOnEngines('HEAD counts as a request', async t => {
  const { key, record } = makeKey('free')
  const { get } = await startService(t, [{ key, record }], await fixtureCatalog())
  t.strictSame(figures(await get(PATH, { 'x-api-key': key }, 'HEAD')), [30, 29, 1000, 999])
})

testOnEngines('keys of very different limits, in any order, each see their own figures', async t => {
  const limits = [1, 9, 10, 30, 999, 1_000, 65_536, 1_000_000, 999_999_999, 2_000_000_000]
  const keys = limits.map((per_minute, i) => makeKey('free', { per_minute, per_day: limits.at(-1 - i) ?? 1 }))
  const { get } = await startService(t, keys, await fixtureCatalog())
  const used = keys.map(() => 0)
  const turn = fc.tuple(fc.nat(keys.length - 1), fc.constantFrom(PATH, '/api/v1/hs-codes/99', '/api/v1/hs-codes/x'))
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 12 }), async turns => {
      for (const [i, path] of turns) {
        const { key, record } = keys[i] as TestKey
        const [perMinute, perDay] = [record.per_minute as number, record.per_day as number]
        const answer = await get(path, { 'x-api-key': key })
        if (answer.status !== 429) used[i] = (used[i] as number) + 1
        const left = used[i] as number
        const expected = [perMinute, perMinute - left, perDay, perDay - left]
        if (figures(answer).join() !== expected.join()) return false
        if ((answer.status === 429) !== (answer.headers.get('retry-after') !== null)) return false
      }
      return true
    }),
    { numRuns: 60 },
  )
})
