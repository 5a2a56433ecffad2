import t from 'tap'
import { Catalog } from '../../../src/catalog/catalog.js'
import { shippedSnapshot } from '../../support/service.js'

const catalog = new Catalog(await shippedSnapshot())

t.test('the candidates are those of the search, in its order, each with the words and terms that matched', async t => {
  const { words, candidates } = catalog.search.matches('cotton shirts', 10)
  t.strictSame(words, ['cotton', 'shirts'])
  t.strictSame(
    candidates.map(({ record }) => record),
    catalog.search.find('cotton shirts', 0, 0, 10).records,
  )
  t.strictSame(candidates[0]?.matched, [
    { word: 'cotton', term: 'cotton' },
    { word: 'shirts', term: 'shirt' },
  ])
  for (const { score, matched } of candidates) t.ok(score > 0 && matched.length > 0)
})

t.test('a mistyped word and an unfinished one are told with the terms that they stood for', async t => {
  const termsFor = (query: string) => catalog.search.matches(query, 1).candidates[0]?.matched
  t.strictSame(termsFor('brocolli '), [{ word: 'brocolli', term: 'broccoli' }])
  t.ok(termsFor('bana')?.some(({ word, term }) => word === 'bana' && term === 'banana'))
})

t.test('the evidence by heading names the headings that the words are at home in, most first', async t => {
  const { headings } = catalog.search.matches('green tea', 1)
  t.equal(headings[0]?.heading, '0902')
  const strengths = headings.map(({ evidence }) => evidence)
  t.strictSame(
    strengths,
    strengths.toSorted((a, b) => b - a),
  )
  t.ok(strengths.every(worth => worth > 0 && worth <= 1))
})

t.test('words that nothing matches give no candidates and no evidence', async t => {
  t.strictSame(catalog.search.matches('zzzzzz ', 10), { words: [], candidates: [], headings: [] })
})
