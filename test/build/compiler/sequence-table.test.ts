import fc from 'fast-check'
import t from 'tap'
import { SequenceTable, UNKNOWN } from '../../../build/compiler/sequence-table.js'

const SEQUENCE = fc.array(fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 0xffff_ffff })), { maxLength: 4 })

t.test('equal sequences have one number, counted as they came in', async t => {
  fc.assert(
    fc.property(fc.array(SEQUENCE, { maxLength: 3_000, size: 'max' }), fc.array(SEQUENCE), (added, asked) => {
      const table = new SequenceTable()
      const numbers = new Map<string, number>()
      for (const sequence of added) {
        const key = sequence.join()
        if (!numbers.has(key)) numbers.set(key, numbers.size)
        // what stands before and behind it is not part of it
        const values = Uint32Array.of(9, ...sequence, 9)
        t.equal(table.add(values, 1, 1 + sequence.length), numbers.get(key))
      }
      t.equal(table.size, numbers.size)
      for (const sequence of [...added, ...asked])
        t.equal(table.find(Uint32Array.from(sequence), 0, sequence.length), numbers.get(sequence.join()) ?? UNKNOWN)
    }),
    { numRuns: 30 },
  )
})
