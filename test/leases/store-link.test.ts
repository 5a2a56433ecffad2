/** A link to a store that replies when the test says so. The test moves the timers. */
import { mock } from 'node:test'
import t, { type Test } from 'tap'
import { LeaseTable } from '../../src/leases/lease-table.js'
import { StoreLink } from '../../src/leases/store-link.js'

const WAIT_MS = 50
const HEARTBEAT_MS = 1_000
const PROBE_MS = 250
const SETTLE_MS = 500
const GATHER_MS_MAX = 5_000

function setUp(t: Test) {
  mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
  const clock = { ms: 0 }
  const events: string[] = []
  const asked: { id: string; reply(replicas?: number, silentMs?: number): Promise<void>; fail(): Promise<void> }[] = []
  const turn = () => new Promise<void>(done => setImmediate(done))
  const table = LeaseTable.create(1)
  const link = new StoreLink({
    table,
    store: {
      lease: () => Promise.reject(new Error('not asked here')),
      announce: id =>
        new Promise((resolve, reject) => {
          asked.push({
            id,
            reply: (replicas = 1, silentMs = 0) => {
              resolve({ replicas, rank: 0, silentMs })
              return turn()
            },
            fail: () => {
              reject(new Error('away'))
              return turn()
            },
          })
        }),
    },
    waitMs: WAIT_MS,
    now: () => clock.ms,
    onLost: reason => events.push(`lost: ${reason}`),
    onAnswer: () => events.push('answer'),
    onBack: () => events.push('back'),
  })
  t.teardown(() => {
    link.close()
    mock.timers.reset()
  })
  const pass = (ms: number) => mock.timers.tick(ms)
  const last = () => asked.at(-1) as (typeof asked)[number]
  return { link, table, clock, events, asked, pass, last }
}

t.test('while the store is up, the replica sends a heartbeat once a second, and waits for the reply', async t => {
  const { asked, pass, last, table, link } = setUp(t)
  pass(HEARTBEAT_MS - 1)
  t.equal(asked.length, 0)
  pass(1)
  t.strictSame(
    asked.map(({ id }) => id),
    [table.replicaId],
  )
  pass(3 * HEARTBEAT_MS)
  t.equal(asked.length, 1)
  await last().reply()
  pass(HEARTBEAT_MS)
  t.equal(asked.length, 2)
  t.ok(link.isUp)
})

t.test('a lost store is probed at once and then every 250 ms, and its loss is reported once', async t => {
  const { link, asked, pass, last, events } = setUp(t)
  link.lost('gone')
  link.lost('gone again')
  t.equal(asked.length, 1)
  await last().fail()
  t.equal(asked.length, 1)
  pass(PROBE_MS - 1)
  t.equal(asked.length, 1)
  pass(1)
  t.equal(asked.length, 2)
  t.strictSame(events, ['lost: gone'])
  t.notOk(link.isUp)
})

t.test('while a store is lost there are probes, but no heartbeats', async t => {
  const { link, asked, pass, last } = setUp(t)
  pass(HEARTBEAT_MS - 1)
  link.lost('gone')
  await last().fail()
  pass(1)
  t.equal(asked.length, 1)
})

t.test('a failed heartbeat marks the store as lost, and the store is probed at once', async t => {
  const { link, asked, pass, last, events } = setUp(t)
  pass(HEARTBEAT_MS)
  await last().fail()
  t.notOk(link.isUp)
  t.strictSame(events, ['lost: away'])
  t.equal(asked.length, 2, 'the store is probed at once')
})

t.test('a store that replies in time settles for half a second, and after that it is up', async t => {
  const { link, events, pass, last, clock, asked } = setUp(t)
  link.lost('gone')
  clock.ms += WAIT_MS
  await last().reply()
  t.strictSame(events, ['lost: gone', 'answer'])
  t.ok(link.isSettling)
  t.notOk(link.isUp)
  pass(SETTLE_MS - 1)
  t.notOk(link.isUp)
  t.equal(asked.length, 1, 'no heartbeat is sent while the store settles')
  pass(1)
  t.ok(link.isUp)
  t.notOk(link.isSettling)
  t.equal(events.at(-1), 'back')
  t.equal(asked.length, 2, 'a heartbeat is sent at once')
})

t.test('a store does not settle before every replica has reached it, even the one that was silent longest', async t => {
  const { link, pass, last, clock, asked } = setUp(t)
  link.lost('gone')
  await last().reply(2, 1)
  t.notOk(link.isSettling, 'another replica has not reached the store since it came back')
  clock.ms += PROBE_MS
  pass(PROBE_MS)
  t.equal(asked.length, 2)
  await last().reply(2, PROBE_MS + 1)
  t.notOk(link.isSettling, 'the other replica is still silent')
  clock.ms += PROBE_MS
  pass(PROBE_MS)
  await last().reply(2, 2 * PROBE_MS)
  t.ok(link.isSettling)
})

t.test('the wait for a replica that stays silent lasts at most five seconds', async t => {
  const { link, pass, last, clock } = setUp(t)
  link.lost('gone')
  await last().reply(2, 9_000)
  clock.ms += GATHER_MS_MAX - 1
  pass(PROBE_MS)
  await last().reply(2, 9_000)
  t.notOk(link.isSettling)
  clock.ms += 1
  pass(PROBE_MS)
  await last().reply(2, 9_000)
  t.ok(link.isSettling)
})

t.test('if the store fails while the link waits for replicas, the wait starts from the beginning', async t => {
  const { link, pass, last, clock } = setUp(t)
  link.lost('gone')
  await last().reply(2, 9_000)
  clock.ms += GATHER_MS_MAX
  pass(PROBE_MS)
  await last().fail()
  pass(PROBE_MS)
  await last().reply(2, 9_000)
  t.notOk(link.isSettling)
})

t.test('a late reply is reported as a reply, but the store is probed again', async t => {
  const { link, events, last, clock, asked } = setUp(t)
  link.lost('gone')
  clock.ms += WAIT_MS + 1
  await last().reply()
  t.equal(events.at(-1), 'answer')
  t.notOk(link.isSettling)
  t.equal(asked.length, 2)
})

t.test('a store lost while it settles stays lost, and is not reported again', async t => {
  const { link, events, pass, last } = setUp(t)
  link.lost('gone')
  await last().reply()
  link.lost('gone again')
  await last().fail()
  pass(SETTLE_MS)
  t.notOk(link.isUp)
  t.notOk(link.isSettling)
  t.strictSame(events, ['lost: gone', 'answer'])
})

t.test('a closed link reports and requests nothing more', async t => {
  const { link, events, pass, asked } = setUp(t)
  link.close()
  link.lost('gone')
  await link.announce()
  pass(2 * HEARTBEAT_MS)
  t.strictSame(events, [])
  t.equal(asked.length, 0)
  t.notOk(link.isUp)
})

t.test('a link closed while a store settles does not come up', async t => {
  const { link, events, pass, last } = setUp(t)
  link.lost('gone')
  await last().reply()
  link.close()
  pass(SETTLE_MS)
  t.notOk(link.isUp)
  t.notOk(events.includes('back'))
})

t.test('if the store is lost before other replicas know of a replica, this replica counts as new afterwards', async t => {
  const { link, table, clock, pass, last } = setUp(t)
  table.leftMinute[0] = 100
  table.leftDay[0] = 100
  pass(HEARTBEAT_MS)
  await last().reply(2)
  t.equal(table.share(0), 2, 'the share of a new replica is a twentieth of its half')
  clock.ms += 60_000
  link.lost('gone')
  await last().reply(2)
  pass(SETTLE_MS)
  await last().reply(2)
  t.ok(link.isUp)
  t.equal(table.share(0), 2, 'the other replicas may have forgotten this one meanwhile')
  clock.ms += 2 * HEARTBEAT_MS
  pass(HEARTBEAT_MS)
  await last().reply(2)
  t.equal(table.share(0), 50)
})
