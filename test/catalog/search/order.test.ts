import fc from 'fast-check'
import t from 'tap'
import { selectFirst, sortPart } from '../../../src/catalog/search/order.js'

const scoreList = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 200, size: 'max' })

const inOrder = (scores: readonly number[]) =>
  [...scores.keys()].sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b)

const ascending = (records: readonly number[]) => [...records].sort((a, b) => a - b)

t.test('sortPart puts the same records at positions from..to as a full sort', async t => {
  fc.assert(
    fc.property(scoreList, fc.nat(199), fc.nat(199), (scores, a, b) => {
      const from = Math.min(a, b, scores.length)
      const to = Math.min(Math.max(a, b), scores.length)
      const records = [...scores.keys()]
      sortPart(records, Float64Array.from(scores), from, to)
      const expected = inOrder(scores).filter(record => record >= from && record < to)
      return `${records.slice(from, to)}` === `${expected}` && new Set(records).size === scores.length
    }),
    { numRuns: 500 },
  )
  t.pass('the property holds for all generated cases')
})

t.test('selectFirst moves the records that a full sort puts first to the front, for any order of the input', async t => {
  const select = (scores: readonly number[], at: number) => {
    const records = [...scores.keys()]
    selectFirst(records, Float64Array.from(scores), at)
    return `${ascending(records.slice(0, at))}` === `${ascending(inOrder(scores).slice(0, at))}`
  }
  fc.assert(fc.property(scoreList, fc.nat(199), (scores, at) => select(scores, Math.min(at, scores.length))))
  const count = 4096
  for (const order of [
    (i: number) => i,
    (i: number) => count - i,
    () => 1,
    (i: number) => i % 64,
    // the record in the middle, which is the pivot, always has the lowest score
    (i: number) => Math.abs(i - count / 2),
  ])
    for (const at of [0, 1, count / 2, count - 1])
      t.ok(
        select(
          Array.from({ length: count }, (_, i) => order(i)),
          at,
        ),
      )
})
