import type { Route } from '../../src/http/routes.js'
import { Refusal } from '../../src/questions/refusal.js'
import { fixtureCatalog, makeKey, openService, startService, testOnEngines } from '../support/service.js'

const MESSAGE = 'The edition "٢٠٢٢" has \\ and\na second line.'
const ODD = new Refusal('invalidParameter', MESSAGE, { parameter: 'e"dítion', moved_to: ['"', 'س'] })

/** The same refusal, assembled for each request and prepared once. */
const REFUSING: Route[] = [
  { kind: 'keyed', path: '/assembled', prepare: () => ({ handle: (_req, out) => out.refuse(ODD) }) },
  {
    kind: 'keyed',
    path: '/prepared',
    prepare: () => ({ handle: (_req, out) => out.endCachedRefusal(out.cacheRefusal(ODD)) }),
  },
]

testOnEngines('a refusal is valid JSON, whatever its message and details contain', async t => {
  const key = makeKey('free')
  const { url } = await startService(t, [key], await fixtureCatalog(), REFUSING)
  for (const path of ['/assembled', '/prepared']) {
    const answer = await fetch(url + path, { headers: { 'x-api-key': key.key, connection: 'close' } })
    t.equal(answer.status, 400)
    t.match(await answer.json(), {
      success: false,
      error: {
        code: 'invalid_parameter',
        message: MESSAGE,
        details: { parameter: 'e"dítion', moved_to: ['"', 'س'] },
      },
      meta: { api_version: '1.0.0' },
    })
  }
})

testOnEngines('a 404 may be cached only by its caller', async t => {
  const { get, auth } = await openService(t)
  for (const path of [
    '/api/v1/hs-codes/77',
    '/api/v1/hs-codes/851712',
    '/api/v1/hs-codes/77/children',
    '/api/v1/tariff/calculate?hs_code=77&value=1',
    '/api/v1/editions/2017/777777',
  ])
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await get(path, auth, method)
      t.equal(status, 404)
      t.equal(headers.get('cache-control'), 'private, no-cache', `${method} ${path}`)
    }
})
