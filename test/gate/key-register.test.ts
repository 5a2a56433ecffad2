import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { Gate } from '../../src/gate/gate.js'
import { type Difference, KeyRegister } from '../../src/gate/key-register.js'
import { KeyFile } from '../../src/keys/key-file.js'
import type { KeyRecord } from '../../src/keys/key-record.js'
import { Counters } from '../../src/quotas/counters.js'
import { Verdict } from '../../src/quotas/verdict.js'
import { SLICE_WORK } from '../../src/slices.js'
import { makeKey, START_MS, type TestKey, temporaryDirectory } from '../support/service.js'

const NOW = '2026-05-04T12:00:00+00:00'
const OPTIONS = { tier: 'free', name: 'n', expiresAt: null, perMinute: null, perDay: null } as const

const byLine = (records: readonly KeyRecord[]) =>
  `{"version":1,"keys":[\n${records.map(record => JSON.stringify(record)).join(',\n')}\n]}\n`
const byLineOrNone = (records: readonly KeyRecord[]) => (records.length === 0 ? '{"version":1,"keys":[\n]}\n' : byLine(records))
const pretty = (records: readonly KeyRecord[]) => `${JSON.stringify({ version: 1, keys: records }, null, 2)}\n`

/** A server's first thread and a second one, with the messages that the second received. */
function threads(t: Test, capacity = 4_096) {
  const file = new KeyFile(temporaryDirectory(t))
  const counters = Counters.create(capacity, true)
  const [first, second] = [new Gate(counters), new Gate(counters)]
  const register = new KeyRegister(first)
  const published: number[][] = []
  const apply = (difference: Difference) =>
    register.apply(difference, slots => {
      published.push(slots)
      second.takeBatch(first.batchOf(slots))
    })
  const follow = async () => {
    const difference = await register.compare(file)
    return { difference, withoutRoom: difference === undefined ? 0 : await apply(difference) }
  }
  const load = async () => {
    const isThere = await register.load(file)
    second.takeBatch(first.keysInForce())
    return isThere
  }
  const verdicts = ({ key }: TestKey) => [first.peek(key, START_MS), second.peek(key, START_MS)]
  return { file, first, second, register, published, follow, load, verdicts }
}

const IN = [Verdict.Admitted, Verdict.Admitted]
const OUT = [Verdict.InvalidKey, Verdict.InvalidKey]

t.test('a change to one key among many is parsed, published and applied in slices; other keys are left alone', async t => {
  const { file, published, follow, load, verdicts } = threads(t, 40_000)
  const keys = Array.from({ length: 20_000 }, () => makeKey('free'))
  const records = keys.map(({ record }) => record)
  // keys that were revoked long ago must not be read repeatedly either
  for (let i = 0; i < 5_000; i++) (records[i] as KeyRecord).revoked_at = NOW
  writeFileSync(file.path, byLine(records))
  t.equal(await load(), true)

  const { key, record } = await file.create(OPTIONS, NOW)
  const created = await follow()
  t.match(created.difference, {
    parsed: 1,
    removed: { length: 0 },
    changed: { length: 0 },
    added: [{ record: { id: record.id } }],
  })
  t.ok((created.difference?.linesInSliceMax ?? 0) > 1)
  t.ok((created.difference?.linesInSliceMax ?? Number.POSITIVE_INFINITY) <= SLICE_WORK)
  t.strictSame(verdicts({ key, record }), IN)

  const other = keys[12_345] as TestKey
  t.strictSame(verdicts(other), IN)
  await file.revoke(other.record.id, NOW)
  t.match((await follow()).difference, { parsed: 1, removed: { length: 0 }, added: { length: 0 }, changed: { length: 1 } })
  t.strictSame(verdicts(other), OUT)

  const rotated = await file.rotate(record.id, NOW)
  t.match((await follow()).difference, { parsed: 1 })
  t.strictSame(verdicts({ key, record }), OUT)
  t.strictSame(verdicts(rotated), IN)
  t.match((await follow()).difference, { parsed: 0, changed: { length: 0 }, added: { length: 0 }, removed: { length: 0 } })
  t.strictSame(published, [[20_000], [12_345], [20_000]])

  writeFileSync(file.path, byLine([...records, ...Array.from({ length: 1_500 }, () => makeKey('free').record)]))
  t.match((await follow()).difference, { parsed: 1_501, added: { length: 1_500 }, removed: [20_000] })
  t.match((await follow()).difference, { parsed: 0 })
})

t.test('after any change to the file, exactly the keys of the file are valid', async t => {
  const keys = Array.from({ length: 12 }, () => makeKey('free'))
  const state = fc.record({
    order: fc.shuffledSubarray(keys.map((_, i) => i)),
    revoked: fc.subarray(keys.map((_, i) => i)),
    layout: fc.constantFrom(byLineOrNone, byLineOrNone, pretty),
    damage: fc.constantFrom(false, false, false, true),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(state, { minLength: 1, maxLength: 8 }), async states => {
      const { file, follow, load, verdicts } = threads(t, 12)
      let isLoaded = false
      let inForce = new Set<number>()
      for (const { order, revoked, layout, damage } of states) {
        const records = order.map(i => ({
          ...(keys[i] as TestKey).record,
          revoked_at: revoked.includes(i) ? NOW : null,
        }))
        const text = layout(records)
        writeFileSync(file.path, damage && isLoaded ? text.slice(0, -3) : text)
        if (isLoaded) await follow().catch(() => {})
        else await load()
        if (!damage || !isLoaded) inForce = new Set(order.filter(i => !revoked.includes(i)))
        isLoaded = true
        for (const [i, key] of keys.entries()) if (String(verdicts(key)) !== String(inForce.has(i) ? IN : OUT)) return false
      }
      return true
    }),
    { numRuns: 100 },
  )
  t.pass('the property holds for all generated cases')
})

t.test('requests are answered between the slices of a large change', async t => {
  const { file, register, load } = threads(t)
  const keys = () => Array.from({ length: 2_500 }, () => makeKey('free').record)
  writeFileSync(file.path, byLine(keys()))
  await load()
  for (const [what, records] of [
    ['removed', keys().slice(0, 1)],
    ['added', keys()],
  ] as const) {
    writeFileSync(file.path, byLine(records))
    const difference = (await register.compare(file)) as Difference
    let turns = 0
    let isOver = false
    const countTurns = () => {
      turns++
      if (!isOver) setImmediate(countTurns)
    }
    countTurns()
    const turnsOfSlices: number[] = []
    await register.apply(difference, slots => {
      if (slots.length > 0) turnsOfSlices.push(turns)
    })
    isOver = true
    t.ok(turnsOfSlices.length > 2, `the keys are ${what} in slices`)
    t.equal(new Set(turnsOfSlices).size, turnsOfSlices.length, 'each slice has its own turn of the event loop')
  }
})

t.test('a damaged file changes nothing, even if only its end is damaged', async t => {
  const { file, follow, load, verdicts, published } = threads(t)
  const [kept, added] = [makeKey('free'), makeKey('free')]
  writeFileSync(file.path, byLine([kept.record]))
  await load()
  const sound = byLine([added.record])
  for (const damaged of [
    sound.slice(0, -1 - sound.length / 2),
    sound.slice(0, -3),
    `${sound}{}\n`,
    sound.replace('"free"', '"gold"'),
    byLine([added.record, { ...kept.record, hash: 'short' }]),
    '',
    '\n',
  ]) {
    writeFileSync(file.path, damaged)
    await t.rejects(follow(), /keys\.json: this is not/)
  }
  t.strictSame(published, [])
  t.strictSame(verdicts(kept), IN)
  t.strictSame(verdicts(added), OUT)
})

t.test('every layout of the same JSON is read', async t => {
  const keys = [makeKey('free'), makeKey('free'), makeKey('free')]
  const records = keys.map(({ record }) => record)
  const sound = byLine(records)
  for (const text of [
    sound,
    pretty(records),
    JSON.stringify({ keys: records, version: 1 }),
    sound.replaceAll('\n', '\r\n'),
    sound.replace('},\n', '},'),
    sound.replace('{"id"', '\n{"id"'),
    sound.slice(0, -1),
    sound.replace('"name":"test"', `"name":"${'x'.repeat(2 ** 21)}"`),
  ]) {
    const { file, follow, load, verdicts } = threads(t)
    writeFileSync(file.path, text)
    t.equal((await file.read())?.length, 3)
    t.equal(await load(), true)
    for (const key of keys) t.strictSame(verdicts(key), IN)
    await file.revoke((records[1] as KeyRecord).id, NOW)
    t.match((await follow()).difference, { changed: { length: 1 }, added: { length: 0 }, removed: { length: 0 } })
    t.strictSame(verdicts(keys[1] as TestKey), OUT)
    t.ok(readFileSync(file.path, 'utf8').startsWith('{"version":1,"keys":[\n{"id":'), 'the file has one line per key')
  }
})

t.test('only the keys of the whole file are loaded, even if it begins with other lines that look like keys', async t => {
  const { file, load, verdicts } = threads(t)
  const [replaced, kept] = [makeKey('free'), makeKey('free')]
  // in JSON, the last of two members with the same name counts
  writeFileSync(file.path, byLine([replaced.record]).replace(']}', `],\n"keys":[${JSON.stringify(kept.record)}]}`))
  t.strictSame(
    (await file.read())?.map(({ id }) => id),
    [kept.record.id],
  )
  t.equal(await load(), true)
  t.strictSame(verdicts(replaced), OUT)
  t.strictSame(verdicts(kept), IN)
})

t.test('new keys are parsed in smaller slices than known ones are compared', async t => {
  const { file, follow, load } = threads(t)
  writeFileSync(file.path, byLineOrNone([]))
  await load()
  writeFileSync(file.path, byLine(Array.from({ length: 500 }, () => makeKey('free').record)))
  const { difference } = await follow()
  t.equal(difference?.parsed, 500)
  t.ok((difference?.linesInSliceMax ?? Number.POSITIVE_INFINITY) < 200)
})

t.test('if a key has two lines, the last one counts', async t => {
  const { file, follow, load, verdicts } = threads(t)
  const [before, after] = [makeKey('free'), makeKey('free')]
  const both = [before.record, { ...after.record, id: before.record.id }]
  writeFileSync(file.path, byLine(both))
  await load()
  for (let i = 0; i < 3; i++) {
    t.strictSame(verdicts(before), OUT)
    t.strictSame(verdicts(after), IN)
    writeFileSync(file.path, byLine([...both, makeKey('free').record]))
    await follow()
  }
})

t.test('when no slot is free, keys are still revoked, rotated and changed', async t => {
  const { file, first, follow, load, verdicts } = threads(t, 4)
  const keys = Array.from({ length: 4 }, () => makeKey('free'))
  const [a, b, c, d] = keys as [TestKey, TestKey, TestKey, TestKey]
  writeFileSync(file.path, byLine(keys.map(({ record }) => record)))
  await load()
  const more = await file.create(OPTIONS, NOW)
  t.equal((await follow()).withoutRoom, 1)
  await file.revoke(a.record.id, NOW)
  const rotated = await file.rotate(b.record.id, NOW)
  writeFileSync(file.path, readFileSync(file.path, 'utf8').replace(c.record.hash, d.record.hash))
  const narrowed = { ...d.record, per_minute: 7 }
  writeFileSync(file.path, readFileSync(file.path, 'utf8').replace(JSON.stringify(d.record), JSON.stringify(narrowed)))
  const { withoutRoom } = await follow()
  t.equal(withoutRoom, 1)
  for (const gone of [a, b, c, more]) t.strictSame(verdicts(gone), OUT)
  t.strictSame(verdicts(rotated), IN)
  t.strictSame(verdicts(d), IN)
  t.equal(first.shown.limitMinute, 7)
})

t.test('when no slot is free, a revoked key is not reported as missing', async t => {
  const { file, follow, load, verdicts } = threads(t, 1)
  const [key, revoked] = [makeKey('free'), makeKey('free', { revoked_at: NOW })]
  writeFileSync(file.path, byLine([key.record]))
  await load()
  writeFileSync(file.path, byLine([key.record, revoked.record]))
  t.equal((await follow()).withoutRoom, 0)
  t.strictSame(verdicts(key), IN)
})

t.test('a key that is removed from the file and put back keeps its counts', async t => {
  const { file, first, follow, load, verdicts } = threads(t)
  const [key, other] = [makeKey('free'), makeKey('free')]
  writeFileSync(file.path, byLine([key.record, other.record]))
  await load()
  first.admit(key.key, START_MS)
  writeFileSync(file.path, byLine([other.record]))
  t.match((await follow()).difference, { removed: [0] })
  t.strictSame(verdicts(key), OUT)
  t.match((await follow()).difference, { removed: { length: 0 } }, 'the key is removed once')
  writeFileSync(file.path, byLine([other.record, key.record]))
  await follow()
  t.strictSame(verdicts(key), IN)
  t.equal(first.shown.remainingDay, 999)
})

t.test('a missing file is distinguished from an empty one', async t => {
  const { file, follow, load } = threads(t)
  t.equal(await load(), false)
  t.equal((await follow()).difference, undefined)
  t.equal(await file.keysAtMost(), 0)
  appendFileSync(file.path, byLineOrNone([]))
  t.equal(await load(), true)
  t.match((await follow()).difference, { parsed: 0, removed: { length: 0 } })
  writeFileSync(file.path, byLine([makeKey('free').record]))
  t.ok((await file.keysAtMost()) >= 1)
})
