/** The figures of a thread: its connections and the delay of its event loop. The timer is moved by hand. */
import { mock } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { Tally } from '../../src/metrics/tally.js'
import { watchThread } from '../../src/metrics/watch-thread.js'
import { until } from '../support/until.js'

const BLOCKED_SECONDS = 0.2

t.test('the delay of the event loop is that of the last second, in seconds', async t => {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const tally = new Tally()
  const stop = watchThread(tally, () => ({ connections: 3, accessDropped: 2 }))
  t.teardown(stop)
  const pass = () => mock.timers.tick(1_000)
  let longest = 0
  await until('a blocked event loop is measured', async () => {
    // the monitor measures from its second turn on
    await wait(60)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCKED_SECONDS * 1_000)
    await wait(60)
    pass()
    longest = tally.get('delayMax')
    return longest >= BLOCKED_SECONDS / 2
  })
  t.ok(longest < 60)
  pass()
  t.equal(tally.get('delayMax'), 0, 'an earlier delay is forgotten')
  t.strictSame([tally.get('connections'), tally.get('accessDropped')], [3, 2])
})

t.test('after the watch has ended, figures do not change', async t => {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const tally = new Tally()
  let connections = 1
  const stop = watchThread(tally, () => ({ connections, accessDropped: 0 }))
  mock.timers.tick(1_000)
  stop()
  connections = 2
  mock.timers.tick(5_000)
  t.equal(tally.get('connections'), 1)
})
