/** Leases that are returned: unused ones, and those of a lease manager that closes. */
import { mock } from 'node:test'
import tap, { type Test } from 'tap'
import { MINUTE_MS } from '../../src/clock.js'
import { Counters, MINUTE_COUNT } from '../../src/quotas/counters.js'
import { Verdict } from '../../src/quotas/verdict.js'
import { makeKey, START_MS } from '../support/service.js'
import { nextTurn, SLOTS, setUp } from './manager.js'

const SECOND_MS = 1_000

/** Leases requests for a key so that `left` of them remain. `returned` lists what was returned to the store so far. */
async function withLease(t: Test, left: number) {
  const set = setUp(t)
  await set.grant({ granted: left + 1, minuteCount: left + 1, dayCount: left + 1 })
  const returned = () => set.store.asked.flatMap(({ ask }) => (ask.returned > 0 ? [ask.returned] : []))
  const pass = async (ms: number) => {
    set.clock.ms += ms
    mock.timers.tick(SECOND_MS)
    await nextTurn()
  }
  return { ...set, returned, pass }
}

tap.test('a lease is kept while it is used, and returned after a second without use', async t => {
  const { admit, returned, pass } = await withLease(t, 3)
  await pass(SECOND_MS)
  t.equal(admit().at, Verdict.Admitted)
  await pass(SECOND_MS)
  t.strictSame(returned(), [], 'a lease that was used is kept')
  await pass(SECOND_MS)
  t.strictSame(returned(), [2])
  await pass(SECOND_MS)
  t.strictSame(returned(), [2], 'the lease is returned only once')
  t.equal(admit().at, Verdict.Waiting)
})

tap.test('a lease of an ended minute is returned without a request', async t => {
  const { returned, pass } = await withLease(t, 3)
  await pass(MINUTE_MS)
  t.strictSame(returned(), [3])
})

tap.test('a spent lease is not returned to the store', async t => {
  const { admit, store, pass } = await withLease(t, 1)
  await pass(SECOND_MS)
  t.equal(admit().at, Verdict.Admitted)
  for (let i = 0; i < 3; i++) await pass(SECOND_MS)
  t.equal(store.asked.length, 1)
})

tap.test('while the store is unreachable a lease is kept, and it is returned when the store is back', async t => {
  const { store, returned, pass, reported, moveUntil, loseStore } = await withLease(t, 3)
  loseStore()
  for (let i = 0; i < 3; i++) await pass(SECOND_MS)
  t.strictSame(returned(), [])
  store.isThere = true
  await moveUntil(() => reported.includes('back') && returned().length > 0)
  t.strictSame(returned(), [3])
})

tap.test('if a lease cannot be returned, the store is lost', async t => {
  const { returned, pass, store, reported, next } = await withLease(t, 3)
  await pass(SECOND_MS)
  await pass(SECOND_MS)
  t.strictSame(returned(), [3])
  store.isThere = false
  ;(await next()).fail(new Error('gone'))
  await nextTurn()
  t.strictSame(reported, ['gone'])
})

tap.test('a returned lease no longer counts', async t => {
  const { pass, returned, counters } = await withLease(t, 3)
  await pass(SECOND_MS)
  await pass(SECOND_MS)
  t.strictSame(returned(), [3])
  t.match(counters.counts(0), { minuteCount: 1, dayCount: 1 })
})

tap.test('a lease manager that closes reports unreported counts, even if the store was unreachable', async t => {
  const { admit, next, store, leaseManager } = setUp(t)
  store.isThere = false
  const request = admit()
  ;(await next()).fail(new Error('gone'))
  await request.later
  const closing = leaseManager.close()
  const { ask, answer } = await next()
  t.equal(ask.unreportedDay, 1)
  answer({})
  await closing
})

tap.test('a lease manager that closes returns the lease of one key and reports the counts of another', async t => {
  const { admit, next, store, leaseManager, gate, grant } = setUp(t)
  const other = makeKey('pro')
  gate.setKey(other.record)
  await grant({ granted: 4, minuteCount: 4, dayCount: 4 })
  store.isThere = false
  const alone = admit(1, other.key)
  ;(await next()).fail(new Error('gone'))
  await alone.later
  const closing = leaseManager.close()
  const asked = [await next(), await next()]
  const byKey = new Map(asked.map(({ ask }) => [ask.keyId, ask]))
  t.match(byKey.get(other.record.id), { returned: 0, unreportedMinute: 1, unreportedDay: 1 })
  byKey.delete(other.record.id)
  t.match([...byKey.values()], [{ returned: 3, unreportedDay: 0 }])
  for (const { answer } of asked) answer({})
  await closing
})

/** Counters whose minute changes as soon as a lock is released, as if another thread had counted a request. */
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

tap.test('a lease is returned to its own minute, even if the next minute begins meanwhile', async t => {
  const counters = new TurningCounters(Counters.create(SLOTS).buffer)
  const { next, leaseManager, grant } = setUp(t, 100, counters)
  await grant({ granted: 4, minuteCount: 4, dayCount: 4 })
  counters.turnAt = START_MS + MINUTE_MS
  const closing = leaseManager.close()
  const { ask, answer } = await next()
  t.match(ask, { returned: 3, known: { minuteStartMs: START_MS, minuteCount: 4 } })
  t.equal(counters.words[counters.at(0) + MINUTE_COUNT], 5, 'the new minute is unchanged')
  answer({})
  await closing
})
