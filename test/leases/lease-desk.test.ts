/** A desk before a store that answers when the test says so. Its timers run as the test goes on, not by the clock on the wall. */
import { mock } from 'node:test'
import tap, { type Test } from 'tap'
import { DAY_MS, MINUTE_MS, utcDay } from '../../src/clock.js'
import { Gate } from '../../src/gate/gate.js'
import { LeaseDesk, type StoreEvents } from '../../src/leases/lease-desk.js'
import { DamagedKeyError, type Lease, type LeaseRequest, type LeaseStore, type Presence } from '../../src/leases/lease-store.js'
import { LeaseTable } from '../../src/leases/lease-table.js'
import { Counters, MINUTE_COUNT } from '../../src/quotas/counters.js'
import { Verdict } from '../../src/quotas/verdict.js'
import { makeKey, START_MS } from '../support/service.js'

const SLOTS = 16
const WAIT_MS = 50
/** After its first reply a replica is known to all others. */
const KNOWN_MS = 2_000

class StoreByHand implements LeaseStore {
  readonly asked: { ask: LeaseRequest; answer(lease: Partial<Lease>): void; fail(error: Error): void }[] = []
  isThere = true
  presence: Presence = { replicas: 1, rank: 0 }

  lease(ask: LeaseRequest): Promise<Lease> {
    return new Promise((resolve, reject) => {
      this.asked.push({
        ask,
        answer: lease =>
          resolve({
            granted: 0,
            minuteStartMs: START_MS,
            minuteCount: 0,
            day: utcDay(START_MS),
            dayCount: 0,
            nowMs: START_MS,
            ...lease,
          }),
        fail: reject,
      })
    })
  }

  async announce(): Promise<Presence> {
    if (!this.isThere) throw new Error('away')
    return this.presence
  }
}

interface Set {
  gate: Gate
  desk: LeaseDesk
  store: StoreByHand
  clock: { ms: number }
  told: string[]
  key: string
  table: LeaseTable
  counters: Counters
  /** A request: what it got at once or, where it waits, a promise of it. */
  admit(requests?: number, key?: string): { at: Verdict; later: Promise<Verdict>; cancel(): void }
  /** So many requests that are decided at once: how many are admitted. */
  admitMany(requests: number): number
  /** The next request to the store. */
  next(): Promise<StoreByHand['asked'][number]>
  /** The clock moves until this is so. */
  moveUntil(isSo: () => boolean): Promise<void>
}

const nextTurn = () => new Promise(done => setImmediate(done))
/** More than any test needs: a bound against hanging. */
const TURNS_MAX = 10_000

/** Timers go on, a millisecond a turn of the event loop, until this is so. */
async function until(isSo: () => boolean, eachTurn = () => {}): Promise<void> {
  for (let turns = 0; !isSo(); turns++) {
    if (turns === TURNS_MAX) throw new Error(`not within ${TURNS_MAX} turns: ${isSo}`)
    eachTurn()
    mock.timers.tick(1)
    await nextTurn()
  }
}

let areTimersMocked = false

/** Until the test is over. */
function mockTimers(t: Test): void {
  if (areTimersMocked) return
  areTimersMocked = true
  mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
  t.teardown(() => {
    mock.timers.reset()
    areTimersMocked = false
  })
}

/** Until all replicas know of this one. */
async function settle({ desk, clock }: Pick<Set, 'desk' | 'clock'>): Promise<void> {
  await desk.announce()
  clock.ms += KNOWN_MS
  await desk.announce()
  clock.ms -= KNOWN_MS
}

/** The store need not answer. */
async function close(desk: LeaseDesk): Promise<void> {
  let isClosed = false
  void desk.close().then(() => {
    isClosed = true
  })
  await until(() => isClosed)
}

function setUp(t: Test, perMinute = 100, counters = Counters.create(SLOTS)): Set {
  mockTimers(t)
  const table = LeaseTable.create(SLOTS)
  const store = new StoreByHand()
  const clock = { ms: START_MS }
  const told: string[] = []
  const events: StoreEvents = {
    lost: reason => told.push(reason),
    back: () => told.push('back'),
    damaged: (keyId, reason) => told.push(`${keyId} ${reason}`),
  }
  const desk = new LeaseDesk(counters, table, store, WAIT_MS, events, () => clock.ms)
  t.teardown(() => close(desk))
  const gate = new Gate(counters, desk)
  const { key, record } = makeKey('pro', { per_minute: perMinute, per_day: 1_000 })
  gate.setKey(record)
  let seen = 0
  const admit: Set['admit'] = (requests, of = key) => {
    const at = gate.admit(of, clock.ms, requests)
    if (at !== Verdict.Waiting) return { at, later: Promise.resolve(at), cancel: () => {} }
    let cancel = () => {}
    const later = new Promise<Verdict>(resolve => {
      const waiter = gate.wait(resolve)
      cancel = () => waiter.cancel()
    })
    return { at, later, cancel }
  }
  return {
    gate,
    desk,
    store,
    clock,
    told,
    key,
    table,
    counters,
    admit,
    admitMany: requests => {
      let admitted = 0
      for (let n = 0; n < requests; n++) if (admit().at === Verdict.Admitted) admitted++
      return admitted
    },
    next: async () => {
      await until(() => store.asked.length > seen)
      return store.asked[seen++] as StoreByHand['asked'][number]
    },
    moveUntil: isSo =>
      until(isSo, () => {
        clock.ms++
      }),
  }
}

/** The store does not answer a request in time; it is admitted alone. Its late answer can be given. */
async function lose({ admit, next, moveUntil, desk }: Set): Promise<StoreByHand['asked'][number]> {
  const request = admit()
  const asked = await next()
  await moveUntil(() => !desk.isUp)
  await request.later
  return asked
}

tap.test('requests of one turn are asked for together, and refused beyond what is granted', async t => {
  const { admit, next, gate } = setUp(t)
  const waiting = [admit(), admit(), admit()]
  t.ok(waiting.every(({ at }) => at === Verdict.Waiting))
  const { ask, answer } = await next()
  t.equal(ask.waiting, 3)
  answer({ granted: 2, minuteCount: 100, dayCount: 100 })
  t.strictSame(await Promise.all(waiting.map(({ later }) => later)), [Verdict.Admitted, Verdict.Admitted, Verdict.OverLimit])
  t.equal(gate.shown.remainingMinute, 0)
  t.equal(gate.retryAfterSeconds, 60)
  t.equal(admit().at, Verdict.OverLimit, 'for a while the store is not asked again')
})

tap.test('what is leased ahead is spent without asking, and only in its minute', async t => {
  const { admit, next, clock, gate, store } = setUp(t)
  const first = admit()
  ;(await next()).answer({ granted: 4, minuteCount: 4, dayCount: 4 })
  t.equal(await first.later, Verdict.Admitted)
  t.equal(gate.shown.remainingMinute, 99, 'what is leased and not spent remains')
  t.equal(admit().at, Verdict.Admitted)
  t.equal(gate.shown.remainingMinute, 98)
  clock.ms += MINUTE_MS
  const later = admit()
  t.equal(later.at, Verdict.Waiting, 'a lease is not for the next minute')
  await until(() => store.asked.length > 1)
  const asked = store.asked.at(-1)
  asked?.answer({ granted: 1, minuteStartMs: clock.ms, nowMs: clock.ms, minuteCount: 1, dayCount: 5 })
  t.equal(await later.later, Verdict.Admitted)
  t.ok(
    store.asked.some(({ ask }) => ask.returned > 0 && ask.known.minuteStartMs === START_MS),
    'the rest goes back to the day',
  )
})

tap.test('an answer that comes too late counts what was admitted without it, once', async t => {
  const { admit, next, clock, told, table, desk, store, moveUntil } = setUp(t)
  store.isThere = false
  const request = admit()
  const { answer } = await next()
  clock.ms += 10 * WAIT_MS
  mock.timers.tick(WAIT_MS)
  await nextTurn()
  t.ok(desk.isUp, 'a stall of ours is not taken for the store')
  await moveUntil(() => !desk.isUp)
  t.equal(await request.later, Verdict.Admitted, 'by our own counts')
  t.match(told[0], /no answer within 50 ms/)
  t.equal(table.figures.alone, 1)
  t.equal(table.figures.lost, 1)
  answer({ granted: 1, minuteCount: 1, dayCount: 1 })
  store.isThere = true
  await until(() => told.length > 1)
  t.equal(told[1], 'back')
  const after = admit()
  const { ask } = await next()
  t.strictSame([ask.unreportedMinute, ask.unreportedDay], [0, 0], 'the store knows of it already')
  t.equal(ask.known.dayCount, 1)
  after.cancel()
})

tap.test('while the store is away requests are counted here, and told afterwards', async t => {
  const { admit, next, store, told, desk } = setUp(t, 3)
  store.isThere = false
  const request = admit()
  ;(await next()).fail(new Error('READONLY You cannot write against a read only replica.'))
  t.equal(await request.later, Verdict.Admitted)
  t.match(told[0], /READONLY/)
  t.strictSame([admit().at, admit().at, admit().at], [Verdict.Admitted, Verdict.Admitted, Verdict.OverLimit])
  desk.lost('again')
  t.equal(told.length, 1, 'said once')
  store.isThere = true
  const { ask } = await next()
  t.strictSame([ask.waiting, ask.unreportedMinute, ask.unreportedDay], [0, 3, 3])
  await until(() => told.length > 1)
  t.equal(told[1], 'back')
})

tap.test('what the store could not be told is told the next time', async t => {
  const { admit, next, store } = setUp(t)
  store.isThere = false
  const request = admit()
  ;(await next()).fail(new Error('gone'))
  await request.later
  store.isThere = true
  ;(await next()).fail(new Error('gone once more'))
  const { ask } = await next()
  t.equal(ask.unreportedDay, 1)
})

tap.test('a desk that closes tells what the store does not know, though that was away', async t => {
  const { admit, next, store, desk } = setUp(t)
  store.isThere = false
  const request = admit()
  ;(await next()).fail(new Error('gone'))
  await request.later
  const closing = desk.close()
  const { ask, answer } = await next()
  t.equal(ask.unreportedDay, 1)
  answer({})
  await closing
})

tap.test('a desk that closes returns the lease of one key and reports the counts of another', async t => {
  const { admit, next, store, desk, gate } = setUp(t)
  const other = makeKey('pro')
  gate.setKey(other.record)
  const leased = admit()
  ;(await next()).answer({ granted: 4, minuteCount: 4, dayCount: 4 })
  await leased.later
  store.isThere = false
  const alone = admit(1, other.key)
  ;(await next()).fail(new Error('gone'))
  await alone.later
  const closing = desk.close()
  const asked = [await next(), await next()]
  const byKey = new Map(asked.map(({ ask }) => [ask.keyId, ask]))
  t.match(byKey.get(other.record.id), { returned: 0, unreportedMinute: 1, unreportedDay: 1 })
  byKey.delete(other.record.id)
  t.match([...byKey.values()], [{ returned: 3, unreportedDay: 0 }])
  for (const { answer } of asked) answer({})
  await closing
})

const SECOND_MS = 1_000

/** A key with a lease of which this much is left, and what the store was given back so far. */
async function withLease(t: Test, left: number) {
  const set = setUp(t)
  const request = set.admit()
  ;(await set.next()).answer({ granted: left + 1, minuteCount: left + 1, dayCount: left + 1 })
  await request.later
  const returned = () => set.store.asked.flatMap(({ ask }) => (ask.returned > 0 ? [ask.returned] : []))
  const pass = async (ms: number) => {
    set.clock.ms += ms
    mock.timers.tick(SECOND_MS)
    await nextTurn()
  }
  return { ...set, returned, pass }
}

tap.test('a lease is kept while it is used, and goes back after a second without use', async t => {
  const { admit, returned, pass } = await withLease(t, 3)
  await pass(SECOND_MS)
  t.equal(admit().at, Verdict.Admitted)
  await pass(SECOND_MS)
  t.strictSame(returned(), [], 'used since')
  await pass(SECOND_MS)
  t.strictSame(returned(), [2])
  await pass(SECOND_MS)
  t.strictSame(returned(), [2], 'once')
  t.equal(admit().at, Verdict.Waiting)
})

tap.test('a lease of a minute that is over goes back without a request', async t => {
  const { returned, pass } = await withLease(t, 3)
  await pass(MINUTE_MS)
  t.strictSame(returned(), [3])
})

tap.test('a lease that is spent costs the store no request', async t => {
  const { admit, store, pass } = await withLease(t, 1)
  await pass(SECOND_MS)
  t.equal(admit().at, Verdict.Admitted)
  for (let i = 0; i < 3; i++) await pass(SECOND_MS)
  t.equal(store.asked.length, 1)
})

tap.test('while the store is away a lease stays, and goes back when the store is there again', async t => {
  const { desk, store, returned, pass, told, moveUntil } = await withLease(t, 3)
  store.isThere = false
  desk.lost('gone')
  for (let i = 0; i < 3; i++) await pass(SECOND_MS)
  t.strictSame(returned(), [])
  store.isThere = true
  await moveUntil(() => told.includes('back') && returned().length > 0)
  t.strictSame(returned(), [3])
})

tap.test('a client that disconnects leaves its grant to the next request', async t => {
  const { admit, next } = setUp(t)
  const gone = admit()
  const { answer } = await next()
  gone.cancel()
  answer({ granted: 1, minuteCount: 1, dayCount: 1 })
  await nextTurn()
  t.equal(admit().at, Verdict.Admitted)
})

tap.test('a lease of a minute that is over goes back', async t => {
  const { admit, next } = setUp(t)
  const one = admit()
  const first = await next()
  const two = admit()
  const second = await next()
  const nextMs = START_MS + MINUTE_MS
  second.answer({ granted: 1, minuteStartMs: nextMs, minuteCount: 1, dayCount: 2, nowMs: nextMs })
  t.equal(await two.later, Verdict.Admitted)
  first.answer({ granted: 1, minuteStartMs: START_MS, minuteCount: 1, dayCount: 1 })
  const { ask } = await next()
  t.equal(ask.returned, 1)
  t.equal(ask.known.minuteStartMs, START_MS)
  t.equal((await next()).ask.known.minuteStartMs, nextMs, 'and the request goes on in the new minute')
  one.cancel()
})

tap.test('a refusal from a minute that is over changes no count of the new one', async t => {
  const { admit, next, gate, key, clock } = setUp(t)
  const one = admit()
  const first = await next()
  clock.ms += MINUTE_MS
  const two = admit()
  const second = await next()
  const now = { minuteStartMs: clock.ms, nowMs: clock.ms }
  second.answer({ ...now, granted: 1, minuteCount: 40, dayCount: 140 })
  t.equal(await two.later, Verdict.Admitted)
  first.answer({ granted: 0, minuteCount: 100, dayCount: 100 })
  await one.later
  gate.peek(key, clock.ms)
  t.equal(gate.shown.remainingMinute, 60)
})

tap.test('what is not reported yet counts on, though the minute began a moment apart for the store', async t => {
  for (const apartMs of [-1, 1, -30_000]) {
    const set = setUp(t, 10)
    const { store, admit, admitMany, next } = set
    store.isThere = false
    const { answer } = await lose(set)
    t.equal(admitMany(20), 9, 'the limit, alone')
    answer({
      granted: 1,
      minuteStartMs: START_MS + apartMs,
      minuteCount: 1,
      dayCount: 1,
      nowMs: set.clock.ms,
    })
    await nextTurn()
    t.equal(admit().at, Verdict.OverLimit, `${apartMs} ms apart`)
    store.isThere = true
    t.match((await next()).ask, { unreportedMinute: 9, unreportedDay: 9 })
    set.desk.lost('enough')
  }
})

tap.test('a prefetch does not displace requests that are still to be sent', async t => {
  const { admit, next } = setUp(t)
  const first = admit()
  ;(await next()).answer({ granted: 9, minuteCount: 9, dayCount: 9 })
  await first.later
  const large = admit(20)
  t.equal(large.at, Verdict.Waiting)
  t.equal(admit(6).at, Verdict.Admitted, 'from the lease, of which little is left')
  const { ask, answer } = await next()
  t.match(ask, { waiting: 20, isWhole: true })
  answer({ granted: 20, minuteCount: 29, dayCount: 29 })
  t.equal(await large.later, Verdict.Admitted)
})

tap.test('alone, replicas admit what was left, each its share of it', async t => {
  const shares: number[] = []
  for (const rank of [2, 0, 1]) {
    const set = setUp(t, 100)
    set.store.presence = { replicas: 3, rank }
    await settle(set)
    const first = set.admit()
    ;(await set.next()).answer({ granted: 1, minuteCount: 80, dayCount: 80 })
    await first.later
    set.store.isThere = false
    set.desk.lost('gone')
    shares[rank] = set.admitMany(100)
    t.equal(set.gate.retryAfterSeconds, 1, 'more may be there in a moment')
    set.clock.ms += MINUTE_MS
    t.equal(set.admitMany(100), rank === 0 ? 34 : 33, 'and its share of each minute that begins')
  }
  t.strictSame(shares, [7, 7, 6], '20 were left')
})

tap.test('alone in a new minute, a replica does not spend the lease of the minute before on top of its share', async t => {
  const { store, desk, clock, admit, admitMany, next } = setUp(t, 100)
  store.presence = { replicas: 2, rank: 0 }
  await settle({ desk, clock })
  const first = admit()
  ;(await next()).answer({ granted: 10, minuteCount: 10, dayCount: 10 })
  await first.later
  store.isThere = false
  desk.lost('gone')
  clock.ms += MINUTE_MS
  t.equal(admitMany(100), 50)
})

tap.test('an answer that comes in a new minute renews the share of a replica that is still alone', async t => {
  const { store, desk, clock, admit, admitMany, next } = setUp(t, 20)
  store.presence = { replicas: 2, rank: 0 }
  await settle({ desk, clock })
  const first = admit()
  ;(await next()).answer({ granted: 1, minuteCount: 1, dayCount: 1 })
  await first.later
  store.isThere = false
  desk.lost('gone')
  t.equal(admitMany(20), 10, 'of 19 that were left')
  store.isThere = true
  const report = await next()
  clock.ms += MINUTE_MS
  report.answer({ minuteStartMs: clock.ms, nowMs: clock.ms, dayCount: 11 })
  await nextTurn()
  t.notOk(desk.isUp)
  t.equal(admitMany(20), 10)
})

tap.test('alone, a replica that others may not know of admits a twentieth of its share: they share out everything', async t => {
  for (const [ms, admitted] of [
    [0, 2],
    [KNOWN_MS / 2, 2],
    [KNOWN_MS, 50],
  ] as const) {
    const { store, desk, clock, admitMany } = setUp(t)
    store.presence = { replicas: 2, rank: 1 }
    await desk.announce()
    clock.ms += ms
    await desk.announce()
    store.isThere = false
    desk.lost('gone')
    t.equal(admitMany(100), admitted, `${ms} ms after its first reply`)
  }
})

tap.test('the first of all replicas, and one that never reached the store, admit all that was left', async t => {
  const first = setUp(t)
  await first.desk.announce()
  const alone = setUp(t)
  for (const { desk, store, admitMany } of [first, alone]) {
    store.isThere = false
    desk.lost('away')
    t.equal(admitMany(150), 100)
  }
})

tap.test('alone, a replica leaves what others may have leased since it last heard of the key', async t => {
  for (const [replicas, left, share] of [
    [4, 600, (600 - 3 * 9) / 4],
    [2, 127, (127 - 1) / 2],
    [100, 800, 600 / 100],
  ] as const) {
    const set = setUp(t, 1_000)
    set.store.presence = { replicas, rank: replicas - 1 }
    await settle(set)
    const first = set.admit()
    ;(await set.next()).answer({ granted: 1, minuteCount: 1_000 - left, dayCount: 1_000 - left })
    await first.later
    set.store.isThere = false
    set.desk.lost('gone')
    t.equal(set.admitMany(1_000), Math.floor(share), `${replicas} replicas, ${left} left`)
  }
})

tap.test('a key that this replica has never seen is admitted by its share, too', async t => {
  const { store, desk, clock, admitMany } = setUp(t, 100)
  store.presence = { replicas: 4, rank: 3 }
  await settle({ desk, clock })
  store.isThere = false
  desk.lost('gone')
  t.equal(admitMany(100), 25)
})

tap.test('a request that counts as several needs a share of that size', async t => {
  const { store, desk, clock, admit } = setUp(t, 100)
  store.presence = { replicas: 4, rank: 0 }
  await settle({ desk, clock })
  store.isThere = false
  desk.lost('gone')
  t.equal(admit(26).at, Verdict.OverLimit)
  t.equal(admit(25).at, Verdict.Admitted)
  t.equal(admit().at, Verdict.OverLimit)
})

tap.test('all that wait are decided once the store is lost, and what comes for them later goes back', async t => {
  const set = setUp(t, 20)
  const { store, desk, clock, admit, next } = set
  store.presence = { replicas: 4, rank: 3 }
  await settle({ desk, clock })
  store.isThere = false
  const first = Array.from({ length: 8 }, () => admit())
  const { answer } = await next()
  await set.moveUntil(() => !desk.isUp)
  const verdicts = await Promise.all(first.map(({ later }) => later))
  t.equal(verdicts.filter(verdict => verdict === Verdict.Admitted).length, 5, 'a share of 20')
  answer({ granted: 8, minuteCount: 8, dayCount: 8 })
  const { ask } = await next()
  t.equal(ask.returned, 3, 'nobody waits for these any more')
  t.equal(admit().at, Verdict.OverLimit, 'nor are they spent here')
})

tap.test('no lease is taken before all replicas had time to report', async t => {
  const set = setUp(t, 20)
  const { store, desk, clock, admit, next, told } = set
  store.presence = { replicas: 2, rank: 0 }
  await settle({ desk, clock })
  store.isThere = false
  desk.lost('gone')
  t.equal(set.admitMany(4), 4)
  store.isThere = true
  const report = await next()
  t.match(report.ask, { waiting: 0, unreportedMinute: 4 })
  t.notOk(desk.isUp)
  report.answer({ minuteCount: 4, dayCount: 4 })
  await nextTurn()
  t.equal(set.admitMany(20), 6, 'the share is not renewed by the answer')
  t.match((await next()).ask, { waiting: 0, unreportedMinute: 6 }, 'and what is spent of it is reported at once')
  await until(() => desk.isUp)
  t.equal(told.at(-1), 'back')
  const later = admit()
  t.equal(later.at, Verdict.Waiting)
  later.cancel()
})

tap.test('a late store is not back', async t => {
  const { store, desk, clock, told } = setUp(t)
  let probes = 0
  store.announce = async () => {
    // late twice, then in time
    if (probes++ < 2) clock.ms += WAIT_MS + 1
    return { replicas: 1, rank: 0 }
  }
  desk.lost('gone')
  await until(() => desk.isUp)
  t.ok(probes >= 3)
  t.strictSame(told, ['gone', 'back'])
})

tap.test('what is wrong with one key does not touch the others', async t => {
  const { gate, desk, admit, next, key, told, counters } = setUp(t, 3)
  const other = makeKey('pro', { per_minute: 3, per_day: 1_000 })
  gate.setKey(other.record)
  const damaged = new DamagedKeyError('WRONGTYPE')
  for (let n = 0; n < 5; n++) {
    const request = admit()
    ;(await next()).fail(damaged)
    t.equal(await request.later, n < 3 ? Verdict.Admitted : Verdict.OverLimit, 'its limit holds')
  }
  t.ok(desk.isUp)
  t.strictSame(told, [`${desk.idOf(0)} WRONGTYPE`], 'said once')
  const sound = admit(1, other.key)
  ;(await next()).answer({ granted: 1, minuteCount: 1, dayCount: 1 })
  t.equal(await sound.later, Verdict.Admitted)
  const mended = admit()
  const { ask, answer } = await next()
  t.equal(ask.unreportedMinute, 3, 'once it is sound again, all of it is reported')
  answer({ minuteCount: 3, dayCount: 3 })
  t.equal(await mended.later, Verdict.OverLimit)
  t.equal(gate.admit(key, START_MS), Verdict.OverLimit)
  t.equal(counters.words[counters.at(0) + MINUTE_COUNT], 3)
})

/** Where the window turns as soon as a lock is released, as another thread may have it. */
class TurningCounters extends Counters {
  turnAt: number | undefined

  override release(slot: number): void {
    super.release(slot)
    if (this.turnAt === undefined) return
    this.startMinute(slot, this.turnAt)
    this.words[this.at(slot) + MINUTE_COUNT] = 5
    this.turnAt = undefined
  }
}

tap.test('a lease is returned to the minute it came from, though another one begins meanwhile', async t => {
  const counters = new TurningCounters(Counters.create(SLOTS).buffer)
  const { admit, next, desk } = setUp(t, 100, counters)
  const request = admit()
  ;(await next()).answer({ granted: 4, minuteCount: 4, dayCount: 4 })
  await request.later
  counters.turnAt = START_MS + MINUTE_MS
  const closing = desk.close()
  const { ask, answer } = await next()
  t.match(ask, { returned: 3, known: { minuteStartMs: START_MS, minuteCount: 4 } })
  t.equal(counters.words[counters.at(0) + MINUTE_COUNT], 5, 'the new minute is as it was')
  answer({})
  await closing
})

tap.test('figures that are shown for nothing are asked for once a second', async t => {
  const { gate, key, clock, next } = setUp(t)
  t.equal(gate.peek(key, clock.ms), Verdict.Waiting)
  const shown = new Promise<Verdict>(resolve => {
    gate.wait(resolve)
  })
  const { ask, answer } = await next()
  t.equal(ask.waiting, 0)
  answer({ minuteCount: 30, dayCount: 130 })
  t.equal(await shown, Verdict.Admitted)
  t.equal(gate.shown.remainingMinute, 70)
  t.equal(gate.peek(key, clock.ms), Verdict.Admitted)
  t.equal(gate.shown.remainingDay, 870)
  clock.ms += 1_000
  t.equal(gate.peek(key, clock.ms), Verdict.Waiting)
})

tap.test('a key that is revoked while its request waits is refused', async t => {
  const { gate, key, admit, next } = setUp(t)
  const request = admit()
  const { answer } = await next()
  for (let slot = 0; slot < gate.slots; slot++) gate.removeKey(slot)
  answer({ granted: 1, minuteCount: 1, dayCount: 1 })
  t.equal(await request.later, Verdict.InvalidKey)
  t.equal(gate.admit(key, START_MS), Verdict.InvalidKey)
})

tap.test('where no key is known at all, nobody is told that theirs is wrong', async t => {
  const gate = new Gate()
  gate.hasKeys = false
  t.equal(gate.admit('', START_MS), Verdict.NoKeys)
  t.equal(gate.admit('hs_free_x', START_MS), Verdict.NoKeys)
})

tap.test('a request that counts as several is asked for by itself, all or nothing', async t => {
  const { admit, next, store } = setUp(t, 100)
  const one = admit()
  const several = admit(40)
  const other = admit()
  const first = await next()
  t.match(first.ask, { waiting: 2, isWhole: false })
  const second = await next()
  t.match(second.ask, { waiting: 40, isWhole: true })
  first.answer({ granted: 2, minuteCount: 62, dayCount: 62 })
  second.answer({ granted: 0, minuteCount: 62, dayCount: 62 })
  t.strictSame(await Promise.all([one.later, other.later, several.later]), [
    Verdict.Admitted,
    Verdict.Admitted,
    Verdict.OverLimit,
  ])
  const later = admit()
  t.equal(later.at, Verdict.Waiting, 'one may still pass')
  const third = await next()
  third.answer({ granted: 1, minuteCount: 63, dayCount: 63 })
  t.equal(await later.later, Verdict.Admitted)
  const questions = store.asked.length
  t.equal(admit(101).at, Verdict.OverLimit, 'more than the limit is never asked for')
  t.equal(store.asked.length, questions)
})

tap.test('a busy key leases the next requests before its lease is spent, once at a time', async t => {
  const { admit, next, store } = setUp(t)
  const first = admit()
  ;(await next()).answer({ granted: 9, minuteCount: 9, dayCount: 9 })
  await first.later
  const verdicts = Array.from({ length: 4 }, () => admit().at)
  await nextTurn()
  t.equal(store.asked.length, 1, 'half of what was leased ahead is still there')
  verdicts.push(admit().at, admit().at)
  const { ask, answer } = await next()
  t.match(ask, { waiting: 0, isWhole: false, returned: 0 })
  t.ok(ask.prefetch > 0)
  verdicts.push(admit().at)
  await nextTurn()
  t.equal(store.asked.length, 2, 'not again before the reply')
  answer({ granted: 8, minuteCount: 17, dayCount: 17 })
  await nextTurn()
  for (let n = 0; n < 4; n++) verdicts.push(admit().at)
  await nextTurn()
  t.equal(store.asked.length, 2)
  verdicts.push(admit().at)
  await next()
  t.strictSame(new Set(verdicts), new Set([Verdict.Admitted]), 'nobody waited')
})

tap.test('a lease without anything ahead, and one while the store is lost, is spent without a request', async t => {
  const { admit, next, store, desk, told } = setUp(t)
  const one = admit()
  const two = admit()
  const { answer } = await next()
  two.cancel()
  answer({ granted: 2, minuteCount: 2, dayCount: 2 })
  await one.later
  t.equal(admit().at, Verdict.Admitted, 'what the client that left did not use')
  await nextTurn()
  t.equal(store.asked.length, 1)
  const more = admit()
  ;(await next()).answer({ granted: 9, minuteCount: 11, dayCount: 11 })
  await more.later
  store.isThere = false
  desk.lost('gone')
  for (let n = 0; n < 8; n++) t.equal(admit().at, Verdict.Admitted)
  await nextTurn()
  t.equal(store.asked.length, 2)
  t.strictSame(told, ['gone'])
})

/** A refused request, after which the store is not asked for a while. */
async function refused(t: Test, lease: Partial<Lease>) {
  const set = setUp(t)
  const request = set.admit()
  ;(await set.next()).answer({ granted: 0, ...lease })
  t.equal(await request.later, Verdict.OverLimit)
  return set
}

tap.test('a refusal is repeated for a quarter of a second, or until a window ends, and then the store is asked', async t => {
  const day = utcDay(START_MS)
  const midnightMs = (day + 1) * DAY_MS
  for (const [name, lease, ms] of [
    ['a full minute', { minuteCount: 100, dayCount: 100 }, 250],
    ['a full day', { minuteCount: 5, dayCount: 1_000 }, 250],
    ['a minute that ends', { minuteCount: 100, dayCount: 100, minuteStartMs: START_MS - MINUTE_MS + 100 }, 100],
    ['a minute that has ended', { minuteCount: 100, dayCount: 100, minuteStartMs: START_MS - MINUTE_MS }, 250],
    ['a day that ends', { minuteCount: 5, dayCount: 1_000, minuteStartMs: midnightMs - 40, nowMs: midnightMs - 40 }, 40],
  ] as const) {
    const { admit, clock } = await refused(t, lease)
    clock.ms += ms - 1
    t.equal(admit().at, Verdict.OverLimit, `${name}: ${ms - 1} ms later`)
    clock.ms += 1
    const asked = admit()
    t.equal(asked.at, Verdict.Waiting, `${name}: ${ms} ms later`)
    asked.cancel()
  }
})

tap.test('a refusal while something is left, or one from a minute that is over, is not repeated', async t => {
  const { admit } = await refused(t, { minuteCount: 99, dayCount: 999 })
  t.equal(admit().at, Verdict.Waiting)
  const other = setUp(t)
  const one = other.admit()
  const first = await other.next()
  other.clock.ms += MINUTE_MS
  const two = other.admit()
  const now = { minuteStartMs: other.clock.ms, nowMs: other.clock.ms }
  ;(await other.next()).answer({ ...now, granted: 1, minuteCount: 1, dayCount: 101 })
  await two.later
  first.answer({ granted: 0, minuteCount: 100, dayCount: 100 })
  t.equal(await one.later, Verdict.OverLimit)
  t.equal(other.admit().at, Verdict.Waiting)
})

tap.test('figures are shown even while requests are refused', async t => {
  const { gate, key, clock } = await refused(t, { minuteCount: 100, dayCount: 100 })
  t.equal(gate.peek(key, clock.ms), Verdict.Admitted)
})

tap.test('a request of exactly the limit is asked for, of a minute and of a day', async t => {
  const perMinute = setUp(t, 100)
  t.equal(perMinute.admit(100).at, Verdict.Waiting)
  t.equal(perMinute.admit(101).at, Verdict.OverLimit)
  const perDay = setUp(t, 2_000)
  t.equal(perDay.admit(1_000).at, Verdict.Waiting)
  t.equal(perDay.admit(1_001).at, Verdict.OverLimit)
})

tap.test('several requests of one turn, each of several, are asked for without an empty one', async t => {
  const { admit, next, store } = setUp(t)
  const both = [admit(40), admit(30)]
  t.strictSame([(await next()).ask.waiting, (await next()).ask.waiting], [40, 30])
  await nextTurn()
  t.equal(store.asked.length, 2)
  for (const one of both) one.cancel()
})

tap.test('beyond 10,000 waiting requests the store is not asked', async t => {
  const { admit, next, store } = setUp(t, 20_000)
  const waiting = Array.from({ length: 10_000 }, () => admit())
  t.ok(waiting.every(({ at }) => at === Verdict.Waiting))
  t.equal(admit().at, Verdict.Admitted, 'by the counts of this process')
  t.equal((await next()).ask.waiting, 10_000)
  t.equal(store.asked.length, 1)
  for (const one of waiting) one.cancel()
})

tap.test('requests whose turn comes after the store was lost are decided without it', async t => {
  const { admit, store, desk } = setUp(t)
  const request = admit()
  const left = admit()
  left.cancel()
  store.isThere = false
  desk.lost('gone')
  t.equal(await request.later, Verdict.Admitted)
  await nextTurn()
  t.equal(store.asked.length, 0)
})

tap.test('the time of the store is counted in hundredths of a millisecond', async t => {
  const { admit, next, table } = setUp(t)
  const startMs = performance.now()
  const request = admit()
  const { answer } = await next()
  answer({ granted: 1, minuteCount: 1, dayCount: 1 })
  await request.later
  t.ok(table.figures.tripTicks <= Math.ceil(100 * (performance.now() - startMs)))
  t.equal(table.figures.asked, 1)
  t.equal(table.figures.waited, 1)
})

tap.test('a lease that could not be returned means that the store is lost', async t => {
  const { returned, pass, store, told, next } = await withLease(t, 3)
  await pass(SECOND_MS)
  await pass(SECOND_MS)
  t.strictSame(returned(), [3])
  store.isThere = false
  ;(await next()).fail(new Error('gone'))
  await nextTurn()
  t.strictSame(told, ['gone'])
})

tap.test('alone, a replica keeps to what is left of the day, until the next one', async t => {
  const set = setUp(t, 400)
  set.store.isThere = false
  set.desk.lost('gone')
  const minutes = []
  for (let n = 0; n < 3; n++) {
    minutes.push(set.admitMany(400))
    set.clock.ms += MINUTE_MS
  }
  t.strictSame(minutes, [400, 400, 200])
  set.clock.ms += DAY_MS
  t.equal(set.admitMany(500), 400)
  set.store.isThere = true
  t.match((await set.next()).ask, { unreportedMinute: 400, unreportedDay: 400 }, 'the day that is over is not reported')
})

tap.test('alone, a replica keeps to what the store said was left of the day', async t => {
  const set = setUp(t)
  const first = set.admit()
  ;(await set.next()).answer({ granted: 1, minuteCount: 1, dayCount: 990 })
  await first.later
  set.store.isThere = false
  set.desk.lost('gone')
  t.equal(set.admitMany(100), 10)
})

tap.test('a lease that went back counts no more', async t => {
  const { pass, returned, counters } = await withLease(t, 3)
  await pass(SECOND_MS)
  await pass(SECOND_MS)
  t.strictSame(returned(), [3])
  t.match(counters.counts(0), { minuteCount: 1, dayCount: 1 })
})

tap.test('a lease is not for the next day, though its minute goes on', async t => {
  const set = setUp(t)
  const { admit, next, clock, store } = set
  clock.ms = (utcDay(START_MS) + 1) * DAY_MS - 30_000
  const startMs = clock.ms
  const first = admit()
  ;(await next()).answer({ granted: 4, minuteCount: 4, dayCount: 4, minuteStartMs: startMs, nowMs: startMs })
  await first.later
  clock.ms += 29_999
  t.equal(admit().at, Verdict.Admitted)
  clock.ms += 1
  const later = admit()
  t.equal(later.at, Verdict.Waiting)
  const now = { minuteStartMs: startMs, nowMs: clock.ms, day: utcDay(clock.ms) }
  ;(await next()).answer({ ...now, granted: 1, minuteCount: 5, dayCount: 1 })
  t.equal(await later.later, Verdict.Admitted)
  await nextTurn()
  t.match(store.asked.at(-1)?.ask, { returned: 2, known: { day: utcDay(startMs) } }, 'the rest goes back to its day')
})

/** Two requests; the reply to the second comes first and says this. */
async function overtaken(t: Test, second: Partial<Lease>) {
  const set = setUp(t)
  const several = set.admit(2)
  const first = await set.next()
  const other = set.admit()
  ;(await set.next()).answer({ granted: 1, minuteCount: 1, dayCount: 1, ...second })
  t.equal(await other.later, Verdict.Admitted)
  return { ...set, several, first }
}

tap.test('a lease of a day that is over goes back whole, and asks for nothing else', async t => {
  const { first, next, several } = await overtaken(t, { day: utcDay(START_MS) + 1, nowMs: START_MS + DAY_MS })
  first.answer({ granted: 2, minuteCount: 2, dayCount: 2, nowMs: START_MS + DAY_MS - 1 })
  t.match((await next()).ask, {
    returned: 2,
    waiting: 0,
    isWhole: false,
    prefetch: 0,
    unreportedMinute: 0,
    unreportedDay: 0,
    known: { day: utcDay(START_MS) },
  })
  several.cancel()
})

tap.test('where nothing was granted nothing goes back', async t => {
  const { first, store, several } = await overtaken(t, { day: utcDay(START_MS) + 1, nowMs: START_MS + DAY_MS })
  first.answer({ granted: 0, minuteCount: 100, dayCount: 100, nowMs: START_MS + DAY_MS - 1 })
  t.equal(await several.later, Verdict.OverLimit)
  await nextTurn()
  t.equal(store.asked.length, 2)
})

tap.test('a window far in the future came from a wrong clock, and the lease is used', async t => {
  for (const [days, isUsed] of [
    [2, false],
    [3, true],
  ] as const) {
    const { first, several } = await overtaken(t, { day: utcDay(START_MS) + days })
    first.answer({ granted: 2, minuteCount: 2, dayCount: 2 })
    const verdict = await Promise.race([several.later, nextTurn().then(nextTurn)])
    t.equal(verdict === Verdict.Admitted, isUsed, `${days} days ahead`)
    several.cancel()
  }
  for (const [ms, isUsed] of [
    [MINUTE_MS, false],
    [MINUTE_MS + 1, true],
  ] as const) {
    const { first, several } = await overtaken(t, { minuteStartMs: START_MS + ms })
    first.answer({ granted: 2, minuteCount: 2, dayCount: 2 })
    const verdict = await Promise.race([several.later, nextTurn().then(nextTurn)])
    t.equal(verdict === Verdict.Admitted, isUsed, `${ms} ms ahead`)
    several.cancel()
  }
})

tap.test('a report that fails is due again, but not in a window that began since', async t => {
  for (const [ms, minute, day] of [
    [MINUTE_MS, 1, 3],
    [DAY_MS, 1, 1],
  ] as const) {
    const set = setUp(t)
    const { admit, next, store, desk, clock } = set
    store.isThere = false
    desk.lost('gone')
    t.equal(set.admitMany(2), 2)
    store.isThere = true
    const report = await next()
    t.match(report.ask, { unreportedMinute: 2, unreportedDay: 2 })
    store.isThere = false
    clock.ms += ms
    t.equal(admit().at, Verdict.Admitted)
    report.fail(new Error('gone'))
    await nextTurn()
    store.isThere = true
    await until(() => store.asked.some(({ ask }) => ask.unreportedDay === day && ask.unreportedMinute === minute))
    t.pass(`${ms} ms later`)
  }
})

tap.test('what is due and what went back show in the figures', async t => {
  const set = setUp(t, 20)
  const { store, desk, clock, admit, next, counters } = set
  store.presence = { replicas: 4, rank: 3 }
  await settle({ desk, clock })
  store.isThere = false
  const first = Array.from({ length: 8 }, () => admit())
  const { answer } = await next()
  await set.moveUntil(() => !desk.isUp)
  await Promise.all(first.map(({ later }) => later))
  answer({ granted: 3, minuteCount: 10, dayCount: 40 })
  await nextTurn()
  t.match(counters.counts(0), { minuteCount: 12, dayCount: 42 }, 'five were admitted, three of them are granted')
})
