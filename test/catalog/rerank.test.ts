import t from 'tap'
import { PhraseJudge } from '../../src/catalog/rerank.js'
import { Work } from '../../src/catalog/work.js'
import type { Columns } from '../../src/snapshot/schema.js'

const LEVEL = 6

/** The order in which a judge puts records that are equal but for their phrases, each given by its terms. */
function judged(phrases: number[][][], words: number, headings: number[] = [...phrases.keys()]): number[] {
  const phraseOf = [0]
  const phraseAt = [0]
  const phraseTerms: number[] = []
  for (const record of phrases) {
    for (const terms of record) {
      phraseTerms.push(...terms)
      phraseAt.push(phraseTerms.length)
    }
    phraseOf.push(phraseAt.length - 1)
  }
  const columns = {
    phraseOf: Uint32Array.from(phraseOf),
    phraseAt: Uint32Array.from(phraseAt),
    phraseTerms: Uint32Array.from(phraseTerms),
    sortKey: Float64Array.from(headings, heading => heading * 1e10),
  } as unknown as Columns
  const list = Uint32Array.from(phrases.keys())
  const query = Array.from({ length: words }, (_, word) => ({
    places: [word],
    areNeighbours: true,
    weight: 1,
  }))
  new PhraseJudge(columns, 200, new Work()).reorder(
    list,
    list.length,
    new Float32Array(list.length).fill(1),
    Uint32Array.from(phrases.keys()),
    new Uint8Array(list.length).fill(LEVEL),
    query,
  )
  return [...list]
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
