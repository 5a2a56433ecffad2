import fc from 'fast-check'
import t from 'tap'
import { KeyIds } from '../../src/keys/key-ids.js'
import { NO_SLOT } from '../../src/keys/slot-table.js'

t.test('ids get slots in order of arrival and keep them, as long as there is room', async t => {
  const room = 40
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 120, size: 'max' }), ids => {
      const table = new KeyIds(room)
      const plain = new Map<string, number>()
      for (const id of ids) {
        if (!plain.has(id) && plain.size < room) plain.set(id, plain.size)
        if (table.slotFor(id) !== (plain.get(id) ?? NO_SLOT)) return false
      }
      return table.count === plain.size && [...plain].every(([id, slot]) => table.id(slot) === id && table.find(id) === slot)
    }),
  )
  t.equal(new KeyIds(1).find('nobody'), NO_SLOT)
})

t.test('tens of thousands of ids, in any script and beyond a megabyte in all, are distinguished', async t => {
  const table = new KeyIds(60_000)
  for (let i = 0; i < 60_000; i++) table.slotFor(`مفتاح ${i}`)
  t.equal(table.find('مفتاح 59999'), 59_999)
  t.equal(table.id(59_999), 'مفتاح 59999')
  t.equal(table.find('مفتاح 20000'), 20_000)
  t.equal(table.id(20_000), 'مفتاح 20000')
  t.equal(table.slotFor('one more'), NO_SLOT)
})
