import t from 'tap'
import { Search } from '../../../src/catalog/search/search.js'
import { Steps } from '../../../src/catalog/search/steps.js'
import { Vocabulary } from '../../../src/catalog/search/vocabulary.js'
import { Suggest } from '../../../src/catalog/suggest.js'
import { Stemmer } from '../../../src/text/terms.js'
import { shippedSnapshot } from '../../support/service.js'

const snapshot = await shippedSnapshot()
const stemmer = new Stemmer(snapshot.meta.words)

function withSteps(max: number) {
  const steps = new Steps(max)
  const vocabulary = new Vocabulary(snapshot.vocabulary, stemmer, steps)
  const suggest = new Suggest(snapshot, vocabulary, stemmer, steps)
  return { steps, suggest, search: new Search(snapshot, vocabulary, stemmer, suggest, steps) }
}

const TYPED = ['coffee', 'cof', 'coffe roasted', 'cofee', 'roasted coffee not', 'قهوة', 'قهو', 'horsescattle', 'live']

t.test('if no steps are allowed, nothing is found or suggested', async t => {
  const { search, suggest } = withSteps(0)
  for (const typed of TYPED) {
    for (const level of [0, 4, 12])
      t.equal(search.find(typed, level, 0, 10).total, 0, `"${typed}" finds nothing at level ${level}`)
    t.equal(suggest.find(typed, 10).count, 0, `nothing is suggested for "${typed}"`)
  }
})

t.test('a query takes no more steps than allowed, and with fewer steps it finds a part of the same results', async t => {
  const { search: whole } = withSteps(1_000_000)
  for (const max of [1, 10, 100, 1_000, 5_000]) {
    const { search, suggest, steps } = withSteps(max)
    for (const typed of TYPED) {
      search.find(typed, 12, 0, 50)
      t.ok(steps.used <= max, `the search for "${typed}" took ${steps.used} of ${max} steps`)
      suggest.find(typed, 20)
      t.ok(steps.used <= max, `the suggestions for "${typed}" took ${steps.used} of ${max} steps`)
    }
    const all = whole.find('coffee', 0, 0, 50_000).records
    t.ok(
      search.find('coffee', 0, 0, 50_000).records.every(record => all.includes(record)),
      `with ${max} steps, only results of the unlimited search are found`,
    )
  }
})

t.test('a list of records that is longer than the allowed steps is read in part', async t => {
  const all = withSteps(1_000_000).search.find('steel ', 0, 0, 50)
  const some = withSteps(300).search.find('steel ', 0, 0, 50)
  t.ok(some.total > 0 && some.total < all.total, `${some.total} of ${all.total} results are found`)
})
