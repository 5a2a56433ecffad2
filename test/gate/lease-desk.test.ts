/** A desk before a store that answers when the test says so. */
import tap, { type Test } from 'tap'
import { MINUTE_MS, utcDay } from '../../src/clock.js'
import { Counters } from '../../src/gate/counters.js'
import { Gate } from '../../src/gate/gate.js'
import { LeaseDesk, WAIT_MS } from '../../src/gate/lease-desk.js'
import type { Lease, LeaseAsk, LeaseStore } from '../../src/gate/lease-store.js'
import { LeaseTable } from '../../src/gate/lease-table.js'
import { Verdict } from '../../src/gate/verdict.js'
import { makeKey, START_MS } from '../support/service.js'

const SLOTS = 16

class StoreByHand implements LeaseStore {
  readonly asked: { ask: LeaseAsk; answer(lease: Partial<Lease>): void; fail(why: string): void }[] = []
  isThere = true

  ask(ask: LeaseAsk): Promise<Lease> {
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
        fail: why => reject(new Error(why)),
      })
    })
  }

  async probe(): Promise<void> {
    if (!this.isThere) throw new Error('away')
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
  /** A request: what it got at once or, where it waits, a promise of it. */
  admit(requests?: number): { at: Verdict; later: Promise<Verdict>; cancel(): void }
  /** The next question to the store. */
  next(): Promise<StoreByHand['asked'][number]>
}

function setUp(t: Test, perMinute = 100): Set {
  const counters = Counters.alone(SLOTS)
  const table = LeaseTable.alone(SLOTS)
  const store = new StoreByHand()
  const clock = { ms: START_MS }
  const told: string[] = []
  const desk = new LeaseDesk({
    counters,
    table,
    store,
    now: () => clock.ms,
    onLost: reason => told.push(reason),
    onBack: () => told.push('back'),
  })
  t.teardown(() => desk.close())
  const gate = new Gate(counters, desk)
  const { key, record } = makeKey('pro', { per_minute: perMinute, per_day: 1_000 })
  gate.setKeys([record])
  let seen = 0
  return {
    gate,
    desk,
    store,
    clock,
    told,
    key,
    table,
    admit: requests => {
      const at = gate.admit(key, clock.ms, requests)
      if (at !== Verdict.Waiting) return { at, later: Promise.resolve(at), cancel: () => {} }
      let cancel = () => {}
      const later = new Promise<Verdict>(resolve => {
        const waiter = gate.wait(resolve)
        cancel = () => waiter.cancel()
      })
      return { at, later, cancel }
    },
    next: async () => {
      while (store.asked.length <= seen) await new Promise(done => setImmediate(done))
      return store.asked[seen++] as StoreByHand['asked'][number]
    },
  }
}

tap.test('requests of one turn are asked for together, and refused beyond what is granted', async t => {
  const { admit, next, gate } = setUp(t)
  const waiting = [admit(), admit(), admit()]
  t.ok(waiting.every(({ at }) => at === Verdict.Waiting))
  const { ask, answer } = await next()
  t.equal(ask.waiting, 3)
  answer({ granted: 2, minuteCount: 100, dayCount: 100 })
  t.strictSame(await Promise.all(waiting.map(({ later }) => later)), [
    Verdict.Admitted,
    Verdict.Admitted,
    Verdict.OverLimit,
  ])
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
  while (store.asked.length < 2) await new Promise(done => setImmediate(done))
  const asked = store.asked.at(-1)
  asked?.answer({ granted: 1, minuteStartMs: clock.ms, nowMs: clock.ms, minuteCount: 1, dayCount: 5 })
  t.equal(await later.later, Verdict.Admitted)
  t.ok(
    store.asked.some(({ ask }) => ask.back > 0 && ask.known.minuteStartMs === START_MS),
    'the rest goes back to the day',
  )
})

tap.test('an answer that comes too late counts what was admitted without it, once', async t => {
  const { admit, next, clock, told, table, desk } = setUp(t)
  const request = admit()
  const { answer } = await next()
  const isWaiting = () => Promise.race([request.later, new Promise(done => setTimeout(done, 30, 'waiting'))])
  clock.ms += 10 * WAIT_MS
  t.equal(await isWaiting(), 'waiting', 'a stall of ours is not taken for the store')
  const moving = setInterval(() => {
    clock.ms += WAIT_MS / 5
  }, 5)
  t.equal(await request.later, Verdict.Admitted, 'by our own counts')
  clearInterval(moving)
  t.match(told[0], /no answer within 50 ms/)
  t.ok(desk.isAway)
  t.equal(table.figures.alone, 1)
  t.equal(table.figures.lost, 1)
  answer({ granted: 1, minuteCount: 1, dayCount: 1 })
  await new Promise(done => setTimeout(done, 400))
  t.equal(told[1], 'back')
  const after = admit()
  const { ask } = await next()
  t.strictSame([ask.spentMinute, ask.spentDay], [0, 0], 'the store knows of it already')
  t.equal(ask.known.dayCount, 1)
  after.cancel()
})

tap.test('while the store is away requests are counted here, and told afterwards', async t => {
  const { admit, next, store, told, desk } = setUp(t, 3)
  store.isThere = false
  const request = admit()
  ;(await next()).fail('READONLY You cannot write against a read only replica.')
  t.equal(await request.later, Verdict.Admitted)
  t.match(told[0], /READONLY/)
  t.strictSame([admit().at, admit().at, admit().at], [Verdict.Admitted, Verdict.Admitted, Verdict.OverLimit])
  desk.lost('again')
  t.equal(told.length, 1, 'said once')
  await new Promise(done => setTimeout(done, 300))
  t.ok(desk.isAway)
  store.isThere = true
  const { ask } = await next()
  t.equal(told[1], 'back')
  t.strictSame([ask.waiting, ask.spentMinute, ask.spentDay], [0, 3, 3])
})

tap.test('what the store could not be told is told the next time', async t => {
  const { admit, next, store } = setUp(t)
  store.isThere = false
  const request = admit()
  ;(await next()).fail('gone')
  await request.later
  store.isThere = true
  ;(await next()).fail('gone once more')
  const { ask } = await next()
  t.equal(ask.spentDay, 1)
})

tap.test('a desk that closes tells what the store does not know, though that was away', async t => {
  const { admit, next, store, desk } = setUp(t)
  store.isThere = false
  const request = admit()
  ;(await next()).fail('gone')
  await request.later
  const closing = desk.close()
  const { ask, answer } = await next()
  t.equal(ask.spentDay, 1)
  answer({})
  await closing
})

tap.test('whoever goes away leaves what was granted to the next', async t => {
  const { admit, next } = setUp(t)
  const gone = admit()
  const { answer } = await next()
  gone.cancel()
  answer({ granted: 1, minuteCount: 1, dayCount: 1 })
  await new Promise(done => setImmediate(done))
  t.equal(admit().at, Verdict.Admitted)
})

tap.test('a lease of a minute that is over goes back', async t => {
  const { admit, next } = setUp(t)
  const one = admit()
  const first = await next()
  const two = admit()
  const second = await next()
  second.answer({ granted: 1, minuteStartMs: START_MS + 5, minuteCount: 1, dayCount: 2 })
  t.equal(await two.later, Verdict.Admitted)
  first.answer({ granted: 1, minuteStartMs: START_MS, minuteCount: 1, dayCount: 1 })
  const { ask } = await next()
  t.equal(ask.back, 1)
  t.equal(ask.known.minuteStartMs, START_MS)
  one.cancel()
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
  gate.setKeys([])
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
