import { makeKey, openService, startService, testOnEngines } from '../support/service.js'

testOnEngines('health needs no key and says that the dataset is loaded', async t => {
  const { get } = await openService(t)
  const { status, body } = await get('/api/v1/health')
  t.equal(status, 200)
  t.strictSame(body, {
    success: true,
    data: { status: 'ok', service: 'hsapi', foundation_schema_ready: true, api_version: '1.0.0' },
    meta: { timestamp: '2026-05-04T12:00:00+00:00', api_version: '1.0.0' },
  })
})

testOnEngines('before the dataset is loaded, health says "starting" and endpoints that need a key answer 503', async t => {
  const key = makeKey('free')
  const { get } = await startService(t, [key])
  const health = await get('/api/v1/health')
  t.equal(health.status, 200)
  t.match(health.body.data, { status: 'starting', foundation_schema_ready: false })
  for (const path of [
    '/api/v1/hs-codes/85',
    '/api/v1/hs-codes/85/children',
    '/api/v1/search?q=card',
    '/api/v1/tariff/calculate?hs_code=85&value=1',
  ]) {
    const { status, body, headers } = await get(path, { 'x-api-key': key.key })
    t.equal(status, 503, path)
    t.equal(body.error.code, 'db_unavailable')
    t.equal(headers.get('retry-after'), '1')
  }
  t.equal((await get('/api/v1/hs-codes/85')).status, 401, 'a missing key is still reported first')
})

testOnEngines('the timestamp follows the clock, in whole seconds', async t => {
  const { get, clock } = await openService(t)
  clock.forward(999)
  t.equal((await get('/api/v1/health')).body.meta.timestamp, '2026-05-04T12:00:00+00:00')
  clock.forward(1)
  t.equal((await get('/api/v1/health')).body.meta.timestamp, '2026-05-04T12:00:01+00:00')
})
