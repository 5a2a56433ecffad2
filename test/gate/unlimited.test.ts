import fc from 'fast-check'
import t from 'tap'
import { Gate } from '../../src/gate/gate.js'
import { limitsOf, makeRecord, parseRecord, rotateRecord } from '../../src/keys/key-record.js'
import { LeaseManager } from '../../src/leases/lease-manager.js'
import { LeaseTable } from '../../src/leases/lease-table.js'
import { Counters, DAY_COUNT, MINUTE_COUNT } from '../../src/quotas/counters.js'
import { Verdict } from '../../src/quotas/verdict.js'
import { makeKey, START_MS } from '../support/service.js'

const MOST = 2_147_483_647
const FIGURES = { limitMinute: MOST, remainingMinute: MOST, limitDay: MOST, remainingDay: MOST }
const SLOTS = 16

t.test('a key without limits is always admitted, always shows the same figures and is never counted', async t => {
  const { key, record } = makeKey('free', { unlimited: true })
  const counters = Counters.create(SLOTS)
  const gate = new Gate(counters)
  gate.setKey(record)
  fc.assert(
    fc.property(fc.nat(2 ** 31 - 1), fc.nat(100 * 86_400_000), (requests, laterMs) => {
      const verdict = requests === 0 ? gate.peek(key, START_MS) : gate.admit(key, START_MS + laterMs, requests)
      t.equal(verdict, Verdict.Admitted)
      t.match(gate.shown, FIGURES)
    }),
  )
  const at = counters.at(gate.slotOf(record.id))
  t.equal(counters.words[at + MINUTE_COUNT], 0)
  t.equal(counters.words[at + DAY_COUNT], 0)
  t.equal(gate.keyIdOf(gate.decision), record.id, 'the key of the request is known')
  t.equal(await gate.usage.takeSpent(START_MS), undefined, 'there is nothing to save')
})

t.test('a key without limits expires like others, and an expiry before 1970 does not make a key unlimited', async t => {
  const good = makeKey('pro', { unlimited: true, expires_at: '2026-05-04' })
  const over = makeKey('pro', { unlimited: true, expires_at: '2026-05-03' })
  const ancient = makeKey('pro', { expires_at: '1931-05-03' })
  const both = makeKey('pro', { unlimited: true, expires_at: '1931-05-03' })
  const gate = new Gate()
  for (const { record } of [good, over, ancient, both]) gate.setKey(record)
  t.equal(gate.admit(good.key, START_MS), Verdict.Admitted)
  t.equal(gate.admit(good.key, START_MS + 86_400_000), Verdict.ExpiredKey)
  for (const { key } of [over, ancient, both]) {
    t.equal(gate.admit(key, START_MS), Verdict.ExpiredKey)
    t.equal(gate.shown.limitMinute, 30, 'the figures are those of a request without a key')
  }
})

t.test('a key without limits needs no lease, also in threads that share the counters', async t => {
  const counters = Counters.create(SLOTS, true)
  const silent = {
    lease: () => t.fail('the store was asked') as never,
    announce: async () => ({ replicas: 1, rank: 0, silentMs: 0 }),
  }
  const events = { lost: () => {}, back: () => {}, damaged: () => {} }
  const leaseManager = () => new LeaseManager(counters, LeaseTable.create(SLOTS), silent, 50, events)
  const [first, second] = [leaseManager(), leaseManager()]
  t.teardown(() => Promise.all([first.close(), second.close()]))
  const gate = new Gate(counters, first)
  const { key, record } = makeKey('pro', { unlimited: true })
  gate.setKey(record)
  const other = new Gate(counters, second)
  other.takeBatch(gate.keysInForce())
  for (const one of [gate, other]) {
    t.equal(one.peek(key, START_MS), Verdict.Admitted)
    for (let n = 0; n < 1_000; n++) one.admit(key, START_MS, 1_000)
    t.equal(one.admit(key, START_MS), Verdict.Admitted)
    t.match(one.shown, FIGURES)
  }
})

t.test('a key is unlimited only while its record says so', async t => {
  const gate = new Gate()
  const { key, record } = makeKey('free')
  const limitOf = () => {
    gate.admit(key, START_MS)
    return gate.shown.limitMinute
  }
  gate.setKey(record)
  t.equal(limitOf(), 30)
  gate.setKey({ ...record, unlimited: true })
  t.equal(limitOf(), MOST)
  gate.setKey(record)
  t.equal(limitOf(), 30)
  t.equal(gate.shown.remainingMinute, 28, 'its counts continue from before')
})

t.test('a record keeps `unlimited` when its key is rotated, and is invalid if `unlimited` is not true', async t => {
  const options = { tier: 'pro', name: '', expiresAt: null, perMinute: null, perDay: null } as const
  const { record } = makeRecord({ ...options, unlimited: true }, '2026-05-04T12:00:00+00:00')
  rotateRecord(record, '2026-05-05T12:00:00+00:00')
  t.strictSame(parseRecord(JSON.stringify(record)), record)
  t.equal(record.unlimited, true)
  t.strictSame(limitsOf(record), { perMinute: MOST, perDay: MOST })
  t.equal(parseRecord(JSON.stringify({ ...record, unlimited: 'yes' })), 'foreign')
  const usual = makeRecord(options, '2026-05-04T12:00:00+00:00').record
  t.notOk('unlimited' in usual, 'the records of other keys are unchanged')
})
