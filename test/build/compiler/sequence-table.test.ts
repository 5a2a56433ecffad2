import fc from 'fast-check'
import t from 'tap'
import { SequenceTable, UNKNOWN } from '../../../build/compiler/sequence-table.js'

const SEQUENCE = fc.array(fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 0xffff_ffff })), { maxLength: 4 })

t.test('equal sequences get the same number, and different ones are numbered in order of insertion', async t => {
  fc.assert(
    fc.property(fc.array(SEQUENCE, { maxLength: 3_000, size: 'max' }), fc.array(SEQUENCE), (added, asked) => {
      const table = new SequenceTable()
      const numbers = new Map<string, number>()
      const expected = (sequence: readonly number[]) => numbers.get(sequence.join()) ?? UNKNOWN
      for (const sequence of added) if (expected(sequence) === UNKNOWN) numbers.set(sequence.join(), numbers.size)
      // the numbers before and after the range must be ignored
      const assigned = added.map(sequence => table.add(Uint32Array.of(9, ...sequence, 9), 1, 1 + sequence.length))
      // one comparison of texts is faster than thousands of comparisons of numbers
      t.equal(assigned.join(), added.map(expected).join())
      t.equal(table.size, numbers.size)
      const all = [...added, ...asked]
      const found = all.map(sequence => table.find(Uint32Array.from(sequence), 0, sequence.length))
      t.equal(found.join(), all.map(expected).join())
    }),
    { numRuns: 30 },
  )
})
