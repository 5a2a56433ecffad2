import t from 'tap'
import { Enricher } from '../../src/questions/enrich.js'
import { fixtureCatalog } from '../support/service.js'

t.test('the cells of a row do not depend on earlier rows', async t => {
  const catalog = await fixtureCatalog()
  const codes = Array.from({ length: catalog.meta.records }, (_, record) => catalog.records.code(record))
  const texts = codes.flatMap(code => [code, ` ${code}`, code.replace(/^0/, ''), `${code}77`])
  texts.push('', 'tea', '7777', '8.5E+11')
  for (const isOn of [false, true]) {
    const options = { fillLines: isOn, withNext: isOn }
    const enricher = new Enricher(catalog, '2022', options)
    const enrichedAlone = (text: string) => new Enricher(catalog, '2022', options).enrich(text)
    const changed = [...texts, ...texts.toReversed()].filter(
      text => enricher.enrich(text).join('|') !== enrichedAlone(text).join('|'),
    )
    t.strictSame(changed, [])
  }
})

t.test('each status is counted; with fillLines, a code with a single line is replaced by this line', async t => {
  const catalog = await fixtureCatalog()
  const { lines, records } = catalog
  const withOneLine = Array.from({ length: catalog.meta.records }, (_, record) => record).find(
    record => lines.countBelow(record) === 1 && records.code(record).length < 12,
  )
  const withManyLines = Array.from({ length: catalog.meta.records }, (_, record) => record).find(
    record => lines.countBelow(record) > 1,
  )
  if (withOneLine === undefined || withManyLines === undefined) throw new Error('the fixture lacks such codes')
  const plain = new Enricher(catalog, '2022', { fillLines: false, withNext: false })
  const filling = new Enricher(catalog, '2022', { fillLines: true, withNext: false })
  const [code, several] = [records.code(withOneLine), records.code(withManyLines)]
  t.equal(plain.enrich(code)[1], code)
  t.match(filling.enrich(code)[1], /^\d{12}$/)
  t.ok(filling.enrich(code)[1]?.startsWith(code.slice(0, 6)))
  t.equal(filling.enrich(several)[1], several)
  for (const text of [code, code, several, '7777', 'tea']) plain.enrich(text)
  t.strictSame([...plain.counts].sort(), [
    ['found', 4],
    ['invalid', 1],
    ['unknown', 1],
  ])
  t.equal(plain.changed, 0)
  t.equal(plain.enrich('7777').length, 6, 'without withNext, there are no cells about the next edition')
  t.equal(plain.enrich(code), plain.enrich(code), 'the cells of a repeated text are computed once')
})

t.test('a code has the rate of the given country', async t => {
  const catalog = await fixtureCatalog()
  const options = { fillLines: false, withNext: false, view: catalog.countries.find('SA')?.newest }
  t.equal(new Enricher(catalog, '2022', options).enrich('852321')[4], '20')
  t.equal(new Enricher(catalog, '2022', { ...options, view: undefined }).enrich('852321')[4], '5')
})
