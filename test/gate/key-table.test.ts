import fc from 'fast-check'
import t from 'tap'
import { checksumOf, hashKey, newKey } from '../../src/gate/key.js'
import { KeyTable, NO_SLOT } from '../../src/gate/key-table.js'

function tableOf(keys: readonly string[]): KeyTable {
  const table = new KeyTable(keys.length, keys.length)
  for (const [slot, key] of keys.entries()) table.add(checksumOf(key), hashKey(key), slot)
  return table
}

t.test('finds every key at its first use and after, and no other', async t => {
  const keys = Array.from({ length: 300 }, () => newKey('free'))
  const table = tableOf(keys)
  const others = Array.from({ length: 300 }, () => newKey('free'))
  for (let round = 0; round < 2; round++) {
    t.ok(keys.every((key, slot) => table.find(key) === slot))
    t.ok(others.every(key => table.find(key) === NO_SLOT))
  }
})

t.test('keys that share a checksum stay apart, and one made up with a known checksum is refused', async t => {
  const ending = '_abc123'
  const alike = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(alike, alike, fc.infiniteStream(fc.nat()), (names, madeUp, picks) => {
      const keys = names.map(name => name + ending)
      const table = tableOf(keys)
      const asked = [...keys, ...madeUp.map(name => name + ending)]
      for (let i = 0; i < 40; i++) {
        const key = asked[(picks.next().value as number) % asked.length] as string
        if (table.find(key) !== keys.indexOf(key)) return false
      }
      return true
    }),
    { numRuns: 200 },
  )
  t.pass('held')
})

t.test('a key with one wrong character is no key', async t => {
  const key = newKey('free')
  const table = tableOf([key])
  fc.assert(
    fc.property(fc.nat(key.length - 1), fc.constantFrom(...'aZ09_'), (at, char) => {
      const changed = key.slice(0, at) + char + key.slice(at + 1)
      return table.find(changed) === (changed === key ? 0 : NO_SLOT)
    }),
    { numRuns: 300 },
  )
  t.equal(table.find(key), 0)
})

t.test('any other text is no key', async t => {
  const table = tableOf([newKey('pro')])
  for (const text of ['', 'x', 'short', '_abc12', 'é'.repeat(40), 'x'.repeat(65), 'x'.repeat(100_000)])
    t.equal(table.find(text), NO_SLOT)
  t.equal(new KeyTable(0, 0).find(newKey('pro')), NO_SLOT)
})
