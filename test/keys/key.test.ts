import t from 'tap'
import { CHECKSUM_CHARS, hashKey, newKey, withChecksum } from '../../src/keys/key.js'

t.test('keys name their tier, are random, and carry a checksum', async t => {
  const keys = Array.from({ length: 200 }, () => newKey('basic'))
  t.equal(new Set(keys).size, 200)
  for (const key of keys) {
    t.match(key, /^hs_[a-z]+_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/)
    t.match(key, /^hs_basic_/)
    t.equal(withChecksum(key.slice(0, -CHECKSUM_CHARS - 1)), key)
  }
})

t.test('the stored form does not contain the key', async t => {
  const key = newKey('free')
  t.notOk(hashKey(key).includes(key.slice(8, 20)))
  t.equal(hashKey(key), hashKey(key))
})
