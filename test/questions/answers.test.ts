import t from 'tap'
import { amountText } from '../../src/catalog/amount.js'
import { Catalog } from '../../src/catalog/catalog.js'
import { children } from '../../src/questions/children.js'
import { lookup } from '../../src/questions/codes.js'
import { FacetCounter } from '../../src/questions/facets.js'
import { linesOf } from '../../src/questions/lines.js'
import { Refusal, UnknownCode } from '../../src/questions/refusal.js'
import { search } from '../../src/questions/search.js'
import { suggest } from '../../src/questions/suggest.js'
import { estimate } from '../../src/questions/tariff.js'
import { fixtureCatalog, fixtureSnapshot } from '../support/service.js'

t.test('every question is answered with plain values, without HTTP', async t => {
  const catalog = await fixtureCatalog()
  const code = (record: number) => catalog.records.code(record)

  const record = lookup(catalog, '852321') as number
  t.equal(code(record), '852321')

  const page = children(catalog, '8523', 2, 1)
  if (page instanceof Refusal) return t.fail(page.message)
  t.match(page, { count: 2, total: 3, limit: 2, offset: 1 })
  t.equal(code(page.first), '852329')
  t.match(children(catalog, '8523'), { count: 3, limit: 50, offset: 0 })
  t.match(children(catalog, '8523', 50, 10), { count: 0, total: 3 })

  const found = search(catalog, ' stripe ')
  if (found instanceof Refusal) return t.fail(found.message)
  t.match(found, { total: 2, limit: 20, offset: 0 })
  t.strictSame(Array.from(found.records, code), ['852321', '8523'], 'the heading is found through the codes below it')
  t.match(search(catalog, 'stripe', 12), { total: 1 })

  const suggested = suggest(catalog, ' iph ')
  if (suggested instanceof Refusal) return t.fail(suggested.message)
  t.match(suggested, { count: 1, language: 'en' })
  t.equal(catalog.suggest.text(suggested.phrases[0] as number), 'iphone')
  t.match(suggest(catalog, 'جوا', 1, 'ar'), { count: 1, language: 'ar' })

  const estimated = estimate(catalog, '852321', '1000', 'aed', true)
  if (estimated instanceof Refusal) return t.fail(estimated.message)
  t.match(estimated, { record, currency: 'AED', withVat: true })
  t.equal(amountText(estimated.amounts.landedCost), '1102.5')
  t.match(estimate(catalog, '852321', '1'), { currency: 'USD', withVat: false })
})

t.test('an invalid or unanswerable question returns a refusal and does not throw', async t => {
  const catalog = await fixtureCatalog()
  for (const [answer, name, message] of [
    [lookup(catalog, '8523.21'), 'invalidCode', /did you mean 852321\?$/],
    [lookup(catalog, 'x'), 'invalidCode', /An HS code is 2 to 14 digits/],
    [lookup(catalog, '8599'), 'notFound', /HS code 8599 is not in the dataset; .* is 85\.$/],
    [lookup(catalog, '77'), 'notFound', /HS code 77 is not in the dataset\.$/],
    [children(catalog, '8523210000000'), 'invalidCode', /To list its children, a code must be 2 to 12 digits/],
    [children(catalog, '85', 0), 'invalidParameter', /limit must be a whole number from 1 to 50/],
    [children(catalog, '85', 51), 'invalidParameter', /limit/],
    [children(catalog, '85', Number.NaN), 'invalidParameter', /limit/],
    [children(catalog, '85', 1.5), 'invalidParameter', /limit/],
    [children(catalog, '85', 1, -1), 'invalidParameter', /offset must be a whole number of 0 or more/],
    [children(catalog, '85', 1, 2 ** 60), 'invalidParameter', /offset/],
    [search(catalog, 'a'), 'queryTooShort', /at least 2 characters/],
    [search(catalog, 'a'.repeat(201)), 'invalidParameter', /q must have at most 200 characters/],
    [search(catalog, 'ab', 5), 'invalidParameter', /level must be 2, 4, 6, 8, 10 or 12/],
    [search(catalog, 'ab', 6, 51), 'invalidParameter', /limit/],
    [suggest(catalog, ' '), 'queryTooShort', /at least 1 character\.$/],
    [suggest(catalog, 'a'.repeat(61)), 'invalidParameter', /q must have at most 60 characters/],
    [suggest(catalog, 'a', 21), 'invalidParameter', /limit must be a whole number from 1 to 20/],
    [suggest(catalog, 'a', 1, 'fr'), 'invalidParameter', /lang must be en or ar/],
    [estimate(catalog, 'x', '1'), 'invalidCode', /2 to 14/],
    [estimate(catalog, '85', 'x'), 'invalidValue', /value parameter/],
    [estimate(catalog, '85', '1', 'dirham'), 'invalidParameter', /currency must be three letters/],
    [estimate(catalog, '85', '1', 'AED', null), 'invalidParameter', /include_vat must be/],
    [estimate(catalog, '8599', '1'), 'notFound', /8599/],
  ] as const) {
    if (!(answer instanceof Refusal)) return t.fail(`expected a refusal that matches ${message}`)
    t.equal(answer.name, name)
    t.match(answer.message, message)
  }
})

t.test('a refusal has the details of its message as fields', async t => {
  const catalog = await fixtureCatalog()
  t.strictSame((children(catalog, '85', 0) as Refusal).details, { parameter: 'limit' })
  t.strictSame((lookup(catalog, '8599') as Refusal).details, { nearest: '85' })
  t.equal((lookup(catalog, '77') as Refusal).details, undefined)
  t.ok(lookup(catalog, '77') instanceof UnknownCode)
  t.equal((search(catalog, '') as Refusal).details, undefined)
})

t.test('a dataset without lines has an empty page of lines', async t => {
  const snapshot = await fixtureSnapshot()
  const catalog = new Catalog({ ...snapshot, meta: { ...snapshot.meta, lineDigits: [] } })
  t.match(linesOf(catalog, catalog.trie.find('8523')), { count: 0, total: 0 })
})

t.test('facets list chapters with equal counts in the order of their codes', async t => {
  const catalog = await fixtureCatalog()
  const counter = new FacetCounter(catalog, new Set(['chapter']), undefined)
  for (const code of ['9031', '85', '010121', '8523']) counter.count(catalog.trie.find(code))
  const chapters = counter.facets.chapter?.map(([record, count]) => `${catalog.records.code(record)} ${count}`)
  t.strictSame(chapters, ['85 2', '01 1', '90 1'])
})

t.test(
  'a refused code gets a hint only if the hint would be accepted, and successors only if its subheading is gone',
  async t => {
    const catalog = await fixtureCatalog()
    const { records, level, editions } = catalog
    t.notMatch((children(catalog, '8523.2100.0000.00') as Refusal).message, /did you mean/, 'a code of 14 digits has no children')
    t.match((lookup(catalog, '8523.21') as Refusal).message, /did you mean 852321\?/)
    const kept = Array.from(level, (digits, record) => (digits === 6 ? records.code(record) : '')).find(
      code => code !== '' && editions.lastTargets(code) !== undefined,
    )
    if (kept === undefined) return t.fail('the fixture has no code that an earlier edition had as well')
    t.match(lookup(catalog, `${kept}99`), { details: { nearest: kept } })
    t.notOk('moved_to' in ((lookup(catalog, `${kept}99`) as Refusal).details ?? {}))
  },
)
