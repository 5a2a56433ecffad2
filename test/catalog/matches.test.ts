import fc from 'fast-check'
import t from 'tap'
import { Matches } from '../../src/catalog/matches.js'
import { entriesOf } from '../entries-of.js'

function matchesOf(scores: Iterable<number>): Matches {
  const list = [...scores]
  const matches = new Matches(list.length)
  list.forEach((score, record) => {
    matches.set(record, record, score)
  })
  matches.count = list.length
  return matches
}

const inOrder = (scores: readonly number[]) =>
  [...scores.keys()].sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b)

const isSame = (a: Iterable<number>, b: Iterable<number>) => {
  const [x, y] = [[...a].sort((m, n) => m - n), [...b].sort((m, n) => m - n)]
  return x.length === y.length && x.every((id, i) => id === y[i])
}

/** Records keep their scores. */
const isWhole = (matches: Matches, given: readonly number[]) =>
  isSame(recordsOf(matches), given.keys()) &&
  entriesOf(matches).every(({ record, score }) => score === given[record])

const recordsOf = (matches: Matches, count?: number) => entriesOf(matches, count).map(({ record }) => record)

const scoreList = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 200 })

t.test('a stretch comes out as a full sort would order it', async t => {
  fc.assert(
    fc.property(scoreList, fc.nat(199), fc.nat(199), (scores, a, b) => {
      const from = Math.min(a, b, scores.length)
      const to = Math.min(Math.max(a, b), scores.length)
      const matches = matchesOf(scores)
      matches.sort(from, to)
      const expected = inOrder(scores).filter(record => record >= from && record < to)
      return isWhole(matches, scores) && expected.every((record, i) => matches.record(from + i) === record)
    }),
    { numRuns: 500 },
  )
  t.pass('held')
})

t.test('a list is parted where a full sort would part it', async t => {
  fc.assert(
    fc.property(scoreList, fc.nat(199), (scores, wanted) => {
      const at = Math.min(wanted, scores.length - 1)
      const matches = matchesOf(scores)
      matches.part(0, scores.length, at)
      return isWhole(matches, scores) && isSame(recordsOf(matches, at), inOrder(scores).slice(0, at))
    }),
    { numRuns: 500 },
  )
  t.pass('held')
})

t.test('parting a list in any order costs a few passes, never a square', async t => {
  const count = 4096
  const orders: Record<string, (i: number) => number> = {
    ascending: i => i,
    descending: i => count - i,
    equal: () => 1,
    'an organ pipe': i => Math.min(i, count - i),
    'a saw': i => i % 64,
    // the entry in the middle, which parts the list, is always the least of what is left
    'the worst for this way': i => Math.abs(i - count / 2),
  }
  for (const [name, order] of Object.entries(orders)) {
    for (const at of [0, 1, count / 2, count - 1]) {
      const scores = Array.from({ length: count }, (_, i) => order(i))
      const matches = matchesOf(scores)
      const looked = matches.part(0, count, at)
      t.ok(looked <= count * 20, `${name}, from ${at}: ${looked}`)
      t.ok(isSame(recordsOf(matches, at), inOrder(scores).slice(0, at)), `${name}, from ${at}`)
    }
  }
})

t.test('an entry keeps its record and its score, as far as a float of 32 bits tells it', async t => {
  const last = 2 ** 22 - 1
  fc.assert(
    fc.property(fc.nat({ max: last }), fc.float({ min: 0, noNaN: true }), (record, score) => {
      const matches = new Matches(1)
      matches.set(0, record, score)
      // there is no negative score, and none of a record is less than nothing
      return matches.record(0) === record && matches.score(0) === Math.abs(score)
    }),
  )
  t.throws(() => new Matches(last + 2), /cannot be put in order/)
})

t.test('the highest score is told, and 0 of nothing', async t => {
  t.equal(matchesOf([3, 7, 5]).highest(), 7)
  t.equal(matchesOf([]).highest(), 0)
})
