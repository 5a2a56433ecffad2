import t from 'tap'
import { DAY_MS } from '../../src/clock.js'
import { SearchCounts, searchedDays } from '../../src/metrics/search-counts.js'
import { START_MS } from '../support/service.js'

const open = () => new SearchCounts(text => text.includes('secret'))

function add(counts: SearchCounts, words: string, times: number, total = 1, isFiltered = false, nowMs = START_MS): void {
  for (let n = 0; n < times; n++) counts.add(words, total, isFiltered, nowMs)
}

t.test(
  'the most frequent texts come first, texts without results are listed separately, and rare texts are left out',
  async t => {
    const counts = open()
    add(counts, 'coffee', 3)
    add(counts, '  Green  TEA ', 2)
    add(counts, 'green tea', 3)
    add(counts, 'quadcopter', 4, 0)
    add(counts, 'rare', 2)
    add(counts, 'rare nothing', 2, 0)
    t.strictSame(searchedDays([counts.days()], START_MS, 100), [
      {
        day: '2026-05-04',
        searches: 16,
        empty: 6,
        queries: [
          { q: 'green tea', count: 5 },
          { q: 'quadcopter', count: 4 },
          { q: 'coffee', count: 3 },
        ],
        nothing_found: [{ q: 'quadcopter', count: 4 }],
      },
    ])
    t.strictSame(
      searchedDays([counts.days()], START_MS, 1)[0]?.queries.map(({ q }) => q),
      ['green tea'],
    )
  },
)

t.test('the counts of all threads are added before rare texts are left out', async t => {
  const [one, two] = [open(), open()]
  add(one, 'coffee', 2)
  add(two, 'coffee', 1)
  add(two, 'tea', 2)
  const [day] = searchedDays([one.days(), two.days()], START_MS, 100)
  t.match(day, { searches: 5, queries: [{ q: 'coffee', count: 3 }] })
  t.equal(day?.queries.length, 1)
})

t.test('secrets and long texts are counted but not stored; a filtered search is never listed under nothing_found', async t => {
  const counts = open()
  add(counts, 'my secret', 5)
  add(counts, 'x'.repeat(101), 5)
  add(counts, 'coffee', 5, 0, true)
  add(counts, 'y'.repeat(100), 3)
  const [day] = searchedDays([counts.days()], START_MS, 100)
  t.match(day, { searches: 18, empty: 5, nothing_found: [] })
  t.strictSame(day?.queries, [
    { q: 'coffee', count: 5 },
    { q: 'y'.repeat(100), count: 3 },
  ])
  t.strictSame(day?.nothing_found, [])
})

t.test('equally frequent texts are in alphabetical order', async t => {
  const counts = open()
  for (const text of ['b', 'c', 'a']) add(counts, text, 3)
  t.strictSame(
    searchedDays([counts.days()], START_MS, 2)[0]?.queries.map(({ q }) => q),
    ['a', 'b'],
  )
})

t.test('in a full list, a new text lowers every count by one, and texts with a count of 0 are dropped', async t => {
  const counts = open()
  for (let n = 0; n < 1_000; n++) add(counts, `text ${n}`, n === 7 ? 3 : 1)
  const storedCounts = () => new Map(counts.days()[0]?.all)
  t.equal(storedCounts().size, 1_000)
  add(counts, 'new', 1)
  t.strictSame([...storedCounts()], [['text 7', 2]], 'every count is lower by one, and only a count above zero remains')
  add(counts, 'newer', 1)
  t.equal(storedCounts().get('newer'), 1)
})

t.test('eight days are kept, the latest first', async t => {
  const counts = open()
  for (let day = 0; day < 12; day++) add(counts, `day ${day}`, 3, 1, false, START_MS + day * DAY_MS)
  t.equal(counts.days().length, 8)
  const days = searchedDays([counts.days()], START_MS + 11 * DAY_MS, 100)
  t.strictSame(
    days.map(({ queries }) => queries[0]?.q),
    Array.from({ length: 8 }, (_, i) => `day ${11 - i}`),
  )
  t.equal(
    searchedDays([counts.days()], START_MS + 13 * DAY_MS, 100).length,
    6,
    'days that are older than eight days are not listed, even if no searches followed',
  )
  add(counts, 'set back', 3, 1, false, START_MS)
  t.equal(counts.days().length, 8, 'a clock that was set back does not add a day')
})

t.test('with many different texts, the lists stay bounded, a frequent text stays listed, and no count is too high', async t => {
  const counts = open()
  const OTHERS = 20_000
  let coffee = 0
  for (let n = 0; n < OTHERS; n++) {
    counts.add(`text ${n}`, 0, false, START_MS)
    if (n % 100 > 0) continue
    counts.add('coffee', 1, false, START_MS)
    coffee++
  }
  const [day] = counts.days()
  t.ok((day?.all.length ?? 0) <= 1_000 && (day?.nothingFound.length ?? 0) <= 1_000)
  const [only, ...more] = searchedDays([counts.days()], START_MS, 100)[0]?.queries ?? []
  t.equal(only?.q, 'coffee')
  t.ok((only?.count ?? 0) <= coffee && (only?.count ?? 0) >= coffee - (OTHERS + coffee) / 1_001)
  t.strictSame(more, [])
})
