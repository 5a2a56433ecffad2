import type { Route } from '../../src/http/routes.js'
import { fixtureCatalog, makeKey, startService, testOnEngines } from '../support/service.js'

/** A simulated bug at a path of the contract. */
const FAULTY: Route[] = [
  {
    kind: 'keyed',
    path: '/api/v1/search',
    prepare: () => ({
      handle: () => {
        throw new Error('a simulated bug')
      },
    }),
  },
  {
    kind: 'open',
    path: '/api/v1/health',
    prepare: () => () => {
      throw new Error('another')
    },
  },
  {
    kind: 'keyed',
    path: '/api/v1/hs-codes/:code',
    prepare: () => ({ handle: (_req, out) => out.refuseFor('notFound', 0) }),
  },
]

testOnEngines('an exception gives a 500 without details, is reported, and does not affect other requests', async t => {
  const key = makeKey('free')
  const { get, faults, ids } = await startService(t, [key], await fixtureCatalog(), FAULTY)
  const headers = { 'x-api-key': key.key }
  for (const [path, method] of [
    ['/api/v1/search?q=aa', 'GET'],
    ['/api/v1/search?q=aa', 'HEAD'],
    ['/api/v1/health', 'GET'],
  ] as const) {
    const answer = await get(path, headers, method)
    t.equal(answer.status, 500, path)
    t.equal(answer.headers.get('x-ratelimit-limit-minute'), '30')
    t.equal(answer.headers.get('x-ratelimit-remaining-minute'), '30', 'the figures are those without a key')
    if (method === 'GET') {
      t.equal(answer.body.error.code, 'internal_error')
      t.equal(answer.body.error.details.request_id, ids.at(-1), 'the body has the id that is reported')
    }
    t.notMatch(answer.text, /simulated bug|another|at /)
  }
  t.match(faults, [{ message: 'a simulated bug' }, { message: 'a simulated bug' }, { message: 'another' }])
  t.equal((await get('/api/v1/hs-codes/85', headers)).status, 404, 'the next request is answered')
})
