import fc from 'fast-check'
import t from 'tap'
import { CountRows } from '../../src/quotas/count-rows.js'
import type { Usage } from '../../src/quotas/usage.js'

const usage = fc.record({
  keyId: fc.string({ maxLength: 2 }),
  day: fc.nat({ max: 9 }),
  dayCount: fc.nat(),
  minuteStartMs: fc.nat({ max: 2 ** 45 }),
  minuteCount: fc.nat(),
})
const step = fc.oneof(usage, fc.nat({ max: 9 }))
const sorted = (rows: Iterable<Usage>) => [...rows].sort((a, b) => (a.keyId < b.keyId ? -1 : 1)).map(row => JSON.stringify(row))

t.test('the counts behave like a map of rows, for any sequence of insertions and removals', async t => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200, size: 'max' }), steps => {
      const rows = new CountRows()
      const plain = new Map<string, Usage>()
      for (const what of steps) {
        if (typeof what === 'number') {
          for (const { keyId, day } of plain.values()) if (day < what) plain.delete(keyId)
          if (sorted(rows.since(what)).join() !== sorted(plain.values()).join()) return false
        } else {
          rows.set(what)
          plain.set(what.keyId, what)
        }
      }
      if ([...plain.keys()].some(id => JSON.stringify(rows.get(id)) !== JSON.stringify(plain.get(id)))) return false
      return sorted(rows.since(0)).join() === sorted(plain.values()).join()
    }),
  )
  t.pass('the property holds for all generated cases')
})

t.test('rows beyond the first piece keep their counts', async t => {
  const rows = new CountRows()
  const ALL = 40_000
  for (let i = 0; i < ALL; i++) rows.set({ keyId: `k${i}`, day: i % 7, dayCount: i, minuteStartMs: i * 1e6, minuteCount: 1 })
  for (const i of [0, 16_383, 16_384, 32_768, ALL - 1])
    t.strictSame(rows.get(`k${i}`), {
      keyId: `k${i}`,
      day: i % 7,
      dayCount: i,
      minuteStartMs: i * 1e6,
      minuteCount: 1,
    })
})

t.test('counting a key repeatedly takes no more memory', async t => {
  const rows = new CountRows()
  const count = (dayCount: number) => rows.set({ keyId: 'key', day: 1, dayCount, minuteStartMs: 0, minuteCount: 1 })
  count(1)
  const before = process.memoryUsage().arrayBuffers
  for (let i = 2; i <= 20_000; i++) count(i)
  t.ok(process.memoryUsage().arrayBuffers - before < 100_000)
  t.match([...rows.since(0)], [{ dayCount: 20_000 }])
})
