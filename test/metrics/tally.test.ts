import t from 'tap'
import { ROUTE_NAMES } from '../../src/http/server.js'
import { KINDS_MAX, ROUTES_MAX } from '../../src/metrics/tally.js'
import { RESPONSE_KINDS } from '../../src/responses/head.js'

t.test('there is room for every route and every kind of response', async t => {
  t.ok(ROUTE_NAMES.length <= ROUTES_MAX, `${ROUTE_NAMES.length} routes`)
  t.ok(RESPONSE_KINDS.length <= KINDS_MAX, `${RESPONSE_KINDS.length} kinds`)
})
