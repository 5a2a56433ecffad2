import fc from 'fast-check'
import t from 'tap'
import { Gate } from '../../src/gate/gate.js'
import { Counters } from '../../src/quotas/counters.js'
import { addSpent, type Usage } from '../../src/quotas/usage.js'
import { Verdict } from '../../src/quotas/verdict.js'
import { makeKey, START_MS } from '../support/service.js'

/** A minimal store that several servers share. */
class SharedStore {
  readonly known = new Map<string, Usage>()
  async exchange(spent: readonly Usage[]) {
    return spent.map(one => {
      const after = addSpent(this.known.get(one.keyId), one)
      this.known.set(one.keyId, after)
      return after
    })
  }
}

async function exchange(gate: Gate, store: SharedStore, now: number): Promise<void> {
  const spent = await gate.usage.takeSpent(now)
  if (spent !== undefined) await gate.usage.applyStoreCounts(spent, await store.exchange(spent))
}

t.test('servers that exchange their counts all know the total, and nothing is counted twice', async t => {
  const turn = fc.record({
    who: fc.nat(2),
    what: fc.constantFrom('ask', 'ask', 'ask', 'exchange', 'ask during an exchange', 'fail'),
    gap: fc.nat(400),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { maxLength: 80, size: 'max' }), async turns => {
      const { key, record } = makeKey('free', { per_minute: 1_000_000, per_day: 1_000_000 })
      const store = new SharedStore()
      const gates = [new Gate(), new Gate(), new Gate()]
      for (const gate of gates) gate.setKey(record)
      let now = START_MS
      let asked = 0
      const ask = (gate: Gate) => {
        if (gate.admit(key, now) === Verdict.Admitted) asked++
      }
      for (const { who, what, gap } of turns) {
        now += gap
        const gate = gates[who] as Gate
        if (what === 'ask') ask(gate)
        else if (what === 'exchange') await exchange(gate, store, now)
        else {
          const spent = await gate.usage.takeSpent(now)
          ask(gate)
          if (spent === undefined) continue
          if (what === 'fail') gate.usage.retrySpent()
          else await gate.usage.applyStoreCounts(spent, await store.exchange(spent))
        }
      }
      // each server reports what it spent, then asks again for the total
      for (const gate of gates) await exchange(gate, store, now)
      for (const gate of gates) {
        ask(gate)
        await exchange(gate, store, now)
      }
      for (const gate of gates) {
        ask(gate)
        await exchange(gate, store, now)
      }
      const [usage] = [...store.known.values()]
      const last = gates[2] as Gate
      last.peek(key, now)
      return (
        usage?.dayCount === asked &&
        usage.minuteCount === asked &&
        last.shown.remainingDay === 1_000_000 - asked &&
        last.shown.remainingMinute === 1_000_000 - asked
      )
    }),
    { numRuns: 300 },
  )
  t.pass('the property holds for all generated cases')
})

t.test('the counts of an ended window do not return, and a new day begins at zero', async t => {
  const { key, record } = makeKey('free')
  const store = new SharedStore()
  const [a, b] = [new Gate(), new Gate()]
  for (const gate of [a, b]) gate.setKey(record)
  for (let i = 0; i < 5; i++) a.admit(key, START_MS)
  await exchange(a, store, START_MS)
  b.admit(key, START_MS + 61_000)
  await exchange(b, store, START_MS + 61_000)
  t.match([...store.known.values()], [{ dayCount: 6, minuteStartMs: START_MS + 61_000, minuteCount: 1 }])
  b.peek(key, START_MS + 61_000)
  t.match(b.shown, { remainingMinute: 29, remainingDay: 994 })
  const tomorrow = START_MS + 86_400_000
  a.admit(key, tomorrow)
  await exchange(a, store, tomorrow)
  t.match([...store.known.values()], [{ dayCount: 1, minuteCount: 1 }])
})

t.test('requests of an earlier minute, reported together with those of this minute, count only for the day', async t => {
  const { key, record } = makeKey('free')
  const store = new SharedStore()
  const gate = new Gate()
  gate.setKey(record)
  for (let i = 0; i < 3; i++) gate.admit(key, START_MS)
  const later = START_MS + 61_000
  for (let i = 0; i < 2; i++) gate.admit(key, later)
  await exchange(gate, store, later)
  t.match([...store.known.values()], [{ dayCount: 5, minuteStartMs: later, minuteCount: 2 }])
  gate.peek(key, later)
  t.match(gate.shown, { remainingMinute: 28, remainingDay: 995 })
})

t.test('a reply from the store that names other keys throws an error', async t => {
  const { key, record } = makeKey('free')
  const gate = new Gate()
  gate.setKey(record)
  gate.admit(key, START_MS)
  const spent = (await gate.usage.takeSpent(START_MS)) ?? []
  await t.rejects(gate.usage.applyStoreCounts(spent, []), /the store answered for/)
})

t.test('if a day has already ended on another server, late requests of that day do not count for the new day', async t => {
  const { key, record } = makeKey('free')
  const store = new SharedStore()
  const [ahead, behind] = [new Gate(), new Gate()]
  for (const gate of [ahead, behind]) gate.setKey(record)
  const midnight = START_MS - (START_MS % 86_400_000) + 86_400_000
  ahead.admit(key, midnight)
  await exchange(ahead, store, midnight)
  const now = midnight - 1
  behind.admit(key, now)
  const spent = (await behind.usage.takeSpent(now)) ?? []
  behind.admit(key, now)
  await behind.usage.applyStoreCounts(spent, await store.exchange(spent))
  const known = [...store.known.values()][0]?.dayCount ?? 0
  behind.peek(key, now)
  t.equal(behind.shown.remainingDay, 1_000 - known)
})

t.test('if a day ends during an exchange, no request of the new day is lost', async t => {
  const { key, record } = makeKey('free')
  const store = new SharedStore()
  const [slow, other] = [new Gate(), new Gate()]
  for (const gate of [slow, other]) gate.setKey(record)
  const midnight = START_MS - (START_MS % 86_400_000) + 86_400_000
  for (let i = 0; i < 3; i++) slow.admit(key, midnight - 1)
  const spent = (await slow.usage.takeSpent(midnight - 1)) ?? []
  other.admit(key, midnight)
  await exchange(other, store, midnight)
  for (let i = 0; i < 2; i++) slow.admit(key, midnight)
  await slow.usage.applyStoreCounts(spent, await store.exchange(spent))
  slow.peek(key, midnight)
  t.equal(slow.shown.remainingDay, 1_000 - 3)
})

t.test('of thousands of keys, each is reported once, also at the ends of slices', async t => {
  const KEYS = 4_100
  const { record } = makeKey('free')
  const counters = Counters.create(KEYS)
  const gate = new Gate(counters)
  const ids = Array.from({ length: KEYS }, (_, i) => `id${i}`)
  for (const id of ids) gate.setKey({ ...record, id })
  const day = Math.floor(START_MS / 86_400_000)
  const usage = ids.map(keyId => ({ keyId, day, dayCount: 1, minuteStartMs: START_MS, minuteCount: 1 }))
  for (const [slot, counts] of usage.entries()) counters.setCounts(slot, counts)
  counters.used.fill(1)
  counters.markChanged()
  const spent = (await gate.usage.takeSpent(START_MS)) ?? []
  t.equal(spent.map(({ keyId }) => keyId).join(), ids.join())
})
