import t from 'tap'
import { buildExamples, type TextExample } from '../../../build/compiler/classifier/examples.js'
import { train } from '../../../build/compiler/classifier/train.js'
import { featuresOf, Model } from '../../../src/catalog/classify/model.js'

const [LEATHER, BAG, SHOE, CASE, PHONE] = [0, 1, 2, 3, 4]
const TERMS = 5
const BAGS = 0
const SHOES = 1
const PHONES = 2

const text = (one: number, ...terms: number[]): TextExample => ({ terms, class: one, weight: 1 })
const TEXTS = [
  text(BAGS, LEATHER, BAG),
  text(BAGS, PHONE, CASE),
  text(SHOES, LEATHER, SHOE),
  text(SHOES, SHOE),
  text(PHONES, PHONE),
  text(PHONES, PHONE, LEATHER),
]

function best(...terms: number[]): number {
  const examples = buildExamples(TEXTS, TERMS)
  const scores = new Model(train(examples, 3), 3).scores(featuresOf(terms, examples.pairs, TERMS))
  return [...scores].sort((a, b) => b[1] - a[1])[0]?.[0] ?? -1
}

t.test('a model learns what texts of a class have in common, pairs of neighbours included', async t => {
  t.equal(best(BAG), BAGS)
  t.equal(best(SHOE, LEATHER), SHOES)
  t.equal(best(PHONE), PHONES)
  t.equal(best(PHONE, CASE), BAGS, 'though phones are named')
  t.equal(best(), -1, 'nothing is known of nothing')
})

t.test('the same texts train the same model', async t => {
  const once = train(buildExamples(TEXTS, TERMS), 3)
  t.strictSame(train(buildExamples(TEXTS, TERMS), 3), once)
})

t.test('build and query read the same features of a text', async t => {
  const examples = buildExamples(TEXTS, TERMS)
  for (const [i, { terms }] of TEXTS.entries()) {
    const own = [...examples.features.subarray(examples.at[i], examples.at[i + 1])]
    t.strictSame(featuresOf([...terms], examples.pairs, TERMS).sort(), own.sort())
  }
})
