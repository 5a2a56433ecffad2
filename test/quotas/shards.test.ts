import fc from 'fast-check'
import t from 'tap'
import { Shards } from '../../src/quotas/shards.js'

t.test('it is a map, whatever is put in and taken out', async t => {
  const step = fc.tuple(fc.constantFrom('set', 'delete'), fc.string({ maxLength: 2 }), fc.nat())
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), steps => {
      const shards = new Shards<number>()
      const plain = new Map<string, number>()
      for (const [what, key, value] of steps) {
        if (what === 'set') {
          shards.set(key, value)
          plain.set(key, value)
        } else {
          shards.delete(key)
          plain.delete(key)
        }
        if (shards.get(key) !== plain.get(key)) return false
      }
      return [...shards.entries()].sort().join() === [...plain].sort().join()
    }),
  )
  const shards = new Shards<number>()
  shards.set('a', 1)
  shards.clear()
  t.equal(shards.get('a'), undefined)
})
