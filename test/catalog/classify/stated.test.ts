import t from 'tap'
import { Catalog } from '../../../src/catalog/catalog.js'
import { Attributes } from '../../../src/catalog/classify/attributes.js'
import { shippedSnapshot } from '../../support/service.js'

const snapshot = await shippedSnapshot()
const catalog = new Catalog(snapshot)
const { classifier, records } = catalog
const attributes = new Attributes(snapshot.columns, catalog.meta, records, catalog.stemmer)
const classify = (text: string) => classifier.classify(text, { level: 6, limit: 10, within: [] })
const codes = (text: string) => classify(text).candidates.map(({ record }) => records.code(record))

/** The names of the values that a text states; a minus marks a value that the text denies. */
const stated = (text: string) =>
  [...attributes.valuesIn(text).values()].flatMap(({ has, excludes }) => [
    ...has.map(value => catalog.meta.attributeValues[value]?.name.en),
    ...excludes.map(value => `-${catalog.meta.attributeValues[value]?.name.en}`),
  ])

t.test('a code with the value that the title states ranks above a sibling with another value', async t => {
  for (const [title, right, wrong] of [
    ['Frozen boneless chicken breast 2kg', '020714', '020713'],
    ['Fresh chilled chicken breast 2kg', '020713', '020714'],
    ['صدور دجاج مجمدة', '020714', '020713'],
    ['roasted coffee beans decaffeinated', '090122', '090121'],
    ['بن محمص منزوع الكافيين', '090122', '090121'],
  ] as const) {
    const found = codes(title)
    t.equal(found[0], right, title)
    t.ok(found.indexOf(wrong) > 0 || !found.includes(wrong), `${title}: ${wrong} ranks below ${right}`)
  }
})

t.test('the metal that a title states decides between headings for the same article', async t => {
  t.ok(stated('molybdenum wire 0.18 mm').includes('molybdenum'))
  for (const [title, right, wrong] of [
    ['steel hose 1 inch', '8307', '4009'],
    ['Zirconium rod 10 mm', '8109', '7222'],
  ] as const) {
    const found = classifier.classify(title, { level: 4, limit: 10, within: [] }).candidates.map(one => records.code(one.record))
    t.equal(found[0], right, title)
    t.ok(!found.includes(wrong) || found.indexOf(wrong) > 0, `${title}: ${wrong} ranks below ${right}`)
  }
})

t.test('words of an exclusion are not evidence for the excluded goods', async t => {
  const title = 'Cotton yarn containing at least 85% cotton, not for retail sale'
  const [first] = classifier.classify(title, { level: 4, limit: 10, within: [] }).candidates
  t.equal(first && records.code(first.record), '5205')
})

t.test('a colour named after a precious metal is not that metal', async t => {
  t.ok(stated('earrings, gold').includes('gold'))
  for (const title of ['earrings, gold color', 'rose gold tone earrings', 'حلق لون ذهبي'])
    t.notOk(stated(title).includes('gold'), title)
})

t.test('a question never asks for a fact that the title states', async t => {
  for (const title of ['Frozen boneless chicken breast 2kg', 'صدور دجاج مجمدة', 'frozen fish fillets'])
    t.notMatch(classify(title).question?.text.en ?? '', /frozen|fresh/i, title)
})

t.test('a negated value is not stated, and a longer phrase hides the words inside it', async t => {
  t.ok(stated('frozen shrimp').includes('frozen'))
  t.ok(stated('shrimp, not frozen').includes('-frozen'))
  t.notOk(stated('shrimp, not frozen').includes('frozen'))
  const fabric = stated('non woven fabric')
  t.ok(fabric.includes('nonwoven'))
  t.notOk(fabric.includes('woven'))
})
