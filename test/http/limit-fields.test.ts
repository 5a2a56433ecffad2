import t from 'tap'
import { openEngine } from '../../src/engines/engines.js'
import { Gate } from '../../src/gate/gate.js'
import { Server } from '../../src/http/server.js'
import { withLimitFields } from '../../src/responses/limit-fields.js'
import { ask, ENGINES, fixtureCatalog, MovableClock, makeKey, START_MS, UNREAD_BYTES_MAX } from '../support/service.js'

for (const engine of ENGINES) {
  t.test(`the limit headers of the IETF draft are sent in addition to those of the contract (${engine})`, async t => {
    const key = makeKey('pro')
    const gate = new Gate()
    gate.setKey(key.record)
    const clock = new MovableClock()
    const server = new Server({
      engine: openEngine(engine, UNREAD_BYTES_MAX),
      gate,
      clock,
      onFault: error => t.fail(String(error)),
      withLimitFields: true,
    })
    const url = `http://127.0.0.1:${await server.listen('127.0.0.1', 0)}`
    server.serve(await fixtureCatalog())
    t.teardown(() => server.close())
    const auth = { 'x-api-key': key.key }
    const fields = async (path: string, headers: Record<string, string> = auth, method = 'GET') => {
      const answer = await ask(url, path, headers, method)
      return [answer.headers.get('ratelimit-policy'), answer.headers.get('ratelimit')]
    }
    // the clock is at noon
    const half = 43_200
    t.equal(new Date(START_MS).getUTCHours(), 12)
    const policy = '"minute";q=200;w=60, "day";q=50000;w=86400'
    t.strictSame(await fields('/api/v1/hs-codes/85'), [policy, `"minute";r=199;t=60, "day";r=49999;t=${half}`])
    clock.forward(1_500)
    t.strictSame(await fields('/api/v1/hs-codes/77'), [policy, `"minute";r=198;t=59, "day";r=49998;t=${half - 1}`])
    t.match((await fields('/nowhere', {}))[1], /^"minute";r=30;t=60, /, 'the minute of another client is not shown')
    t.strictSame(await fields('/api/v1/hs-codes/85', { ...auth, 'if-none-match': '*' }, 'HEAD'), [
      policy,
      `"minute";r=197;t=59, "day";r=49997;t=${half - 1}`,
    ])
    clock.forward(60_000)
    t.match(
      (await fields('/api/v1/health'))[1],
      /^"minute";r=200;t=60, "day";r=49997;/,
      'the minute has ended, so its limit is unused',
    )
    t.strictSame((await fields('/nowhere', {}))[0], '"minute";q=30;w=60, "day";q=1000;w=86400')
    t.match((await fields('/nowhere', {}))[1], /^"minute";r=30;t=60, "day";r=1000;t=43139$/)
  })
}

t.test('a window that has just ended has no time left, never a negative one', async t => {
  const figures = { limitMinute: 9, remainingMinute: 8, limitDay: 7, remainingDay: 6 }
  const ended = { ...figures, minuteEndMs: START_MS - 5_000, dayEndMs: START_MS - 1 }
  t.match(Buffer.from(withLimitFields(new ArrayBuffer(0), ended, START_MS)).toString(), '"minute";r=8;t=0, "day";r=6;t=0')
})
