import fc from 'fast-check'
import t from 'tap'
import { buildPhraseColumns, type IndexedPhrase, type PhraseColumns } from '../../build/phrase-columns.js'
import {
  aloneOf,
  DOSSIER,
  DOSSIER_AHEAD,
  HEAD_FLAG,
  PHRASE_BITS,
  PHRASE_TERMS_MAX,
  SAID_TERM_BITS,
  SAID_TERM_MASK,
} from '../../src/catalog/dossier.js'

const LATIN = ['car', 'motor', 'oil', 'pump']
const ARABIC = ['زيت', 'سياره', 'محرك']
const TERMS = [...LATIN, ...ARABIC]
const PLACES = new Map(TERMS.map((term, place) => [term, place]))

const PHRASE = fc
  .array(fc.constantFrom(...TERMS), { minLength: 1, maxLength: 5 })
  .chain(terms => fc.record({ terms: fc.constant(terms), head: fc.nat({ max: terms.length - 1 }) }))
const RECORDS = fc.array(fc.array(PHRASE, { maxLength: 40 }), { maxLength: 4 })

interface Dossier {
  said: { place: number; alone: number; bits: number }[]
  phrases: number[][]
}

/** The dossiers of each record, as what they tell. */
function dossiersOf({ dossierAt, dossiers }: PhraseColumns): (Dossier | undefined)[] {
  return Array.from(dossierAt.subarray(0, -1), (base, i) => {
    if (base === dossierAt[i + 1]) return undefined
    const own = dossiers.subarray(base, dossierAt[i + 1])
    const terms = own[DOSSIER.terms] as number
    const starts = DOSSIER.first + 2 * terms
    const phrases = Array.from({ length: own[DOSSIER.phrases] as number }, (_, n) => [
      ...Uint32Array.from(own.subarray(own[starts + n], own[starts + n + 1])),
    ])
    t.equal(own[starts + phrases.length], own.length, 'nothing is left')
    const said = Array.from(own.subarray(DOSSIER.first, DOSSIER.first + terms), (one, n) => ({
      place: one & SAID_TERM_MASK,
      alone: one >>> SAID_TERM_BITS,
      bits: own[DOSSIER.first + terms + n] as number,
    }))
    return { said, phrases }
  })
}

/** What the two dossiers of a record are about. */
const inLetters = (phrases: IndexedPhrase[]) =>
  [LATIN, ARABIC].map(letters =>
    phrases
      .filter(({ terms }) => terms.some(term => letters.includes(term)))
      .sort((a, b) => a.terms.length - b.terms.length),
  )

t.test('a record keeps the phrases in each of the two scripts, the shortest first', async t => {
  fc.assert(
    fc.property(RECORDS, records => {
      const kept = dossiersOf(buildPhraseColumns(records, PLACES)).map(one => one?.phrases ?? [])
      const asked = records
        .flatMap(inLetters)
        .map(list =>
          list.map(({ terms, head }) =>
            terms.map((term, i) => (PLACES.get(term) as number) + (i === head ? HEAD_FLAG : 0)),
          ),
        )
      t.strictSame(kept, asked)
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

t.test('of each term it is told which phrases have it, and how it stands in the most telling', async t => {
  fc.assert(
    fc.property(RECORDS, records => {
      const told = dossiersOf(buildPhraseColumns(records, PLACES))
      records.flatMap(inLetters).forEach((phrases, i) => {
        const said = told[i]?.said ?? []
        const places = [...TERMS.keys()].filter(place => phrases.some(has(place)))
        t.strictSame(
          said.map(({ place }) => place),
          places,
          'every term once, ascending',
        )
        for (const { place, alone, bits } of said) {
          const stands = phrases
            .filter(has(place))
            .map(({ terms, head }) => ({ length: terms.length, isHead: terms[head] === TERMS[place] }))
          t.equal(
            worthOf({ length: alone >> 1, isHead: (alone & 1) === 1 }),
            Math.max(...stands.map(worthOf)),
          )
          t.equal(
            bits,
            phrases.reduce((all, one, n) => (has(place)(one) ? all | (1 << (n % PHRASE_BITS)) : all), 0),
          )
        }
      })
    }),
    { numRuns: 100 },
  )
})

const has =
  (place: number) =>
  ({ terms }: IndexedPhrase) =>
    terms.includes(TERMS[place] as string)

t.test('the last dossier may be read ahead', async t => {
  const { dossierAt, dossiers } = buildPhraseColumns([[{ terms: ['oil'], head: 0 }]], PLACES)
  t.ok(dossiers.length - (dossierAt.at(-1) as number) >= DOSSIER_AHEAD)
})

t.test('phrases too long to be told count as the longest', async t => {
  t.equal(aloneOf(PHRASE_TERMS_MAX, true), 255)
  t.equal(aloneOf(1000, true), 255)
  t.equal(aloneOf(1000, false), 254)
})
