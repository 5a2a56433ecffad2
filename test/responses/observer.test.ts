/** Which requests are timed without an access log, and what a delay adds. */
import t from 'tap'
import { Tally } from '../../src/metrics/tally.js'
import { ResponseObserver } from '../../src/responses/observer.js'
import { MovableClock } from '../support/service.js'

const ROUTE = 1
const HEAD = { kind: 0 } as never
const NO_KEY = { slot: -1 } as never

t.test('one request in eight is timed, with its delay; a delay does not make another request count as timed', async t => {
  const tally = new Tally()
  const observer = new ResponseObserver({ tally, routeNames: [], keyIdOf: () => '' }, new MovableClock())
  const answer = (delayMs: number) => {
    observer.begin({} as never, {} as never, ROUTE)
    observer.addDelay(delayMs)
    observer.count(HEAD, 10, '', NO_KEY)
    return tally.microseconds(ROUTE)
  }
  for (let n = 1; n < 8; n++) t.equal(answer(50), 0, `request ${n}`)
  t.ok(answer(50) >= 50_000)
  t.equal(tally.responses(ROUTE, 0), 8)
  t.equal(
    tally.buckets(ROUTE).reduce((sum, count) => sum + count, 0),
    1,
  )
})
