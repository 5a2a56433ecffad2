import t from 'tap'
import { Enricher } from '../../src/questions/enrich.js'
import { fixtureCatalog } from '../support/service.js'

t.test('a row is answered as if it were the only one, whatever came before it', async t => {
  const catalog = await fixtureCatalog()
  const codes = Array.from({ length: catalog.meta.records }, (_, record) => catalog.records.code(record))
  const texts = codes.flatMap(code => [code, ` ${code}`, code.replace(/^0/, ''), `${code}77`])
  texts.push('', 'tea', '7777', '8.5E+11')
  for (const chosen of [false, true]) {
    const options = { fillLines: chosen, withNext: chosen }
    const one = new Enricher(catalog, '2022', options)
    const alone = (text: string) => new Enricher(catalog, '2022', options).enrich(text)
    const changed = [...texts, ...texts.toReversed()].filter(text => one.enrich(text).join('|') !== alone(text).join('|'))
    t.strictSame(changed, [])
  }
})

t.test('each outcome is counted; a code with one line is replaced by it only on request', async t => {
  const catalog = await fixtureCatalog()
  const { lines, records } = catalog
  const one = Array.from({ length: catalog.meta.records }, (_, record) => record).find(
    record => lines.countBelow(record) === 1 && records.code(record).length < 12,
  )
  const many = Array.from({ length: catalog.meta.records }, (_, record) => record).find(record => lines.countBelow(record) > 1)
  if (one === undefined || many === undefined) throw new Error('the fixture lacks such codes')
  const plain = new Enricher(catalog, '2022', { fillLines: false, withNext: false })
  const filling = new Enricher(catalog, '2022', { fillLines: true, withNext: false })
  const [code, several] = [records.code(one), records.code(many)]
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
  t.equal(plain.enrich('7777').length, 6, 'no cells about the next edition')
  t.equal(plain.enrich(code), plain.enrich(code), 'made once')
})
