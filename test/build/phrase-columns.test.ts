import fc from 'fast-check'
import t from 'tap'
import { buildPhraseColumns } from '../../build/phrase-columns.js'
import {
  aloneOf,
  HEAD_FLAG,
  PHRASE_TERMS_MAX,
  SAID_TERM_BITS,
  SAID_TERM_MASK,
} from '../../src/catalog/ranking.js'

const LATIN = ['car', 'motor', 'oil', 'pump']
const ARABIC = ['زيت', 'سياره', 'محرك']
const PLACES = new Map([...LATIN, ...ARABIC].map((term, place) => [term, place]))

const PHRASE = fc
  .array(fc.constantFrom(...LATIN, ...ARABIC), { minLength: 1, maxLength: 5 })
  .chain(terms => fc.record({ terms: fc.constant(terms), head: fc.nat({ max: terms.length - 1 }) }))
const RECORDS = fc.array(fc.array(PHRASE, { maxLength: 40 }), { maxLength: 4 })

t.test('a record keeps its phrases, the shortest first, with the term that names the good', async t => {
  fc.assert(
    fc.property(RECORDS, records => {
      const { phraseFrom, phraseAt, phraseTerms } = buildPhraseColumns(records, PLACES)
      records.forEach((phrases, record) => {
        const kept: number[][] = []
        for (let n = phraseFrom[record] as number; n < (phraseFrom[record + 1] as number); n++)
          kept.push([...phraseTerms.subarray(phraseAt[n], phraseAt[n + 1])])
        const asked = phrases
          .map(({ terms, head }) =>
            terms.map((term, i) => (PLACES.get(term) as number) + (i === head ? HEAD_FLAG : 0)),
          )
          .sort((a, b) => a.length - b.length)
        t.strictSame(kept, asked)
      })
    }),
    { numRuns: 100 },
  )
})

t.test(
  'for each term of a record it is told which phrases have it, and how it stands in the most telling',
  async t => {
    fc.assert(
      fc.property(RECORDS, records => {
        const { saidAt, saidArabicAt, said, saidIn } = buildPhraseColumns(records, PLACES)
        records.forEach((phrases, record) => {
          const sorted = [...phrases].sort((a, b) => a.terms.length - b.terms.length)
          const [from, arabicFrom, end] = [saidAt[record], saidArabicAt[record], saidAt[record + 1]] as [
            number,
            number,
            number,
          ]
          const places = [...said.subarray(from, end)].map(one => one & SAID_TERM_MASK)
          t.strictSame(
            places,
            [...PLACES]
              .filter(([term]) => phrases.some(one => one.terms.includes(term)))
              .map(([, place]) => place),
            'every term once, ascending',
          )
          t.ok(places.every((place, i) => from + i < arabicFrom === place < LATIN.length))
          for (let i = from; i < end; i++) {
            const place = (said[i] as number) & SAID_TERM_MASK
            const term = [...PLACES.keys()][place] as string
            let bits = 0
            sorted.forEach(({ terms }, n) => {
              if (terms.includes(term)) bits |= 1 << (n % 32)
            })
            const [best] = sorted
              .filter(({ terms }) => terms.includes(term))
              .map(({ terms, head }) => ({ length: terms.length, isHead: terms[head] === term }))
              .sort((a, b) => worthOf(b) - worthOf(a))
            t.equal(saidIn[i], bits)
            const told = (said[i] as number) >>> SAID_TERM_BITS
            t.equal(worthOf({ length: told >> 1, isHead: (told & 1) === 1 }), worthOf(best as Stand))
          }
        })
      }),
      { numRuns: 100 },
    )
  },
)

interface Stand {
  length: number
  isHead: boolean
}

/** A short phrase tells most, and one whose good the term names four times as much. */
function worthOf({ length, isHead }: Stand): number {
  return (isHead ? 1 : 0.25) / length
}

t.test('phrases too long to be told count as the longest', async t => {
  t.equal(aloneOf(PHRASE_TERMS_MAX, true), 255)
  t.equal(aloneOf(1000, true), 255)
  t.equal(aloneOf(1000, false), 254)
})
