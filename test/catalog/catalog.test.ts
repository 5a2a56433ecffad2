import t from 'tap'
import { Catalog } from '../../src/catalog/catalog.js'
import { fixtureCatalog, fixtureSnapshot } from '../support/service.js'

t.test('rateOf returns the code that sets the rate, and the source with the longest matching prefix', async t => {
  const catalog = await fixtureCatalog()
  const origin = (code: string) => catalog.rateOf(catalog.trie.find(code))
  t.strictSame(origin('010121'), {
    from: '01',
    source: { source: 'a published list', certainty: 'published', date: '2026-02-01' },
  })
  t.strictSame(origin('0101291010'), {
    from: '01012910',
    source: { source: 'a rumour', certainty: 'uncertain', date: '2026-03-01' },
  })
  t.equal(origin('851713000000').from, '8517', 'a padded line has the rate of the code that it repeats')
  t.equal(origin('8523').source?.source, 'general rate')
  t.equal(catalog.meta.rateSources.length, 3, 'each source is stored once')
})

t.test('without rate sources, the source of a rate is undefined', async t => {
  const snapshot = await fixtureSnapshot()
  const meta = { ...snapshot.meta, rateSources: [] }
  const rateSource = snapshot.columns.rateSource.map(() => 0)
  const catalog = new Catalog({ ...snapshot, meta, columns: { ...snapshot.columns, rateSource } })
  t.strictSame(catalog.rateOf(catalog.trie.find('0101')), { from: '01', source: undefined })
})

t.test('sections are stored in order, with their titles and chapters', async t => {
  const { sections } = (await fixtureCatalog()).meta
  t.strictSame(
    sections.map(({ section }) => section),
    ['I', 'XIII', 'XVI', 'XVIII'],
  )
  t.strictSame(sections[2], {
    section: 'XVI',
    titleEn: 'Machinery and electrical equipment',
    titleAr: 'الآلات والمعدات الكهربائية',
    chapters: ['84', '85'],
  })
})

t.test('the range of rates of a code covers the lines below it; the range of a line is its own rate', async t => {
  const catalog = await fixtureCatalog()
  const range = (code: string) => {
    const record = catalog.trie.find(code)
    return [catalog.rateLow, catalog.rateHigh].map(column => catalog.meta.rates[column[record] as number])
  }
  t.strictSame(range('01'), ['0', '6.5'])
  t.strictSame(range('010129'), ['6.5', '6.5'], "the code's own rate of 0 is not in the range, because no line below has it")
  t.strictSame(range('9031'), ['2.5', '12'], 'rates are compared as numbers, not as text')
  t.strictSame(range('852321'), ['5', '5'])
  t.strictSame(range('852321000000'), ['5', '5'])
})

t.test('the snapshot has the version of the dataset', async t => {
  t.equal((await fixtureCatalog()).meta.version, '1.2.3')
})
