import t from 'tap'
import { fixtureCatalog, makeKey, startService, testOnEngines } from '../support/service.js'

const MOST = '2147483647'
const HEADERS = ['limit-minute', 'remaining-minute', 'limit-day', 'remaining-day']

testOnEngines('every answer to a key without limits has the same four rate-limit headers', async t => {
  const key = makeKey('free', { unlimited: true })
  const { get, post } = await startService(t, [key], await fixtureCatalog())
  const auth = { 'x-api-key': key.key }
  const codes = Array.from({ length: 1_000 }, () => '85')
  const answers = [
    await get('/api/v1/hs-codes/85', auth),
    await get('/api/v1/hs-codes/85', auth, 'HEAD'),
    await get('/api/v1/hs-codes/77', auth),
    await get('/api/v1/health', auth),
    await post('/api/v1/resolve', { codes }, auth),
    await post('/api/v1/resolve', { codes }, auth),
    await post('/api/v1/tariff/calculate', { items: [{ hs_code: '85', value: 1 }] }, auth),
  ]
  for (let n = 0; n < 40; n++) answers.push(await get('/api/v1/hs-codes/85', auth))
  for (const { status, headers } of answers) {
    t.not(status, 429)
    t.strictSame(
      HEADERS.map(name => headers.get(`x-ratelimit-${name}`)),
      [MOST, MOST, MOST, MOST],
    )
  }
  t.equal(answers.at(-1)?.status, 200)
})

t.test('an unlimited key expires after its last day', async t => {
  const key = makeKey('pro', { unlimited: true, expires_at: '2026-05-04' })
  const { get, clock } = await startService(t, [key], await fixtureCatalog())
  t.equal((await get('/api/v1/hs-codes/85', { 'x-api-key': key.key })).status, 200)
  clock.forward(86_400_000)
  t.match(await get('/api/v1/hs-codes/85', { 'x-api-key': key.key }), {
    status: 401,
    body: { error: { code: 'api_key_expired' } },
  })
})
