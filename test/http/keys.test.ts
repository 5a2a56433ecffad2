import { fixtureCatalog, makeKey, startService, testOnEngines } from '../support/service.js'

const PATH = '/api/v1/hs-codes/85'

testOnEngines('every endpoint requires a key except health and the contract', async t => {
  const { get } = await startService(t, [], await fixtureCatalog())
  for (const path of [PATH, `${PATH}/children`, '/api/v1/search?q=aa', '/api/v1/tariff/calculate']) {
    const { status, body } = await get(path)
    t.equal(status, 401, path)
    t.equal(body.error.code, 'missing_api_key')
  }
  t.equal((await get('/api/v1/health')).status, 200)
  t.equal((await get('/openapi.json')).status, 200)
})

testOnEngines('unknown, malformed, revoked and expired keys are refused', async t => {
  const good = makeKey('free')
  const revoked = makeKey('free', { revoked_at: '2026-05-02T00:00:00+00:00' })
  const expired = makeKey('free', { expires_at: '2026-05-03' })
  const lastDay = makeKey('free', { expires_at: '2026-05-04' })
  const { get, clock } = await startService(t, [good, revoked, expired, lastDay], await fixtureCatalog())
  const ask = async (key: string) => {
    const { status, body } = await get(PATH, { 'x-api-key': key })
    return status === 200 ? 200 : `${status} ${body.error.code}`
  }
  t.equal(await ask(good.key), 200)
  t.equal(await ask(makeKey('free').key), '401 invalid_api_key')
  t.equal(await ask('nonsense'), '401 invalid_api_key')
  t.equal(await ask(`${good.key}x`), '401 invalid_api_key')
  t.equal(await ask('x'.repeat(3000)), '401 invalid_api_key')
  t.equal(await ask(revoked.key), '401 invalid_api_key')
  t.equal(await ask(expired.key), '401 api_key_expired')
  t.equal(await ask(lastDay.key), 200, 'the key is valid on its last day')
  clock.forward(12 * 3600 * 1000)
  t.equal(await ask(lastDay.key), '401 api_key_expired', 'the key is not valid a moment longer')
})

testOnEngines('only the first header that is present and not empty is used', async t => {
  const goodKey = makeKey('free')
  const good = goodKey.key
  const { get } = await startService(t, [goodKey], await fixtureCatalog())
  const status = async (headers: Record<string, string>) => (await get(PATH, headers)).status
  t.equal(await status({ 'x-api-key': good }), 200)
  t.equal(await status({ 'x-marketplace-key': good }), 200)
  t.equal(await status({ authorization: `Bearer ${good}` }), 200)
  t.equal(await status({ authorization: `bEaReR ${good}` }), 200)
  t.equal(await status({ authorization: `Basic ${good}` }), 401)
  t.equal(await status({ authorization: good }), 401)
  t.equal(await status({ 'x-api-key': '', 'x-marketplace-key': good }), 200)
  t.equal(await status({ 'x-api-key': 'bad', 'x-marketplace-key': good, authorization: `Bearer ${good}` }), 401)
  t.equal(await status({ 'x-marketplace-key': 'bad', authorization: `Bearer ${good}` }), 401)
})

testOnEngines('a request with an invalid key gets the same error whether or not its code and parameters are valid', async t => {
  const { get } = await startService(t, [], await fixtureCatalog())
  for (const path of ['/api/v1/hs-codes/85', '/api/v1/hs-codes/99', '/api/v1/hs-codes/x', '/api/v1/search']) {
    const { status, body } = await get(path, { 'x-api-key': 'bad' })
    t.equal(status, 401)
    t.equal(body.error.code, 'invalid_api_key')
  }
})
