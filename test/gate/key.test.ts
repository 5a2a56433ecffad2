import fc from 'fast-check'
import t from 'tap'
import { hashKey, isWellFormed, KEY_PATTERN, newKey } from '../../src/gate/key.js'

t.test('keys name their tier, are random, and carry a checksum', async t => {
  const keys = Array.from({ length: 200 }, () => newKey('basic'))
  t.equal(new Set(keys).size, 200)
  for (const key of keys) {
    t.match(key, KEY_PATTERN)
    t.match(key, /^hs_basic_/)
    t.ok(isWellFormed(key))
  }
})

t.test('one wrong character makes a key malformed', async t => {
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom(...'aZ09_'), (seed, char) => {
      const key = newKey('free')
      const at = seed % key.length
      const changed = key.slice(0, at) + char + key.slice(at + 1)
      return changed === key || !isWellFormed(changed)
    }),
    { numRuns: 300 },
  )
  for (const text of ['', 'hs_', 'hs_free__', 'x'.repeat(10_000)]) t.notOk(isWellFormed(text))
})

t.test('the stored form does not contain the key', async t => {
  const key = newKey('free')
  t.notOk(hashKey(key).includes(key.slice(8, 20)))
  t.equal(hashKey(key), hashKey(key))
})
