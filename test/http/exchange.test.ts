/** Charges of a request that another protocol answers: what is refused, and why. */
import t from 'tap'
import { Gate } from '../../src/gate/gate.js'
import { Batches } from '../../src/http/batches.js'
import { Exchange } from '../../src/http/exchange.js'
import { MovableClock, makeKey } from '../support/service.js'

function opened(perMinute: number, credit = 0) {
  const { key, record } = makeKey('free', { per_minute: perMinute, per_day: 100 })
  const gate = new Gate()
  gate.setKey(record)
  const clock = new MovableClock()
  const exchange = new Exchange({ key, headers: [], body: {} }, {} as never, gate, clock, new Batches(), credit)
  const revoke = () => gate.removeKey(gate.slotOf(record.id))
  return { exchange, revoke, clock }
}

t.test(
  'a list is charged as a whole or not at all; requests that the size of the body paid for are not charged again',
  async t => {
    const { exchange, clock } = opened(10, 3)
    t.equal(await exchange.charge(3), undefined)
    t.equal(await exchange.charge(11), undefined, 'eight are due')
    t.match(await exchange.charge(6), {
      name: 'rateLimitExceeded',
      message: /^This list needs 3 more requests, and this key has 2 left for now\. .* in 60 seconds\.$/,
    })
    t.equal(await exchange.charge(5), undefined, 'a refused list costs nothing')
    t.match(await exchange.charge(14), { message: /^This list counts as 12 requests, more than this key's limit of 10;/ })
    clock.forward(60_000)
    t.equal(await exchange.charge(13), undefined)
  },
)

t.test('a key that was revoked after its first request is refused as invalid', async t => {
  const { exchange, revoke } = opened(10)
  revoke()
  t.match(await exchange.charge(1), { name: 'invalidApiKey' })
})

t.test('a list whose charge is refused frees its place', async t => {
  const { exchange } = opened(2)
  for (let times = 0; times < 20; times++)
    t.match(await exchange.doList(5, () => t.fail('the work of a refused list')), { name: 'rateLimitExceeded' })
  let parts = 0
  t.equal(await exchange.doList(3, () => ++parts < 3), undefined)
  t.equal(parts, 3)
})
