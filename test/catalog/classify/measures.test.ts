import fc from 'fast-check'
import t from 'tap'
import { Catalog } from '../../../src/catalog/catalog.js'
import { Attributes } from '../../../src/catalog/classify/attributes.js'
import { limitsIn } from '../../../src/catalog/classify/limits.js'
import { measuresIn } from '../../../src/catalog/classify/measures.js'
import { isOutside } from '../../../src/catalog/classify/range.js'
import { shippedSnapshot } from '../../support/service.js'

const snapshot = await shippedSnapshot()
const { meta, records, stemmer } = new Catalog(snapshot)
const { materials } = new Attributes(snapshot.columns, meta, records, stemmer)
const measures = (text: string) => measuresIn(text, materials, stemmer).measures
const isOut = (text: string, description: string) => isOutside(measures(text), limitsIn(description, materials))

t.test('a description is excluded if a measure is outside its limits', async t => {
  for (const [text, outside, within] of [
    ['car 1,500 cc', 'over 1,500 up to 3,000 cm3', 'over 1,000 up to 1,500 cm3, for fewer than ten persons'],
    ['car 1.6L', 'over 1,000 up to 1,500 cm3', 'over 1,500 up to 3,000 cm3'],
    ['fabric 210 g/m²', 'weighing up to 200 g/m²', 'over 200 g/m²'],
    ['fabric 120 gsm', '40 to 110 g/m², in rolls', '40 to 150 g/m², in rolls'],
    ['قماش ٢١٠ جم/م2', 'weighing up to 200 g/m²', 'over 200 g/m²'],
    ['70% cotton 30% polyester', '85% or more cotton', 'under 85% cotton'],
    ['قماش 70% cotton', '85% or more cotton', 'under 85% cotton'],
    ['قماش ٧٠٪ قطن', '85% or more cotton', 'under 85% cotton'],
    ['100% nylon ripstop', 'with 5% or more elastomeric yarn', 'under 5% elastomeric yarn or rubber'],
    ['50% polyester 40% nylon 10% cotton', 'synthetic staple fibres, under 85%, mixed', '85% or more synthetic staple fibres'],
    ['70% cotton 30% polyester', 'weaves other than plain, 85% or more cotton', 'weaves other than plain, under 85% cotton'],
    ['milk 3.5% fat', 'fat content up to 1%', 'fat content over 1% but not over 6%'],
    ['milk 8% fat', 'fat content over 1% but not over 6%', 'fat content over 6%'],
    ['extract with 50% cocoa', 'under 40% cocoa or of milk with under 5% cocoa', 'over 40% cocoa'],
    ['flakes with 8% cocoa', 'with no more than 6% cocoa', 'with over 6% cocoa'],
    ['wine 5 l', 'in containers of 2 litres or less', 'in containers of more than 2 litres up to 10 litres'],
    ['wine 750ml', 'in containers of more than 2 litres', 'in containers of 2 litres or less'],
    ['tea 500 g', 'in packings of more than 3 kg', 'in packings of 3 kg or less'],
    ['fuse ≤1000V', 'above 1000 V', 'of 1000 V or less'],
    ['motor 30 W', 'over 37.5 W', 'of 37.5 W or less'],
    ['steel sheet, width <600 mm', '600 mm or wider', 'under 600 mm wide'],
    ['steel coil 1.25 m, 1250mm wide', 'under 600 mm wide', '600 mm or wider'],
    ['film, width: 61 cm', 'over 16 mm wide, under 609 mm wide', 'up to 610 mm wide'],
    ['tape 12 inch wide', 'narrow (up to 30 cm) fabrics', 'fabrics over 30 cm wide'],
    ['صاج بعرض أقل من 600 مم', '600 mm or wider', 'under 600 mm wide'],
    ['fabric over 200 g/m²', 'weighing up to 200 g/m²', 'over 200 g/m²'],
    ['fabric 200 g/m² or less', 'over 200 g/m²', 'weighing up to 200 g/m²'],
    ['cotton yarn, less than 125 decitex', '125 decitex or more', 'under 125 decitex'],
    ['yarn with <85% cotton', '85% or more cotton', 'under 85% cotton'],
    ['yarn with not less than 85% cotton', 'under 85% cotton', '85% or more cotton'],
    ['cement over 1 kg', 'in packings of 1 kg or less', 'in packings of more than 3 kg'],
  ] as const) {
    t.ok(isOut(text, outside), `${text}: not ${outside}`)
    t.notOk(isOut(text, within), `${text}: ${within}`)
  }
})

t.test('thickness and diameter are compared with limits for the same dimension', async t => {
  for (const [text, outside, within] of [
    ['plate 12 mm thick', '4.75 mm to 10 mm thick', 'over 10 mm thick'],
    ['plate, thickness 4.75mm', '3 mm to under 4.75 mm thick', '4.75 to 10 mm thick'],
    ['لوح سماكة 3 مم', 'under 3 mm thick', '3 mm to under 4.75 mm thick'],
    ['coil 2.5 x 1250 mm', 'under 600 mm wide, under 3 mm thick', '600 mm or wider, under 3 mm thick'],
    ['sheet 3 x 1250 x 2500 mm', '600 mm or wider, under 3 mm thick', '600 mm or wider, 3 mm to under 4.75 mm thick'],
    ['صاج 3×1250×2500 مم', '600 mm or wider, under 3 mm thick', '600 mm or wider, 3 mm thick or more'],
    ['mdf 18mm 1220 x 2440 mm', 'over 5 mm up to 9 mm thick', 'over 9 mm thick'],
    ['foil 15 micron', 'over 0.2 mm thick', 'up to 0.2 mm thick excluding any backing'],
    ['Ø12 mm wire rod', '14 mm in diameter or more', 'under 14 mm in diameter'],
    ['wire, dia. 8 mm', 'wire with a cross-section of 6 mm or less', 'wire with a cross-section over 6 mm'],
    ['سلك قطر 3 مم', 'wire with a cross-section over 6 mm', 'wire with a cross-section of 6 mm or less'],
    ['wire 3 mm', 'wire with a cross-section over 6 mm', 'wire with a cross-section of 6 mm or less'],
    ['pipe 24 inch', 'up to 406.4 mm diameter if round', 'over 406.4 mm outside diameter'],
    ['ماسورة 6 بوصة', 'over 406.4 mm outside diameter', 'up to 406.4 mm diameter if round'],
  ] as const) {
    t.ok(isOut(text, outside), `${text}: not ${outside}`)
    t.notOk(isOut(text, within), `${text}: ${within}`)
  }
})

t.test('counts of yarns are compared in decitex, and plies decide between single and multiple yarn', async t => {
  const single = 'Single yarn of cotton, 192.31 to under 232.56 decitex'
  const multiple = 'Folded or cabled yarn of cotton, 192.31 to under 232.56 decitex per single yarn'
  for (const [text, outside, within] of [
    ['cotton yarn Ne 30/1', multiple, single],
    ['cotton yarn 30s/2', single, multiple],
    ['غزل قطن نمرة 30/2', single, multiple],
    ['cotton yarn Nm 2/48', single, multiple],
    ['خيوط قطن 3 طبقات', single, multiple],
    ['cotton yarn Ne 60', single, 'Single yarn of cotton, under 125 decitex (over metric number 80)'],
    ['yarn 60 denier', '67 decitex or more', 'under 67 decitex'],
    ['yarn 60 tex', 'yarn up to 50 tex per single yarn', 'yarn over 50 tex per single yarn'],
  ] as const) {
    t.ok(isOut(text, outside), `${text}: not ${outside}`)
    t.notOk(isOut(text, within), `${text}: ${within}`)
  }
  t.equal(measures('backpack 600D, 2 ply handle').size, 0, 'only texts about yarn have such counts')
})

t.test('a limit that applies to only a part of the goods is ignored', async t => {
  t.notOk(isOut('yarn 150 denier', 'Filament yarn, and fine monofilament under 67 decitex'))
  t.notOk(isOut('strip 10 mm wide', 'Monofilament, including strip up to 5 mm wide, in rolls'))
  t.notOk(isOut('wheel, diameter 100 mm', 'Wheels up to 75 mm in diameter, or larger with a tyre under 30 mm wide'))
  t.notOk(isOut('olive oil 500 g', 'Olive oil (acidity up to 0.8 g per 100 g)'), 'a ratio of weights is not a weight')
})

t.test('only measures of the same unit, dimension and material are compared', async t => {
  t.notOk(isOut('pump 5 kW', 'over 10,000 kVA'))
  t.notOk(isOut('30% polyester', '85% or more cotton'), 'the other materials are not known')
  t.notOk(isOut('cable', 'above 1000 V'))
  t.notOk(isOut('steel sheet 2 mm, 1250 x 2500 mm', 'under 600 mm wide'), 'a length without a dimension')
  t.notOk(isOut('mesh 5 mm thick', '600 mm or wider'))
  t.notOk(isOut('12V and 2000V', 'above 1000 V'), 'one measure within the limits is enough')
  for (const text of [
    'model 15-20cc2',
    'beads 9 x 6 mm',
    'sheet 1/2 inch',
    'phone 6.5" display',
    'tape 48mm x 100m',
    'cable 2.5mm² 100',
  ])
    t.equal(measures(text).size, 0, text)
})

t.test('whether a length is inside a limit does not depend on its unit', async () => {
  const factors = { mm: 1, cm: 10, inch: 25.4, مم: 1, سم: 10, بوصة: 25.4 }
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.entries(factors)),
      fc.integer({ min: 1, max: 900 }),
      fc.integer({ min: 1, max: 900 }),
      (unit, n, limit) => {
        const [name, factor] = unit
        return isOut(`plate ${n} ${name} thick`, `plates over ${limit} mm thick`) === n * factor <= limit
      },
    ),
  )
})
