import t from 'tap'
import { leftAfterPrefetch, nextPrefetch } from '../../src/leases/prefetch.js'

t.test('a key that needs a lease again within 100 ms prefetches twice as much, from 8 to 8,192', async t => {
  const steps = [0]
  for (let n = 0; n < 12; n++) steps.push(nextPrefetch(steps.at(-1) as number, 99))
  t.strictSame(steps, [0, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096, 8_192, 8_192])
})

t.test(
  'a key that needs a lease again within a second prefetches the same amount, and after a longer time a quarter of it',
  async t => {
    t.strictSame([nextPrefetch(64, 100), nextPrefetch(64, 1_000)], [64, 64])
    t.strictSame([nextPrefetch(64, 1_001), nextPrefetch(7, 1_001), nextPrefetch(3, 1_001)], [16, 1, 0])
  },
)

t.test(
  'each other replica is assumed to have prefetched 1/64 of what is left, and all others together at most a quarter',
  async t => {
    t.equal(leftAfterPrefetch(6_400, 0), 6_400)
    t.equal(leftAfterPrefetch(6_400, 3), 6_100)
    t.equal(leftAfterPrefetch(6_400, 16), 4_800)
    t.equal(leftAfterPrefetch(6_400, 99), 4_800)
    t.equal(leftAfterPrefetch(63, 5), 63)
    t.equal(leftAfterPrefetch(-640, 5), -640)
  },
)
