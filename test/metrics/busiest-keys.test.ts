import t, { type Test } from 'tap'
import { BusiestKeys } from '../../src/metrics/busiest-keys.js'
import { Tally } from '../../src/metrics/tally.js'

const SLOTS = 200

function setUp(t: Test, threads = 1) {
  const tallies = Array.from({ length: threads }, () => Tally.withKeys(SLOTS))
  const busiest = new BusiestKeys(
    tallies,
    () => SLOTS,
    slot => `key${slot}`,
  )
  t.teardown(() => busiest.stop())
  const send = (slot: number, requests: number, refused = 0, thread = 0) => {
    for (let i = 0; i < requests; i++) tallies[thread]?.countKey(slot, i < refused)
  }
  return { busiest, send }
}

t.test('keys are listed by the requests that all threads counted, with the number of refused ones', async t => {
  const { busiest, send } = setUp(t, 2)
  send(3, 5, 1)
  send(3, 4, 2, 1)
  send(7, 20)
  t.strictSame(busiest.list(), [
    { id: 'key7', requests: 20, refused: 0 },
    { id: 'key3', requests: 9, refused: 3 },
  ])
})

t.test('requests are no longer counted after three further parts of the minute', async t => {
  const { busiest, send } = setUp(t)
  send(1, 6)
  busiest.endPart()
  send(1, 2)
  t.strictSame(busiest.list(), [{ id: 'key1', requests: 8, refused: 0 }])
  for (let part = 0; part < 3; part++) busiest.endPart()
  t.strictSame(busiest.list(), [{ id: 'key1', requests: 2, refused: 0 }])
  busiest.endPart()
  t.strictSame(busiest.list(), [])
})

t.test('at most twenty keys are listed', async t => {
  const { busiest, send } = setUp(t)
  for (let slot = 0; slot < 50; slot++) send(slot, 1 + slot)
  t.strictSame(
    busiest.list().map(({ id }) => id),
    Array.from({ length: 20 }, (_, i) => `key${49 - i}`),
  )
})

t.test('requests without a key, or with a slot beyond the table, are not counted', async t => {
  const { busiest, send } = setUp(t)
  send(-1, 3)
  send(-2, 3)
  send(SLOTS, 3)
  t.strictSame(busiest.list(), [])
})

t.test('if keys are equally busy, the one with the lower slot comes first, also over several parts of the minute', async t => {
  const { busiest, send } = setUp(t)
  for (const slot of [9, 4, 6]) send(slot, 2)
  busiest.endPart()
  for (const slot of [6, 2, 4]) send(slot, 2)
  t.strictSame(
    busiest.list().map(({ id, requests }) => [id, requests]),
    [
      ['key4', 4],
      ['key6', 4],
      ['key2', 2],
      ['key9', 2],
    ],
  )
})

t.test('for each part of the minute, only the hundred busiest keys are kept', async t => {
  const { busiest, send } = setUp(t)
  for (let slot = 0; slot < 150; slot++) send(slot, slot < 100 ? 2 : 1)
  busiest.endPart()
  for (let slot = 100; slot < 150; slot++) send(slot, 1)
  t.ok(busiest.list().every(({ requests }) => requests === 2))
  send(100, 1)
  t.strictSame(busiest.list()[0], { id: 'key0', requests: 2, refused: 0 }, 'the earlier request of the 101st key is not counted')
})
