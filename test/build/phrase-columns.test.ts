import fc from 'fast-check'
import t from 'tap'
import { buildPhraseColumns, type PhraseColumns } from '../../build/phrase-columns.js'
import {
  aloneOf,
  DOSSIER_AHEAD,
  HEAD_FLAG,
  PHRASE_BITS,
  PHRASE_TERMS_MAX,
  PHRASES_MASK,
} from '../../src/catalog/dossier.js'
import { SLOTS } from '../../src/catalog/ranking.js'
import { allSearched, listsOf, phrasesOf, type TestPhrase } from '../phrase-lists.js'

/** Places of the vocabulary. */
const TERMS = [0, 1, 2, 3, 4, 5, 6]

const PHRASE = fc
  .array(fc.constantFrom(...TERMS), { minLength: 1, maxLength: 5 })
  .chain(terms => fc.record({ terms: fc.constant(terms), head: fc.nat({ max: terms.length - 1 }) }))
const RECORDS = fc.array(fc.array(PHRASE, { maxLength: 40 }), { maxLength: 4 })

const built = (records: TestPhrase[][]) =>
  buildPhraseColumns(phrasesOf(records), allSearched(records), listsOf(records, TERMS.length))
const sorted = (phrases: TestPhrase[]) => [...phrases].sort((a, b) => a.terms.length - b.terms.length)

/** The phrases of each record, as its dossier tells them. */
function phrasesIn({ dossierAt, dossiers }: PhraseColumns): number[][][] {
  return Array.from(dossierAt.subarray(0, -1), (base, i) => {
    const own = dossiers.subarray(base, dossierAt[i + 1])
    if (own.length === 0) return []
    const count = (own[0] as number) - 1
    t.equal(own[count], own.length, 'nothing is left')
    return Array.from({ length: count }, (_, n) => [...Uint32Array.from(own.subarray(own[n], own[n + 1]))])
  })
}

t.test('a record keeps its phrases, the shortest first', async t => {
  fc.assert(
    fc.property(RECORDS, records => {
      const asked = records.map(list =>
        sorted(list).map(({ terms, head }) => terms.map((term, i) => term + (i === head ? HEAD_FLAG : 0))),
      )
      t.strictSame(phrasesIn(built(records)), asked)
    }),
    { numRuns: 100 },
  )
})

interface Stand {
  length: number
  isHead: boolean
}

/** A short phrase tells most, and one whose good the term names four times as much. */
function worthOf({ length, isHead }: Stand): number {
  return (isHead ? 1 : 0.25) / length
}

t.test(
  'beside each posting it is told which phrases have the term, and how it stands in the most telling',
  async t => {
    fc.assert(
      fc.property(RECORDS, records => {
        const { postingsAt, postings } = listsOf(records, TERMS.length)
        const { saidAt, said } = built(records)
        for (const place of TERMS.keys()) {
          const from = postingsAt[place * SLOTS] as number
          const told = said.subarray(saidAt[place], saidAt[place + 1])
          t.equal(told.length, (postingsAt[(place + 1) * SLOTS] as number) - from, 'one for each')
          told.forEach((one, i) => {
            const phrases = sorted(records[postings[from + i] as number] as TestPhrase[])
            const alone = one >>> PHRASE_BITS
            const stands = phrases
              .filter(has(place))
              .map(({ terms, head }) => ({ length: terms.length, isHead: terms[head] === place }))
            t.equal(
              worthOf({ length: alone >> 1, isHead: (alone & 1) === 1 }),
              Math.max(...stands.map(worthOf)),
            )
            t.equal(
              one & PHRASES_MASK,
              phrases.reduce((all, own, n) => (has(place)(own) ? all | (1 << (n % PHRASE_BITS)) : all), 0),
            )
          })
        }
      }),
      { numRuns: 100 },
    )
  },
)

t.test(
  'of a word that no phrase has, such as a synonym or one written with a hyphen, nothing is said',
  async t => {
    const records = [[{ terms: [3], head: 0 }]]
    const { said } = buildPhraseColumns(
      phrasesOf(records),
      allSearched(records),
      listsOf([[{ terms: [0], head: 0 }]], TERMS.length),
    )
    t.strictSame([...said], [0])
  },
)

t.test('what is not searched has no dossier', async t => {
  const records = [[{ terms: [1], head: 0 }]]
  const { dossierAt } = buildPhraseColumns(phrasesOf(records), Uint8Array.of(0), listsOf([[]], TERMS.length))
  t.strictSame([...dossierAt], [0, 0])
})

const has =
  (place: number) =>
  ({ terms }: TestPhrase) =>
    terms.includes(place)

t.test('the last dossier may be read ahead', async t => {
  const { dossierAt, dossiers } = built([[{ terms: [2], head: 0 }]])
  t.ok(dossiers.length - (dossierAt.at(-1) as number) >= DOSSIER_AHEAD)
})

t.test('phrases too long to be told count as the longest', async t => {
  t.equal(aloneOf(PHRASE_TERMS_MAX, true), 255)
  t.equal(aloneOf(1000, true), 255)
  t.equal(aloneOf(1000, false), 254)
})
