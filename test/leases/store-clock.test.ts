import t from 'tap'
import { StoreClock } from '../../src/leases/store-clock.js'

t.test('until the store has replied, its time is assumed to be that of this process', async t => {
  t.equal(new StoreClock().at(5_000), 5_000)
})

t.test('the smallest difference between the clocks is used, since a slow reply makes the store seem ahead', async t => {
  const clock = new StoreClock()
  clock.measure(1_080, 1_000)
  t.equal(clock.at(2_000), 2_080)
  clock.measure(2_030, 2_000)
  t.equal(clock.at(3_000), 3_030)
  clock.measure(3_900, 3_000)
  t.equal(clock.at(4_000), 4_030)
})

t.test('a difference is used in its period of ten seconds and in the next period, but not later, since clocks drift', async t => {
  const clock = new StoreClock()
  clock.measure(9_900 + 30, 9_900)
  clock.measure(10_000 + 70, 10_000)
  t.equal(clock.at(10_000), 10_030)
  clock.measure(19_999 + 50, 19_999)
  t.equal(clock.at(19_999), 20_029)
  clock.measure(20_000 + 90, 20_000)
  t.equal(clock.at(20_000), 20_050, 'the smallest difference of the previous period is used')
  clock.measure(40_000 + 90, 40_000)
  t.equal(clock.at(40_000), 40_090)
})
