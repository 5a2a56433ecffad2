import t from 'tap'
import { DAY_MS, utcDay } from '../../src/clock.js'
import { usedNow } from '../../src/quotas/used.js'

const NOW = Date.parse('2026-05-04T12:00:00Z')
const TODAY = utcDay(NOW)

t.test('once a window has ended, its use is 0; the day remains the last day of use', async t => {
  const counts = { minuteStartMs: NOW - 10_000, minuteCount: 3, day: TODAY, dayCount: 7 }
  t.strictSame(usedNow(counts, NOW), { minute: 3, day: 7, lastDay: '2026-05-04' })
  t.strictSame(usedNow(counts, NOW + 50_000), { minute: 0, day: 7, lastDay: '2026-05-04' }, 'the minute has ended')
  t.strictSame(usedNow(counts, NOW + 60_000), { minute: 0, day: 7, lastDay: '2026-05-04' })
  t.strictSame(usedNow(counts, NOW + DAY_MS), { minute: 0, day: 0, lastDay: '2026-05-04' })
})

t.test('a key that was never used has no last day; if the clock was set back, counts of the later day are shown', async t => {
  t.strictSame(usedNow({ minuteStartMs: 0, minuteCount: 0, day: 0, dayCount: 0 }, NOW), { minute: 0, day: 0, lastDay: null })
  t.equal(
    usedNow({ minuteStartMs: 0, minuteCount: 0, day: TODAY, dayCount: 0 }, NOW).lastDay,
    null,
    'all leased requests of the day were returned',
  )
  const later = { minuteStartMs: NOW + 60_000, minuteCount: 3, day: TODAY + 1, dayCount: 5 }
  t.match(usedNow(later, NOW), { minute: 0, day: 5 }, 'a minute that starts a minute or more ahead is over')
  t.equal(usedNow(later, NOW + 1).minute, 3)
})
