import fc from 'fast-check'
import t from 'tap'
import { selectTop } from '../../src/catalog/select.js'

t.test('the best few come out as a full sort would order them', async t => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 200 }),
      fc.nat(210),
      (scores, want) => {
        const score = Float32Array.from(scores)
        const list = Uint32Array.from(scores.keys())
        const sorted = [...scores.keys()].sort((a, b) => (score[b] as number) - (score[a] as number) || a - b)
        const count = Math.min(want, scores.length)
        selectTop(list, scores.length, count, score)
        const whole = [...list].sort((a, b) => a - b).every((id, i) => id === i)
        return whole && sorted.slice(0, count).every((id, i) => list[i] === id)
      },
    ),
    { numRuns: 300 },
  )
  t.pass('held')
})
