import t from 'tap'
import { addSpent, type Usage } from '../../src/quotas/usage.js'
import { START_MS } from '../support/service.js'

const usage = (minuteStartMs: number, minuteCount: number): Usage => ({
  keyId: 'key',
  day: 20_577,
  dayCount: minuteCount,
  minuteStartMs,
  minuteCount,
})

t.test('a minute that two servers began at different times has the earlier start, in any order of their reports', async t => {
  const [first, second] = [usage(START_MS, 2), usage(START_MS + 900, 3)]
  for (const sum of [addSpent(first, second), addSpent(second, first)])
    t.match(sum, { minuteStartMs: START_MS, minuteCount: 5, dayCount: 5 })
})

t.test('if two minutes are reported, in any order, the later one is kept, and the day includes both', async t => {
  const [early, late] = [usage(START_MS, 2), usage(START_MS + 60_000, 3)]
  for (const sum of [addSpent(early, late), addSpent(late, early)])
    t.match(sum, { minuteStartMs: START_MS + 60_000, minuteCount: 3, dayCount: 5 })
})
