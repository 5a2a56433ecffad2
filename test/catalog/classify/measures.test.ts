import t from 'tap'
import { isOutside, limitsIn, measuresIn } from '../../../src/catalog/classify/measures.js'
import { Stemmer } from '../../../src/text/terms.js'
import { NO_WORDS } from '../../../src/text/word-data.js'

const stemmer = new Stemmer(NO_WORDS)
const isOut = (text: string, description: string) => isOutside(measuresIn(text, stemmer), limitsIn(description, stemmer))

t.test('a measure outside the limits of a description excludes it', async t => {
  for (const [text, outside, within] of [
    ['car 1,500 cc', 'over 1,500 up to 3,000 cm3', 'over 1,000 up to 1,500 cm3, for fewer than ten persons'],
    ['car 1.6L', 'over 1,000 up to 1,500 cm3', 'over 1,500 up to 3,000 cm3'],
    ['fabric 210 g/m²', 'weighing up to 200 g/m²', 'over 200 g/m²'],
    ['fabric 120 gsm', '40 to 110 g/m², in rolls', '40 to 150 g/m², in rolls'],
    ['70% cotton 30% polyester', '85% or more cotton', 'under 85% cotton'],
    ['قماش 70% cotton', '85% or more cotton', 'under 85% cotton'],
    ['milk 3.5% fat', 'fat content up to 1%', 'fat content over 1% but not over 6%'],
    ['milk 8% fat', 'fat content over 1% but not over 6%', 'fat content over 6%'],
    ['wine 5 l', 'in containers of 2 litres or less', 'in containers of more than 2 litres up to 10 litres'],
    ['wine 750ml', 'in containers of more than 2 litres', 'in containers of 2 litres or less'],
    ['tea 500 g', 'in packings of more than 3 kg', 'in packings of 3 kg or less'],
    ['fuse ≤1000V', 'above 1000 V', 'of 1000 V or less'],
  ] as const) {
    t.ok(isOut(text, outside), `${text}: not ${outside}`)
    t.notOk(isOut(text, within), `${text}: ${within}`)
  }
})

t.test('only measures of the same unit and the same material are compared', async t => {
  t.notOk(isOut('pump 5 kW', 'over 10,000 kVA'))
  t.notOk(isOut('30% polyester', '85% or more cotton'))
  t.notOk(isOut('cable', 'above 1000 V'))
  t.notOk(isOut('12V and 2000V', 'above 1000 V'), 'one measure within the limits is enough')
  t.strictSame(measuresIn('model 15-20cc2', stemmer), [])
})
