import { SearchCounts } from '../../src/metrics/search-counts.js'
import { Tally } from '../../src/metrics/tally.js'
import { fixtureCatalog, makeKey, startService, testOnEngines } from '../support/service.js'

testOnEngines('a search is counted once for all of its pages; searches without results are also counted separately', async t => {
  const key = makeKey('pro')
  const searches = new SearchCounts(() => false)
  const tally = new Tally()
  const { get } = await startService(t, [key], await fixtureCatalog(), undefined, { searches, tally })
  const auth = { 'x-api-key': key.key }
  for (const query of [
    'q=cards',
    'q=CARDS&limit=1',
    'q=cards&limit=1&offset=1',
    'q=cards&offset=1000',
    'q=xyzzyx',
    'q=xyzzyx&level=4',
    'q=xyzzyx&rate=5&level=',
    'q=x',
    'q=cards',
  ])
    await get(`/api/v1/search?${query}`, auth)
  await get('/api/v1/search?q=nokey')
  await get('/api/v1/hs-codes/85', auth)
  t.match(searches.days(), [
    {
      searches: 6,
      empty: 3,
      all: [
        ['cards', 3],
        ['xyzzyx', 3],
      ],
      nothingFound: [['xyzzyx', 1]],
    },
  ])
  t.equal(tally.get('emptySearches'), 3)
})

testOnEngines('each of many searches in one request is counted', async t => {
  const key = makeKey('pro')
  const searches = new SearchCounts(() => false)
  const tally = new Tally()
  const { post } = await startService(t, [key], await fixtureCatalog(), undefined, { searches, tally })
  const queries = [{ q: 'cards' }, { q: 'cards', offset: 1 }, { q: 'xyzzyx' }, { q: 'xyzzyx', rate: 5 }, { q: 'x' }]
  t.equal((await post('/api/v1/search', { queries }, { 'x-api-key': key.key })).status, 200)
  t.equal((await post('/api/v1/search', { queries: [{ q: 'cards' }] }, { 'x-api-key': key.key })).status, 200)
  t.match(searches.days(), [
    {
      searches: 4,
      empty: 2,
      all: [
        ['cards', 2],
        ['xyzzyx', 2],
      ],
      nothingFound: [['xyzzyx', 1]],
    },
  ])
  t.equal(tally.get('emptySearches'), 2)
})

testOnEngines('if only metrics are enabled, empty answers are counted but no words', async t => {
  const key = makeKey('pro')
  const tally = new Tally()
  const { get } = await startService(t, [key], await fixtureCatalog(), undefined, { tally })
  for (const q of ['xyzzyx', 'xyzzyx', 'cards']) await get(`/api/v1/search?q=${q}`, { 'x-api-key': key.key })
  t.equal(tally.get('emptySearches'), 2)
})
