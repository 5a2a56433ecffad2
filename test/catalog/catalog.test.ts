import t from 'tap'
import { Catalog } from '../../src/catalog/catalog.js'
import { fixtureCatalog, fixtureSnapshot } from '../support/service.js'

t.test('a rate has the code that sets it, and the source with the longest matching prefix', async t => {
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
  t.equal(origin('851713000000').from, '8517', 'padded lines have the source as well')
  t.equal(origin('8523').source?.source, 'general rate')
  t.equal(catalog.meta.rateSources.length, 3, 'each source once')
})

t.test('a dataset without rate sources has none', async t => {
  const snapshot = await fixtureSnapshot()
  const meta = { ...snapshot.meta, rateSources: [] }
  const rateSource = snapshot.columns.rateSource.map(() => 0)
  const catalog = new Catalog({ ...snapshot, meta, columns: { ...snapshot.columns, rateSource } })
  t.strictSame(catalog.rateOf(catalog.trie.find('0101')), { from: '01', source: undefined })
})

t.test('sections with their chapters, in order', async t => {
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

t.test('the lowest and highest rate of the lines at or below a code', async t => {
  const catalog = await fixtureCatalog()
  const range = (code: string) => {
    const record = catalog.trie.find(code)
    return [catalog.rateLow, catalog.rateHigh].map(column => catalog.meta.rates[column[record] as number])
  }
  t.strictSame(range('01'), ['0', '6.5'])
  t.strictSame(range('010129'), ['6.5', '6.5'], 'its own rate is 0, but no line below it has that rate')
  t.strictSame(range('9031'), ['2.5', '12'], 'compared as numbers, not as text')
  t.strictSame(range('852321'), ['5', '5'])
  t.strictSame(range('852321000000'), ['5', '5'])
})

t.test('the dataset’s version', async t => {
  t.equal((await fixtureCatalog()).meta.version, '1.2.3')
})
