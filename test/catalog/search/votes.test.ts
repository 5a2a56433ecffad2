import t from 'tap'
import { Catalog } from '../../../src/catalog/catalog.js'
import { orderByVotes, votesOf } from '../../../src/catalog/search/votes.js'
import { shippedSnapshot } from '../../support/service.js'

const headingOf = Array.from({ length: 40 }, (_, record) => Math.floor(record / 10))

t.test('a heading with many results moves up, and its results keep their order', async t => {
  const results = [10, 20, 21, 22, 23, 24, 25, 26, 30]
  const ordered = orderByVotes(results, votesOf(results, headingOf), headingOf)
  t.strictSame([...ordered].sort(), results, 'no result is lost')
  t.ok(ordered.indexOf(20) < ordered.indexOf(10), 'a heading with seven results moves above a heading with one')
  t.ok(ordered.indexOf(20) < ordered.indexOf(21) && ordered.indexOf(21) < ordered.indexOf(22))
})

t.test('a result without a heading has no vote', async t => {
  t.strictSame([...votesOf([1, 2], [-1, -1, -1])], [])
})

t.test('the joined result pages for a long title equal one long page', async t => {
  const { search } = new Catalog(await shippedSnapshot())
  for (const title of ['stainless steel vacuum insulated water bottle 750 ml', 'فستان سهرة نسائي دانتيل طويل']) {
    const whole = search.find(title, 0, 0, 90).records
    const pages = [0, 20, 40, 60, 80].flatMap(offset => search.find(title, 0, offset, 20).records)
    t.strictSame(pages.slice(0, 90), whole)
  }
})
