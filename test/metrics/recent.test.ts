import t from 'tap'
import { RecentRequests, SAMPLE_MS } from '../../src/metrics/recent.js'
import { Tally } from '../../src/metrics/tally.js'

const START_MS = 1_000_000

t.test('rates, latencies and refusals cover the last minute, over all threads', async t => {
  const tallies = [new Tally(), new Tally()]
  const recent = new RecentRequests(tallies, 2, 3, START_MS)
  let ms = START_MS
  const step = (count: number, kind = 0, us = 15) => {
    for (let i = 0; i < count; i++) {
      const tally = tallies[i % 2] as Tally
      tally.count(i % 2, kind, 100)
      tally.time(i % 2, us)
    }
    ms += SAMPLE_MS
    recent.sample(ms)
  }
  step(1_000, 2, 90_000)
  for (let i = 0; i < 12; i++) step(50)
  const figures = recent.read(ms)
  t.equal(figures.seconds, 60)
  t.equal(figures.perSecond, 10)
  t.strictSame(figures.kinds[0], { recent: 600, total: 600 })
  t.strictSame(figures.kinds[2], { recent: 0, total: 1_000 }, 'requests of more than a minute ago are only in the total')
  t.equal(figures.p50Us, 20, 'a percentile is the upper bound of its bucket')
  t.equal(figures.p99Us, 20)
  t.equal(figures.meanUs, 15)
  t.strictSame(figures.series.slice(0, 2), [200, 10])
})

t.test('the median of a fast and a slow request is the fast one', async t => {
  const tally = new Tally()
  const recent = new RecentRequests([tally], 1, 1, START_MS)
  tally.time(0, 15)
  tally.time(0, 90)
  t.match(recent.read(START_MS + 1_000), { p50Us: 20, p99Us: 100 })
})

t.test('without requests, latencies are null; beyond the largest bucket, percentiles are null', async t => {
  const tally = new Tally()
  const recent = new RecentRequests([tally], 1, 1, START_MS)
  t.match(recent.read(START_MS), { seconds: 0, perSecond: 0, p50Us: null, p99Us: null, meanUs: null, series: [] })
  tally.time(0, 5_000_000)
  t.match(recent.read(START_MS + 1_000), { p50Us: null, meanUs: 5_000_000 })
})

t.test('the series covers five minutes', async t => {
  const recent = new RecentRequests([new Tally()], 1, 1, START_MS)
  for (let i = 1; i < 500; i++) recent.sample(START_MS + i * SAMPLE_MS)
  t.equal(recent.read(START_MS + 500 * SAMPLE_MS).series.length, 60)
})
