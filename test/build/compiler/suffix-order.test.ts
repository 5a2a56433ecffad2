import fc from 'fast-check'
import t from 'tap'
import { sortSuffixes } from '../../../build/compiler/suffix-order.js'

const PHRASES = fc.array(fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 6 }), { maxLength: 40, size: 'max' })

t.test(
  'suffixes are sorted: a suffix comes before longer ones that start with it, and equal suffixes keep their order',
  async t => {
    fc.assert(
      fc.property(PHRASES, phrases => {
        const numbers = Uint32Array.from(phrases.flat())
        let end = 0
        const ends = Uint32Array.from(
          phrases.flatMap(phrase => {
            end += phrase.length
            return phrase.map(() => end)
          }),
        )
        const positions = [...numbers.keys()].reverse()
        const rest = (at: number) => [...numbers.subarray(at, ends[at])].join('')
        const expected = [...positions].sort((a, b) => (rest(a) === rest(b) ? 0 : rest(a) < rest(b) ? -1 : 1))
        t.strictSame([...sortSuffixes(Uint32Array.from(positions), { numbers, ends })], expected)
      }),
      { numRuns: 200 },
    )
  },
)
