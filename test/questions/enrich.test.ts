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
