import fc from 'fast-check'
import tap from 'tap'
import { GrowingArray } from '../../../build/compiler/growing-array.js'

tap.test('the column has the pushed values in order, in a buffer of exactly their size', async t => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 0xffff_ffff }), { maxLength: 5_000, size: 'max' }), values => {
      const growing = new GrowingArray()
      for (const value of values) growing.push(value)
      const column = growing.column()
      t.equal(Buffer.compare(Buffer.from(column.buffer), Buffer.from(Uint32Array.from(values).buffer)), 0)
      t.equal(column.buffer.byteLength, 4 * values.length)
    }),
  )
})
