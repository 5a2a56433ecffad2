import fc from 'fast-check'
import t from 'tap'
import { buildPhraseColumns } from '../../build/phrase-columns.js'
import { Homes } from '../../src/catalog/homes.js'
import { Matches } from '../../src/catalog/matches.js'
import { PhraseJudge } from '../../src/catalog/rerank.js'
import { Work } from '../../src/catalog/work.js'
import type { Columns } from '../../src/snapshot/schema.js'
import { entriesOf } from '../entries-of.js'
import { allSearched, listsOf, phrasesOf } from '../phrase-lists.js'

const LEVEL = 6
/** Of that level. */
const LEVEL_WEIGHT = 1.04

/** Half of the terms are Arabic. */
const TERMS = 200
const ARABIC_FROM = 100

interface Phrase {
  terms: number[]
  head: number
}

/** A judge of records with these phrases, of a level, each under its own heading or these. */
function judgeOf(phrases: Phrase[][], headings: number[] = [...phrases.keys()]): PhraseJudge {
  const lists = listsOf(phrases, TERMS)
  const columns = {
    ...lists,
    ...buildPhraseColumns(phrasesOf(phrases), allSearched(phrases), lists),
    sortKey: Float64Array.from(headings, heading => heading * 1e10),
    level: new Uint8Array(phrases.length).fill(LEVEL),
    source: Uint32Array.from(phrases.keys()),
  } as unknown as Columns
  return new PhraseJudge(columns, new Homes(columns), TERMS, new Work())
}

/** Matches that were equal but for their phrases, after a judge looked at them. Each word of the query is given by its terms. */
function reordered(
  judge: PhraseJudge,
  records: number[],
  words: number[][],
): { records: number[]; scores: number[] } {
  const query = words.map(places => ({ places, wholeCount: places.length, weight: 1, size: 1, rarity: 1 }))
  const list = new Matches(records.length)
  records.forEach((record, i) => {
    list.set(i, record, 1)
  })
  judge.reorder(list, records.length, query)
  const entries = entriesOf(list, records.length)
  return { records: entries.map(one => one.record), scores: entries.map(one => one.score) }
}

const judge = (phrases: Phrase[][], words: number[][], headings?: number[]) =>
  reordered(judgeOf(phrases, headings), [...phrases.keys()], words)

/** The order in which a judge puts records, whose phrases name no good, for a query of the first so many terms. */
function judged(phrases: number[][][], words: number, headings?: number[]): number[] {
  const list = phrases.map(record => record.map(terms => ({ terms, head: -1 })))
  return judge(
    list,
    Array.from({ length: words }, (_, word) => [word]),
    headings,
  ).records
}

/** How like a phrase is to a query, as the judge's comment has it. */
function likeness({ terms, head }: Phrase, words: number[][]): number {
  const asked = terms.map(term => words.findIndex(places => places.includes(term)))
  const matched = new Set(asked.filter(word => word >= 0)).size
  const inOrder = asked.filter((word, i) => word > 0 && i > 0 && asked[i - 1] === word - 1).length
  const order = words.length > 1 ? 0.6 + 0.4 * Math.min(1, inOrder / (words.length - 1)) : 1
  const named = (asked[head] ?? -1) >= 0 ? 1 : 0.5
  return (matched / words.length) ** 2 * order * named * Math.sqrt(matched / terms.length)
}

/** A term that no query here has. */
const STRANGE = 199

t.test('words of a query are told apart however many it has', async t => {
  t.strictSame(judged([[[0, 2, STRANGE]], [[0, 30]]], 31), [1, 0], 'the 1st and the 31st')
  t.strictSame(judged([[[14, 16, STRANGE]], [[14, 15]]], 31), [1, 0], 'the 15th and the 16th')
})

t.test('a phrase that is the query comes before one that only has its words', async t => {
  t.strictSame(
    judged(
      [
        [
          [0, STRANGE],
          [1, STRANGE],
        ],
        [[0, 1]],
      ],
      2,
    ),
    [1, 0],
    'together before apart',
  )
  t.strictSame(judged([[[0, STRANGE, 1]], [[0, 1]]], 2), [1, 0], 'alone before among others')
  t.strictSame(judged([[[1, 0]], [[0, 1]]], 2), [1, 0], 'in the order of the query')
  t.strictSame(judged([[[0, 0]], [[0, 1]]], 2), [1, 0], 'a repeated word counts once')
  t.strictSame(
    judged(
      [
        [[STRANGE], [STRANGE]],
        [[STRANGE], [0]],
      ],
      1,
    ),
    [1, 0],
    'the best of its phrases counts',
  )
})

t.test('a heading with many matches leaves room for others', async t => {
  const same = [[[0]], [[0]], [[0]], [[0]]]
  t.strictSame(judged(same, 1, [7, 7, 7, 8]), [0, 3, 1, 2])
  t.strictSame(judged(same, 1, [7, 8, 7, 8]), [0, 1, 2, 3])
})

const TERM = fc.oneof(
  { weight: 4, arbitrary: fc.nat({ max: 6 }) },
  fc.integer({ min: ARABIC_FROM, max: ARABIC_FROM + 4 }),
  fc.nat({ max: TERMS - 1 }),
)
const PHRASE = fc
  .array(TERM, { minLength: 1, maxLength: 7 })
  .chain(terms => fc.record({ terms: fc.constant(terms), head: fc.nat({ max: terms.length - 1 }) }))
/** Words that have no term in common. */
const WORDS = fc
  .uniqueArray(TERM, { minLength: 1, maxLength: 9 })
  .chain(terms =>
    fc
      .array(fc.nat({ max: 4 }), { minLength: terms.length, maxLength: terms.length })
      .map(parts =>
        [0, 1, 2, 3, 4]
          .map(part => terms.filter((_, i) => parts[i] === part))
          .filter(({ length }) => length > 0),
      ),
  )

t.test('of any phrases the one that is most like the query counts', async t => {
  fc.assert(
    fc.property(fc.array(PHRASE, { minLength: 1, maxLength: 70 }), WORDS, (phrases, words) => {
      const most = Math.max(...phrases.map(one => likeness(one, words)))
      const [score] = judge([phrases], words).scores
      return Math.abs((score as number) - (1 + 1.8 * most) * LEVEL_WEIGHT) < 1e-5
    }),
    { numRuns: 2_000 },
  )
  t.pass('2,000 times')
})

t.test('a judge leaves nothing of a query behind', async t => {
  const one = judgeOf([[{ terms: [0, 1], head: 1 }], [{ terms: [1, 2, 3], head: 0 }]])
  const scoresFor = (words: number[][]) => reordered(one, [0, 1], words).scores
  const first = scoresFor([[0], [1]])
  scoresFor([[3], [2], [1]])
  t.strictSame(scoresFor([[0], [1]]), first)
})

t.test('a term with very many records is judged as any other', async t => {
  const phrases = Array.from({ length: 5_000 }, (_, i) => [
    { terms: i % 2 === 0 ? [0, 1] : [0, STRANGE, 1], head: i % 3 === 0 ? 1 : 0 },
    { terms: [2 + (i % 7)], head: 0 },
  ])
  const few = [0, 1, 2, 777, 1_001, 2_500, 4_998, 4_999]
  const among = reordered(judgeOf(phrases), few, [[0], [1]])
  const alone = judge(
    few.map(record => phrases[record] as Phrase[]),
    [[0], [1]],
  )
  t.strictSame(
    among.records,
    alone.records.map(i => few[i]),
  )
  t.strictSame(among.scores, alone.scores)
})
