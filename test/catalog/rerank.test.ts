import t from 'tap'
import { Homes } from '../../src/catalog/homes.js'
import { Matches } from '../../src/catalog/matches.js'
import { ALONE_UNTOLD, END_FLAG } from '../../src/catalog/ranking.js'
import { PhraseJudge } from '../../src/catalog/rerank.js'
import { Vocabulary } from '../../src/catalog/vocabulary.js'
import { Work } from '../../src/catalog/work.js'
import type { Columns } from '../../src/snapshot/schema.js'

const LEVEL = 6

/** Nothing but how many terms there are, and that none is Arabic, is asked of it. */
const VOCABULARY = new Vocabulary(
  Array.from({ length: 200 }, (_, i) => `term${String(i).padStart(3, '0')}`).join('\n'),
)

/** The order in which a judge puts records that are equal but for their phrases, each given by its terms. */
function judged(phrases: number[][][], words: number, headings: number[] = [...phrases.keys()]): number[] {
  const phraseOf = [0]
  const phraseTerms: number[] = []
  for (const record of phrases) {
    for (const terms of record)
      phraseTerms.push(...terms.map((term, i) => (i === terms.length - 1 ? term + END_FLAG : term)))
    phraseOf.push(phraseTerms.length)
  }
  const columns = {
    phraseOf: Uint32Array.from(phraseOf),
    phraseOfBoth: Uint32Array.from(phraseOf.slice(1)),
    phraseOfArabic: Uint32Array.from(phraseOf.slice(1)),
    phraseTerms: Uint32Array.from(phraseTerms),
    sortKey: Float64Array.from(headings, heading => heading * 1e10),
    level: new Uint8Array(phrases.length).fill(LEVEL),
    source: Uint32Array.from(phrases.keys()),
  } as unknown as Columns
  const query = Array.from({ length: words }, (_, word) => ({
    places: [word],
    wholeCount: 1,
    weight: 1,
    size: 1,
    rarity: 1,
  }))
  const list = new Matches(phrases.length)
  list.records.set(phrases.map((_, record) => record))
  list.scores.fill(1)
  new PhraseJudge(columns, new Homes(columns), { alone: () => ALONE_UNTOLD }, VOCABULARY, new Work()).reorder(
    list,
    phrases.length,
    query,
  )
  return [...list.records]
}

/** A term that no query here has. */
const STRANGE = 199

t.test('words of a query are told apart however many it has', async t => {
  t.strictSame(judged([[[0, 2, STRANGE]], [[0, 32]]], 48), [1, 0], 'the 1st and the 33rd')
  t.strictSame(judged([[[15, 17, STRANGE]], [[15, 47]]], 48), [1, 0], 'the 16th and the 48th')
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
