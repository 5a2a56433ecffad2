import fc from 'fast-check'
import t from 'tap'
import { checksumOf, hashKey, newKey } from '../../src/keys/key.js'
import { KeyTable, NO_SLOT } from '../../src/keys/key-table.js'

function tableOf(keys: readonly string[], capacity = keys.length): KeyTable {
  const table = new KeyTable(capacity)
  for (const [slot, key] of keys.entries()) table.put(slot, checksumOf(key), hashKey(key))
  return table
}

t.test('the table finds every key, at its first use and later, and no other text', async t => {
  const keys = Array.from({ length: 300 }, () => newKey('free'))
  const table = tableOf(keys)
  const others = Array.from({ length: 300 }, () => newKey('free'))
  for (let round = 0; round < 2; round++) {
    t.ok(keys.every((key, slot) => table.find(key) === slot))
    t.ok(others.every(key => table.find(key) === NO_SLOT))
  }
})

t.test('keys that share a checksum stay distinct, and a made-up key with a known checksum is refused', async t => {
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
  t.pass('the property holds for all generated cases')
})

t.test('a key with one wrong character is unknown', async t => {
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

t.test('a text that is not a key of the table is unknown', async t => {
  const table = tableOf([newKey('pro')])
  for (const text of ['', 'x', 'short', '_abc12', 'é'.repeat(40), 'x'.repeat(65), 'x'.repeat(100_000)])
    t.equal(table.find(text), NO_SLOT)
  t.equal(new KeyTable(0).find(newKey('pro')), NO_SLOT)
})

/** Few endings, so that many keys collide. */
const crowded = fc
  .tuple(fc.stringMatching(/^[a-z]{1,6}$/), fc.constantFrom('_aaaaaa', '_aaaaab', '_aaaaac', '_zzzzzz'))
  .map(([name, ending]) => name + ending)

t.test('keys that come, go and change while the table grows are found as in a plain map', async t => {
  const step = fc.record({
    what: fc.constantFrom('put', 'put', 'put', 'remove', 'widen a little', 'find'),
    slot: fc.nat(199),
    key: crowded,
    places: fc.integer({ min: 1, max: 100 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400, size: 'max' }), steps => {
      const table = new KeyTable(200)
      const copy = new KeyTable(200)
      const plain = new Map<number, string>()
      for (const { what, slot, key, places } of steps) {
        const holder = [...plain].find(([, known]) => known === key)?.[0] ?? NO_SLOT
        if (what === 'put' && holder === NO_SLOT) {
          plain.set(slot, key)
          table.put(slot, checksumOf(key), hashKey(key))
          copy.take(table.batchOf([slot]))
        } else if (what === 'remove') {
          plain.delete(slot)
          table.remove(slot)
          copy.take(table.batchOf([slot]))
        } else if (what === 'widen a little') table.makeRoom(300, places)
        else if (what === 'find' && table.find(key) !== holder) return false
      }
      const another = new KeyTable(200)
      another.take(table.batchOf(Array.from({ length: 200 }, (_, slot) => slot)))
      for (const known of [table, copy, another]) {
        for (const [slot, key] of plain) if (!known.has(slot) || known.find(key) !== slot) return false
        for (let slot = 0; slot < 200; slot++) if (known.has(slot) !== plain.has(slot)) return false
      }
      return true
    }),
    { numRuns: 300 },
  )
  t.pass('the property holds for all generated cases')
})

t.test('a table grows by a bounded number of buckets at a time, and can be read in between', async t => {
  const keys = Array.from({ length: 500 }, () => newKey('free'))
  const table = tableOf(keys)
  let slices = 0
  while (!table.makeRoom(10_000, 512)) {
    slices++
    const slot = slices % keys.length
    if (table.find(keys[slot] as string) !== slot) t.fail('a key is not found while the table grows')
  }
  t.equal(slices, (32_768 + 1_024) / 512 - 1)
  t.ok(keys.every((key, slot) => table.find(key) === slot))
})

t.test('a key removed while the table grows is gone afterwards', async t => {
  const keys = Array.from({ length: 500 }, () => newKey('free'))
  const table = tableOf(keys)
  // the larger table is cleared, and half of the keys are in it
  for (let slice = 0; slice < (32_768 + 512) / 512; slice++) t.notOk(table.makeRoom(10_000, 512))
  for (let slot = 0; slot < 250; slot++) table.remove(slot)
  while (!table.makeRoom(10_000, 512));
  t.ok(keys.slice(0, 250).every(key => table.find(key) === NO_SLOT))
  t.ok(keys.slice(250).every((key, i) => table.find(key) === 250 + i))
  t.equal(table.size, 250)
})

t.test('a key added while the table grows is there afterwards', async t => {
  const keys = Array.from({ length: 500 }, () => newKey('free'))
  const table = tableOf(keys.slice(0, 400), keys.length)
  for (let slice = 0; slice < (32_768 + 512) / 512; slice++) t.notOk(table.makeRoom(10_000, 512))
  for (let slot = 400; slot < 500; slot++) table.put(slot, checksumOf(keys[slot] as string), hashKey(keys[slot] as string))
  while (!table.makeRoom(10_000, 512));
  t.ok(keys.every((key, slot) => table.find(key) === slot))
})

t.test('a slot that another key takes over forgets the previous key', async t => {
  const [before, after] = [newKey('free'), newKey('free')]
  const table = tableOf([before])
  t.equal(table.find(before), 0)
  table.put(0, checksumOf(after), hashKey(after))
  t.equal(table.find(before), NO_SLOT)
  t.equal(table.find(after), 0)
})
