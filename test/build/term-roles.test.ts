import fc from 'fast-check'
import t from 'tap'
import { BESIDE, findRoles, NAMES } from '../../build/term-roles.js'
import { SLOTS } from '../../src/catalog/ranking.js'
import { allSearched, listsOf, phrasesOf } from '../phrase-lists.js'

const TERMS = 5
const PHRASE = fc
  .array(fc.nat({ max: TERMS - 1 }), { minLength: 1, maxLength: 4 })
  .chain(terms =>
    fc.record({ terms: fc.constant(terms), head: fc.integer({ min: -1, max: terms.length - 1 }) }),
  )
const RECORDS = fc.array(fc.array(PHRASE, { maxLength: 4 }), { maxLength: 6 })

t.test('beside each posting it is told whether the term names the good in any phrase', async t => {
  fc.assert(
    fc.property(RECORDS, records => {
      const lists = listsOf(records, TERMS)
      const roles = findRoles(phrasesOf(records), allSearched(records), lists)
      const expected = Array.from(lists.postings, (record, posting) => {
        const list = lists.postingsAt.findLastIndex(start => start <= posting)
        const term = Math.floor(list / SLOTS)
        return records[record]?.some(({ terms, head }) => terms[head] === term) ? NAMES : BESIDE
      })
      t.strictSame([...roles], expected)
    }),
    { numRuns: 100 },
  )
})

t.test('a term that no phrase has, such as a synonym, has no role', async t => {
  const lists = listsOf([[{ terms: [0], head: 0 }]], TERMS)
  t.strictSame([...findRoles(phrasesOf([[{ terms: [1], head: 0 }]]), Uint8Array.of(1), lists)], [0])
})
