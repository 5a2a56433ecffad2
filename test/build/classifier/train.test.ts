import t from 'tap'
import { correct } from '../../../build/compiler/classifier/correct.js'
import { countWeights } from '../../../build/compiler/classifier/count.js'
import { readExamples, Texts } from '../../../build/compiler/classifier/examples.js'
import { featuresOf } from '../../../src/catalog/classify/features.js'
import { Model, WEIGHT_SCALE } from '../../../src/catalog/classify/model.js'

const [LEATHER, BAG, SHOE, CASE, PHONE] = [0, 1, 2, 3, 4]
const TERMS = 5
const BAGS = 0
const SHOES = 1
const PHONES = 2
const CLASSES = 3

const TEXTS = new Texts()
for (const [heading, ...terms] of [
  [BAGS, LEATHER, BAG],
  [BAGS, PHONE, CASE],
  [BAGS, BAG, PHONE, CASE],
  [SHOES, LEATHER, SHOE],
  [SHOES, SHOE],
  [PHONES, PHONE],
  [PHONES, PHONE, LEATHER],
] as [number, ...number[]][])
  TEXTS.add({ heading, subheading: -1, weight: 1 }, terms)

function trained(groups = new Int32Array(CLASSES), groupCount = 1, classesMax = CLASSES) {
  const examples = readExamples(TEXTS, TERMS)
  const classes = Int32Array.from(TEXTS.headings)
  const textWeights = new Uint8Array(TEXTS.count).fill(1)
  const model = countWeights({ examples, classes, textWeights, groups, groupCount, classesMax, weightMin: 0, rarityShare: 0 })
  if (groupCount === 1) correct(model, examples, classes, textWeights, CLASSES)
  return { examples, model }
}

function best(...terms: number[]): number {
  const { examples, model } = trained()
  const scores = [...new Model(model, CLASSES).scores(featuresOf(terms, examples.pairs, TERMS))]
  return scores.every(score => score === 0) ? -1 : scores.indexOf(Math.max(...scores))
}

t.test('a model learns the words, and pairs of adjacent words, that texts of a class have in common', async t => {
  t.equal(best(BAG), BAGS)
  t.equal(best(SHOE, LEATHER), SHOES)
  t.equal(best(PHONE), PHONES)
  t.equal(best(PHONE, CASE), BAGS, 'the text of a phone case belongs to BAGS although it contains PHONE')
  t.equal(best(), -1, 'an empty text has no class')
})

const counted = (rarityShare: number) =>
  new Model(
    countWeights({
      examples: readExamples(TEXTS, TERMS),
      classes: Int32Array.from(TEXTS.headings),
      textWeights: new Uint8Array(TEXTS.count).fill(1),
      groups: new Int32Array(CLASSES),
      groupCount: 1,
      classesMax: CLASSES,
      weightMin: 0,
      rarityShare,
    }),
    CLASSES,
  )

t.test(
  'a weight is the logarithm of a ratio: the count of the feature in all classes divided by its count in the other classes',
  async t => {
    // leather is one of two words in three texts, one of each class; smoothing adds one text to every count
    const each = Math.round(WEIGHT_SCALE / Math.sqrt(2))
    const ratio = (3 * each + WEIGHT_SCALE) / (2 * each + WEIGHT_SCALE)
    t.equal(counted(0).weight(LEATHER, SHOES), Math.round(WEIGHT_SCALE * Math.log(ratio)))
  },
)

t.test('a feature that few classes have gains weight in each of them; a feature that all classes have does not', async t => {
  const share = 0.5
  const gain = (feature: number, wanted: number) => counted(share).weight(feature, wanted) - counted(0).weight(feature, wanted)
  t.equal(gain(LEATHER, SHOES), 0, 'all three classes have leather')
  t.ok(Math.abs(gain(SHOE, SHOES) - WEIGHT_SCALE * share * Math.log(CLASSES)) <= 1, 'only SHOES has shoe')
  t.ok(gain(PHONE, BAGS) > 0 && gain(PHONE, BAGS) < gain(SHOE, SHOES), 'two classes have phone')
})

t.test('the support of a class is the share of the given features whose weight for the class is positive', async t => {
  const model = counted(0)
  t.equal(model.support([LEATHER, BAG], BAGS), 1)
  t.equal(model.support([LEATHER, BAG], SHOES), 0.5)
  t.equal(model.support([], BAGS), 0)
})

t.test('training twice with the same texts gives the same model', async t => {
  t.strictSame(trained(), trained())
})

t.test('a class is compared only with the classes of its own group', async t => {
  const { model } = trained(Int32Array.from([0, 1, 1]), 2)
  const groups = new Model(model, CLASSES)
  t.ok(
    groups.weight(LEATHER, BAGS) > groups.weight(LEATHER, PHONES),
    'BAGS is alone in its group, so all leather texts of the group are its own; PHONES shares its group',
  )
})

t.test('a feature that occurs in more than classesMax classes is left out', async t => {
  const limited = (classesMax: number) => new Model(trained(undefined, undefined, classesMax).model, CLASSES)
  t.equal(limited(CLASSES).classCount(LEATHER), CLASSES)
  t.equal(limited(CLASSES - 1).classCount(LEATHER), 0)
  t.not(limited(CLASSES - 1).classCount(BAG), 0)
})

t.test('build and query derive the same features from a text', async t => {
  const { examples } = trained()
  const { at, terms: all } = TEXTS.columns()
  for (let i = 0; i < TEXTS.count; i++) {
    const terms = [...all.subarray(at[i], at[i + 1])]
    const built = [...examples.features.subarray(examples.at[i], examples.at[i + 1])]
    t.strictSame(featuresOf([...terms], examples.pairs, TERMS).sort(), built.sort())
  }
})
