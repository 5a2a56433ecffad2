/** The old secret of a rotated key works until it expires. */
import t from 'tap'
import { isoSeconds } from '../../src/clock.js'
import { Gate } from '../../src/gate/gate.js'
import { KeyFile } from '../../src/keys/key-file.js'
import { isRecord, parseRecord, rotateRecord } from '../../src/keys/key-record.js'
import { Counters } from '../../src/quotas/counters.js'
import { Verdict } from '../../src/quotas/verdict.js'
import { makeKey, START_MS, temporaryDirectory } from '../support/service.js'

const NOW = isoSeconds(START_MS)
const HOUR_MS = 3_600_000

/** A thread that decides, and one that shares its counters and receives changes. */
function gates() {
  const counters = Counters.create(16, true)
  const [first, worker] = [new Gate(counters), new Gate(counters)]
  const set = (record: Parameters<Gate['setKey']>[0]) => worker.takeBatch(structuredClone(first.batchOf([first.setKey(record)])))
  const verdicts = (key: string, nowMs: number) => [first.peek(key, nowMs), worker.peek(key, nowMs)]
  return { first, worker, set, verdicts }
}

const IN = [Verdict.Admitted, Verdict.Admitted]
const OUT = [Verdict.InvalidKey, Verdict.InvalidKey]

t.test('both secrets count for one key until the grace time ends, in every thread', async t => {
  const { first, set, verdicts } = gates()
  const { key: old, record } = makeKey('free')
  set(record)
  const { key } = rotateRecord(record, NOW, HOUR_MS)
  t.equal(record.previous?.until, isoSeconds(START_MS + HOUR_MS))
  set(record)
  t.strictSame(verdicts(key, START_MS), IN)
  t.strictSame(verdicts(old, START_MS), IN)
  t.strictSame(verdicts(old, START_MS + HOUR_MS - 1), IN)
  t.strictSame(verdicts(old, START_MS + HOUR_MS), OUT)
  t.strictSame(verdicts(key, START_MS + HOUR_MS), IN)
  first.admit(old, START_MS)
  first.admit(key, START_MS)
  t.equal(first.shown.remainingMinute, 28, 'both secrets share the quota of the key')
  t.equal(first.keyCount, 1)
})

t.test('a further rotation ends the older secret, and a revocation ends both', async t => {
  const { set, verdicts } = gates()
  const { key: oldest, record } = makeKey('free')
  const { key: old } = rotateRecord(record, NOW, HOUR_MS)
  const { key } = rotateRecord(record, NOW, HOUR_MS)
  set(record)
  t.strictSame(verdicts(oldest, START_MS), OUT)
  t.strictSame(verdicts(old, START_MS), IN)
  const { key: next } = rotateRecord(record, NOW)
  set(record)
  for (const secret of [oldest, old, key]) t.strictSame(verdicts(secret, START_MS), OUT)
  t.strictSame(verdicts(next, START_MS), IN)
  const { key: last } = rotateRecord(record, NOW, HOUR_MS)
  set(record)
  t.strictSame(verdicts(next, START_MS), IN)
  record.revoked_at = NOW
  set(record)
  for (const secret of [next, last]) t.strictSame(verdicts(secret, START_MS), OUT)
})

t.test('the grace time is in the key file, and a damaged grace time is refused', async t => {
  const file = new KeyFile(temporaryDirectory(t))
  const options = { tier: 'free', name: 'n', expiresAt: null, perMinute: null, perDay: null } as const
  const { record } = await file.create(options, NOW)
  await file.rotate(record.id, NOW, HOUR_MS)
  const [read] = (await file.read()) ?? []
  t.match(read?.previous, { hash: record.hash, checksum: record.checksum, until: isoSeconds(START_MS + HOUR_MS) })
  t.ok(isRecord(read))
  for (const previous of [null, {}, { ...read?.previous, until: 'soon' }, { ...read?.previous, hash: 'x' }])
    t.equal(parseRecord(JSON.stringify({ ...read, previous })), 'foreign')
})
