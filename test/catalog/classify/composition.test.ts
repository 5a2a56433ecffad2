import fc from 'fast-check'
import t from 'tap'
import { Catalog } from '../../../src/catalog/catalog.js'
import { Attributes } from '../../../src/catalog/classify/attributes.js'
import { decidingMaterials } from '../../../src/catalog/classify/composition.js'
import { measuresIn } from '../../../src/catalog/classify/measures.js'
import { isMixture, mixtureIn } from '../../../src/catalog/classify/mixtures.js'
import { shippedSnapshot } from '../../support/service.js'

const snapshot = await shippedSnapshot()
const catalog = new Catalog(snapshot)
const { meta, records, stemmer, classifier } = catalog
const attributes = new Attributes(snapshot.columns, meta, records, stemmer)
const { materials, values } = attributes

const nameOf = (value: number) => meta.attributeValues[value]?.phrases[0]
const shares = (text: string) => measuresIn(text, materials, stemmer).shares
const stated = (text: string) => shares(text).map(({ value, percent }) => `${nameOf(value)} ${percent}`)
const deciding = (text: string) => decidingMaterials(shares(text), values).map(nameOf)

t.test('shares are read before and after their materials and as ratios, in both languages, the largest first', async t => {
  const blend = ['polyester 60', 'cotton 40']
  for (const text of [
    '60% polyester 40% cotton',
    '40 % cotton, 60 % polyester',
    'Shirt: polyester 60%, cotton 40%, woven',
    'polyester 60% cotton 40% fabric',
    'fabric 60% recycled polyester 40% organic cotton',
    'woven polyester/cotton 60/40',
    '40/60 cotton polyester',
    'قميص 60% بوليستر 40% قطن',
    'قميص ٤٠٪ قطن ٦٠٪ بوليستر',
    'قماش بوليستر 60% قطن 40%',
    'قطن 40 بالمئة وبوليستر 60 بالمئة',
    '60% polyester 40% cotton / ٦٠٪ بوليستر ٤٠٪ قطن',
    'shell 60% polyester 40% cotton, lining 100% nylon',
  ])
    t.strictSame(stated(text), blend, text)
  t.strictSame(stated('made from 100% cotton'), ['cotton 100'])
  t.strictSame(stated('lining 100% polyester, shell 100% cotton'), ['cotton 100'])
})

t.test('numbers that are not shares of the goods are not read as shares', async t => {
  for (const text of [
    'cotton shirts 50% off',
    '50% off cotton shirts',
    'yarn with less than 85% cotton',
    'قماش أقل من 85% قطن',
    '85% or more cotton',
    'alloy Cu60% Ni40%',
    'shirt 100% cotton trousers 100% wool',
    'leather bag with 100% polyester lining',
    'cotton 1/4 inch',
    'cotton 30/20',
    'cotton',
    '%',
  ])
    t.strictSame(stated(text), [], text)
})

t.test('the kind of material with the largest share decides, and within it the material with the largest share', async t => {
  for (const [text, expected] of [
    ['60% cotton 40% polyester', ['cotton']],
    ['40% cotton 35% polyester 25% nylon', ['polyester']],
    ['50% cotton 50% wool', ['cotton', 'wool']],
    ['5% elastane in cotton jersey', []],
    ['', []],
  ] as const)
    t.strictSame(deciding(text), expected, text)
  const material = meta.attributes.findIndex(({ hasShares }) => hasShares === true)
  const text = '65% polyester 35% cotton shirt'
  const of = (ranked: readonly number[]) => attributes.valuesIn(text, ranked).get(material)?.has.map(nameOf)
  t.strictSame(of(decidingMaterials(shares(text), values)), ['polyester'])
  t.strictSame(of([]), ['polyester', 'cotton'], 'without shares, all materials count')
})

t.test('every order of the shares of a composition gives the same shares, which never add up to more than 101', async t => {
  const names = ['cotton', 'polyester', 'wool', 'silk', 'nylon', 'viscose']
  const composition = fc.uniqueArray(fc.tuple(fc.constantFrom(...names), fc.integer({ min: 1, max: 60 })), {
    minLength: 1,
    selector: ([name]) => name,
  })
  fc.assert(
    fc.property(composition, fc.boolean(), (parts, isReversed) => {
      const write = (all: [string, number][]) => all.map(([name, percent]) => `${percent}% ${name}`).join(' ')
      const found = shares(write(parts))
      const others = shares(write(isReversed ? [...parts].reverse() : parts))
      const total = parts.reduce((sum, [, percent]) => sum + percent, 0)
      t.equal(found.length, total > 101 ? 0 : parts.length)
      t.strictSame(
        new Set(found.map(({ value, percent }) => `${value} ${percent}`)),
        new Set(others.map(({ value, percent }) => `${value} ${percent}`)),
      )
    }),
    { numRuns: 50 },
  )
})

t.test('a mixture fits a description by its main material and by the largest of the others', async t => {
  for (const [text, fits, doesNot] of [
    [
      '60% cotton 40% polyester',
      'Cotton fabrics, mixed mainly or solely with man-made fibres',
      'Polyester yarn, mixed mainly with cotton',
    ],
    [
      '65% polyester 35% viscose',
      'Polyester yarn under 85%, mixed mainly or solely with artificial fibres',
      'Polyester yarn, mixed mainly or solely with cotton',
    ],
    [
      '65% polyester 35% linen',
      'Polyester yarn, mixed mainly with fibres other than wool or cotton',
      'Polyester yarn, mixed mainly with fibres other than linen',
    ],
    [
      'polyester-viscose',
      'Polyester yarn under 85%, mixed mainly or solely with artificial fibres',
      'Polyester yarn, mixed mainly or solely with cotton',
    ],
    [
      '55% cotton 45% linen',
      'Cotton fabrics mixed mainly with fibres that are not man-made, such as wool',
      'Cotton fabrics mixed mainly with wool, under 85% cotton',
    ],
  ] as const) {
    const fit = (description: string) => {
      const mixture = mixtureIn(description, materials)
      return mixture !== undefined && isMixture(mixture, measuresIn(text, materials, stemmer), materials)
    }
    t.ok(fit(fits), `${text}: ${fits}`)
    t.notOk(fit(doesNot), `${text}: ${doesNot}`)
  }
  t.equal(mixtureIn('Cotton fabrics', materials), undefined)
  const mixture = mixtureIn('Cotton fabrics, mixed mainly with wool', materials)
  t.ok(mixture && isMixture(mixture, { main: [], shares: [], second: [] }, materials), 'a text without shares may be any mixture')
})

t.test('if a blend has no shares, the material that is named first is its main material', async t => {
  const main = (text: string) => measuresIn(text, materials, stemmer).main.map(nameOf)
  for (const text of ['polyester-cotton twill', 'Polyester/Cotton twill', 'twill (polyester-cotton)', 'بوليستر/قطن'])
    t.strictSame(main(text), ['polyester'], text)
  t.strictSame(main('cotton-polyester twill'), ['cotton'])
  t.strictSame(main('40/60 polyester/cotton'), ['cotton'], 'shares decide')
  for (const text of ['polyester twill', 'polyester, cotton', 'cotton-textile', 'polyester-blend', 'T-shirt'])
    t.strictSame(main(text), [], text)
})

t.test('a minimum share of one material also limits the shares of the others', async t => {
  const measures = measuresIn('85% or more polyester', materials, stemmer).measures
  const range = (unit: string) => measures.get(unit)?.map(({ min, max }) => [min, max])
  t.strictSame(range('% polyester'), [[85, Infinity]])
  t.strictSame(range('% synthetic fiber'), [[85, 100]])
  t.strictSame(range('% cotton'), [[0, 15]])
})

t.test('shares and sizes decide between codes of one kind of goods', async t => {
  for (const [title, right] of [
    ['Fabric plain weave printed 65% polyester 35% cotton 115 gsm', '5513'],
    ['Cotton/polyester 60/40 poplin dyed plain weave 110 gsm', '5210'],
    ['ERW steel pipe 6 inch schedule 40', '7306'],
    ['Jersey fabric knitted 95% cotton 5% spandex', '6004'],
    ['Plain weave fabric 85% or more polyester staple fibre, unbleached, 120 g/m2', '5512'],
    ['Polyester-viscose fabric of staple fibres', '5515'],
    ['Woven fabric 70% cotton 210 g/m2', '5211'],
    ['T-shirt knitted 65% polyester 35% cotton', '610990'],
    ['تيشيرت 60% قطن 40% بوليستر', '610910'],
    ['Polyester staple yarn polyester/viscose 65/35', '550951'],
    ['غزل قطن ممشط نمرة 30/2', '520543'],
    ['Cold rolled steel sheet 0.8 x 1250 x 2500 mm', '720927'],
    ['لوح إم دي إف سماكة 9 مم', '441113'],
  ] as const) {
    const [first] = classifier.classify(title, { level: right.length === 4 ? 4 : 6, limit: 1, within: [] }).candidates
    t.equal(first && records.code(first.record), right, title)
  }
})
