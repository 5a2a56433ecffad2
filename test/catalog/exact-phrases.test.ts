import fc from 'fast-check'
import t from 'tap'
import { buildExactPhrases } from '../../build/exact-phrases.js'
import { ExactPhrases } from '../../src/catalog/exact-phrases.js'
import { allSearched, phrasesOf } from '../phrase-lists.js'

const TERMS = ['for', 'motor', 'of', 'oil', 'pump']
const PLACES = new Map(TERMS.map((term, place) => [term, place]))
const LINKING = ['for', 'of']
const RECORDS_MAX = 7

/** The records that have a phrase of these words, and of no others but linking ones. */
function found(phrases: string[][][], words: string[], wholeCount = 1): number[] {
  const list = phrases.map(record =>
    record.map(terms => ({ terms: terms.map(term => PLACES.get(term) as number), head: 0 })),
  )
  const source = Uint32Array.from(phrases.keys())
  const exact = new ExactPhrases({
    ...buildExactPhrases(phrasesOf(list), allSearched(list), term => PLACES.get(term)),
    source,
  })
  exact.find(
    words.map(word => ({ places: [PLACES.get(word) as number], wholeCount, weight: 1, size: 1, rarity: 1 })),
  )
  const count = exact.mark()
  const marked = [...source].filter(record => exact.isMarked(record))
  t.equal(count, marked.length)
  exact.unmark()
  t.notOk(source.some(record => exact.isMarked(record)))
  return marked
}

const RECORDS = fc.array(
  fc.array(fc.array(fc.constantFrom(...TERMS), { minLength: 1, maxLength: 4 }), { maxLength: 4 }),
  { maxLength: 25 },
)
const WORDS = fc.uniqueArray(fc.constantFrom(...TERMS.filter(term => !LINKING.includes(term))), {
  minLength: 1,
  maxLength: 3,
})

t.test('records that have a phrase of the words are found, if they are few', async t => {
  let some = 0
  fc.assert(
    fc.property(RECORDS, WORDS, (phrases, words) => {
      const isSame = (terms: string[]) => {
        const telling = new Set(terms.filter(term => !LINKING.includes(term)))
        return telling.size === words.length && words.every(word => telling.has(word))
      }
      const have = [...phrases.keys()].filter(record => phrases[record]?.some(isSame))
      const expected = words.length > 1 && have.length <= RECORDS_MAX ? have : []
      if (expected.length > 0) some++
      t.strictSame(found(phrases, words), expected)
    }),
    { numRuns: 500 },
  )
  t.ok(some > 50, `${some} times`)
})

t.test('words that are guessed, and queries without any, name nothing', async t => {
  t.strictSame(found([[['oil', 'pump']]], ['pump', 'oil']), [0], 'in any order')
  t.strictSame(found([[['oil', 'pump']]], ['pump', 'oil'], 0), [])
  t.strictSame(found([[['oil', 'pump']]], []), [])
})
