import fc from 'fast-check'
import t from 'tap'
import { buildPhraseColumns } from '../../../build/compiler/phrase-columns.js'
import { PhraseTable } from '../../../build/compiler/phrase-table.js'
import type { QueryWord } from '../../../src/catalog/search/find-terms.js'
import { PhraseJudge } from '../../../src/catalog/search/judge-phrases.js'
import { Ranking } from '../../../src/catalog/search/ranking.js'
import { Steps } from '../../../src/catalog/search/steps.js'
import { HEAD_MISSING, LEVEL_WEIGHT, ORDER_PART, PHRASE_GAIN } from '../../../src/catalog/search/weights.js'

const TERMS = 40
const LEVEL = 6

interface Phrase {
  terms: number[]
  head: number
}

function judgeOf(records: Phrase[][], steps = new Steps()): PhraseJudge {
  const table = new PhraseTable()
  for (const phrases of records) {
    table.beginRecord()
    for (const { terms, head } of phrases) {
      for (const term of terms) table.addTerm(term)
      table.endPhrase(0, head)
    }
  }
  const columns = {
    ...buildPhraseColumns(table.finish(), new Uint8Array(records.length).fill(1)).columns,
    level: new Uint8Array(records.length).fill(LEVEL),
    source: Uint32Array.from(records.keys()),
    parent: new Int32Array(records.length).fill(-1),
  }
  return new PhraseJudge(columns, TERMS, steps)
}

const wordOf = (termIds: number[]): QueryWord => ({
  text: '',
  termIds,
  isAmount: false,
  weight: 1,
  postings: 1,
  rarity: 1,
})

function judgeAll(judge: PhraseJudge, score: Float64Array, records: number, words: number[][]): void {
  const findings = { words: words.map(wordOf), ownScore: score, wordsIn: score }
  const ranking = new Ranking(findings, score, [...Array(records).keys()], [])
  judge.judge(ranking, ranking.full)
}

/** Returns the scores after judging; all scores are 1 before. */
function scoresOf(judge: PhraseJudge, records: number, words: number[][]): number[] {
  const score = new Float64Array(records).fill(1)
  judgeAll(judge, score, records, words)
  return [...score]
}

const judged = (records: number[][][], words: number) => {
  const phrases = records.map(list => list.map(terms => ({ terms, head: 0 })))
  const scores = scoresOf(
    judgeOf(phrases),
    records.length,
    Array.from({ length: words }, (_, word) => [word]),
  )
  return [...scores.keys()].sort((a, b) => (scores[b] as number) - (scores[a] as number))
}

/** The similarity that PhraseJudge computes, calculated here in the simplest way. */
function likeness({ terms, head }: Phrase, words: number[][]): number {
  const wordOfTerm = terms.map(term => words.findIndex(ids => ids.includes(term)))
  const matched = new Set(wordOfTerm.filter(word => word >= 0)).size
  const inOrder = wordOfTerm.filter((word, i) => word > 0 && i > 0 && wordOfTerm[i - 1] === word - 1).length
  const order = words.length > 1 ? 1 - ORDER_PART * (1 - Math.min(1, inOrder / (words.length - 1))) : 1
  const headFactor = (wordOfTerm[head] ?? -1) >= 0 ? 1 : HEAD_MISSING
  return (matched / words.length) ** 2 * order * headFactor * Math.sqrt(matched / terms.length)
}

const OTHER = 39

t.test('a phrase equal to the query comes before one that only contains its words', async t => {
  t.strictSame(
    judged(
      [
        [
          [0, OTHER],
          [1, OTHER],
        ],
        [[0, 1]],
      ],
      2,
    ),
    [1, 0],
    'adjacent words come before separated ones',
  )
  t.strictSame(judged([[[0, OTHER, 1]], [[0, 1]]], 2), [1, 0], 'a phrase without other words comes before a longer phrase')
  t.strictSame(judged([[[1, 0]], [[0, 1]]], 2), [1, 0], 'words in the order of the query come first')
  t.strictSame(judged([[[0, 0]], [[0, 1]]], 2), [1, 0], 'a word that a phrase repeats counts once')
  t.strictSame(judged([[[0, 2, OTHER]], [[0, 30]]], 31), [1, 0], 'the last of 31 words counts like the others')
})

t.test('a record is judged by the phrase that is most similar to the query', async t => {
  const phrase = fc
    .array(fc.nat(9), { minLength: 1, maxLength: 8 })
    .chain(terms => fc.record({ terms: fc.constant(terms), head: fc.nat(terms.length - 1) }))
  const words = fc.uniqueArray(fc.nat(9), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(fc.array(fc.array(phrase, { maxLength: 5 }), { minLength: 1, maxLength: 6 }), words, (records, terms) => {
      const query = terms.map(term => [term])
      const scores = scoresOf(judgeOf(records), records.length, query)
      return records.every((phrases, record) => {
        const best = Math.max(0, ...phrases.map(one => likeness(one, query)))
        const expected = (1 + PHRASE_GAIN * best) * (LEVEL_WEIGHT[LEVEL] as number)
        return Math.abs((scores[record] as number) - expected) < 1e-9
      })
    }),
    { numRuns: 500 },
  )
  t.pass('the property holds for all generated cases')
})

t.test('a failed query leaves no state behind for the next one', async t => {
  const judge = judgeOf([[{ terms: [1], head: 0 }]])
  const broken = new Proxy(new Float64Array(1), {
    set: () => {
      throw new Error('full')
    },
  })
  t.throws(() => judgeAll(judge, broken, 1, [[1]]), /full/)
  t.strictSame(scoresOf(judge, 1, [[2]]), [LEVEL_WEIGHT[LEVEL]], 'the word of the failed query does not count')
})
