import t from 'tap'
import { Catalog } from '../../../src/catalog/catalog.js'
import { shippedSnapshot } from '../../support/service.js'

const { classifier, records, search } = new Catalog(await shippedSnapshot())
const classify = (text: string, level: 4 | 6 | 12 = 6) => classifier.classify(text, { level, limit: 10, within: [] })
const codes = (text: string, level: 4 | 6 | 12 = 6) => classify(text, level).candidates.map(({ record }) => records.code(record))

t.test('a text that names no goods has the status unknown and names the missing fact', async t => {
  for (const text of [
    'parts',
    'Spare parts',
    'accessories',
    'gift',
    'samples',
    'goods as per invoice',
    'Misc. items - 3 pcs',
    'xxxxx misc item',
    'قطع',
    'قطع غيار',
    'هدايا',
    'عينات تجارية',
    'بضائع متنوعة',
  ]) {
    const { status, missing, question } = classify(text)
    t.equal(status, 'unknown', text)
    t.ok(missing?.en && missing.ar, text)
    t.equal(question, undefined)
  }
  t.match(classify('parts').missing?.en, /machine/)
  t.match(classify('هدايا').missing?.ar, /الهدية/)
})

t.test('a text of words that occur in no record has the status unknown and names no missing fact', async t => {
  for (const text of ['asdf qwer', 'زخقفثن']) {
    const { status, missing } = classify(text)
    t.equal(status, 'unknown', text)
    t.equal(missing, undefined)
  }
})

t.test('a text with a vague word and a word for goods is not vague', async t => {
  for (const text of ['gift box', 'car parts', 'mixed spices', 'wood samples', 'طقم سكاكين', 'هدايا ذهبية خواتم'])
    t.equal(classify(text).missing, undefined, text)
})

t.test('a name of a brand or model is classified as its goods', async t => {
  for (const [text, code] of [
    ['Adidas Ultra Boost 22', '6404'],
    ['Xiaomi 14 Ultra', '851713'],
    ['NIO ES6', '870380'],
    ['iphone 15 pro max', '851713'],
    ['ايفون 15', '851713'],
    ['Head & Shoulders', '330510'],
  ] as const)
    t.ok(codes(text)[0]?.startsWith(code), `${text}: ${codes(text)[0]}`)
})

t.test('an ordinary word is read as a brand only with words for the goods of the brand or with a model', async t => {
  t.equal(codes('apple')[0], '080810')
  t.equal(codes('Apples, fresh')[0], '080810')
  t.ok(codes('Dove Nourishing Cream')[0]?.startsWith('3304'))
  t.notOk(codes('Clams in shell').some(code => code.startsWith('2710')))
})

t.test('goods made for products of a brand are not classified as goods of the brand', async t => {
  t.notOk(codes('spark plugs for Hyundai Elantra 1.6L')[0]?.startsWith('8703'))
  t.ok(codes('spark plugs for Hyundai Elantra 1.6L')[0]?.startsWith('8511'))
  t.notOk(codes('phone case compatible with iPhone 15')[0]?.startsWith('8517'))
})

t.test('a brand of many kinds of goods leads to a question with at most four answers', async t => {
  const { status, question } = classify('Samsung')
  t.equal(status, 'ask')
  t.ok(question !== undefined && question.answers.length >= 2 && question.answers.length <= 4)
})

t.test('a search for a model finds its goods', async t => {
  const first = (query: string) => {
    const record = search.find(query, 0, 0, 1).records[0]
    return record === undefined ? '' : records.code(record)
  }
  t.equal(first('iphone 15 pro max'), '851713')
  t.equal(first('xiaomi 14 ultra'), '851713')
  t.ok(first('adidas').startsWith('6404'))
  t.equal(first('nio es6'), '870380')
  t.equal(first('apple'), '080810', 'an ordinary word is not read as a brand')
})

t.test('a line that the text names comes first, clearly before the others', async t => {
  const { candidates } = classify('wireless earbuds', 12)
  const [first, second] = candidates
  t.equal(first && records.code(first.record), '851762900009')
  t.ok(first && second && first.score > 2 * second.score)
})

t.test('measures in a text decide between codes with limits', async t => {
  const place = (text: string, code: string) => codes(text).findIndex(one => one.startsWith(code))
  t.equal(place('fuse for circuits, rated voltage up to 1000V', '8536'), 0)
  t.equal(codes('passenger car petrol 1,400 cc')[0], '870322')
  t.equal(codes('passenger car petrol 2.5 L')[0], '870323')
  t.equal(codes('black tea in packets of 1 kg')[0], '090230')
})
