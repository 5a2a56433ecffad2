import t from 'tap'
import { type Findings, Ranking } from '../../../src/catalog/search/ranking.js'
import { spreadHeadings } from '../../../src/catalog/search/spread-headings.js'
import { REPEAT_WEIGHT, REPEATS_MAX } from '../../../src/catalog/search/weights.js'

const NO_FINDINGS: Findings = { words: [], ownScore: [], wordsIn: [] }

/** Returns the first records in their new order, and the new scores. */
function spread(scores: readonly number[], headingOf: readonly number[], first = scores.length) {
  const score = Float64Array.from(scores)
  const ranking = new Ranking(NO_FINDINGS, score, [...scores.keys()], [])
  ranking.full.chooseFirst(first)
  spreadHeadings(ranking, ranking.full, headingOf)
  return { order: [...ranking.full.first], scores: [...score] }
}

t.test('each further code of a heading scores less, so that other headings come between', async t => {
  const { order, scores } = spread([100, 99, 98, 80], [1, 1, 1, 2])
  t.strictSame(order, [0, 1, 3, 2])
  t.strictSame(scores, [100, 99 * REPEAT_WEIGHT, 98 * REPEAT_WEIGHT ** 2, 80])
})

t.test(
  'scores drop no further after REPEATS_MAX codes of a heading, so that good codes stay before poor codes of other headings',
  async t => {
    const same = Array.from({ length: REPEATS_MAX + 5 }, () => 100)
    const least = 100 * REPEAT_WEIGHT ** REPEATS_MAX
    const { order, scores } = spread([...same, least - 1], [...same.map(() => 1), 2])
    t.strictSame(scores.slice(REPEATS_MAX, same.length), Array(5).fill(least))
    t.equal(order.at(-1), same.length, 'the poor code of another heading is last')
  },
)

t.test('records after the first ones keep their scores', async t => {
  const { order, scores } = spread([100, 99, 98], [1, 1, 1], 2)
  t.strictSame(order, [0, 1])
  t.equal(scores[2], 98)
})
