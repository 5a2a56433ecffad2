import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { search } from '../../../src/questions/search.js'
import { catalogOf, FIXTURE, temporaryDirectory } from '../../support/service.js'

const HEADER = 'hs_code,description_en,description_ar,tariff_rate,is_active,keywords_en,keywords_ar'

const ROWS = [
  '70,Wares of many kinds,أصناف متنوعة,5,,,',
  '7001,Bottles and flasks,قوارير,,,,',
  '700110,Household bottles of stainless metal,قوارير منزلية من معدن لا يصدأ,,,,',
  '700120,"Household bottles, other than of stainless metal, with a lid",قوارير منزلية عدا ما لا يصدأ,,,,',
  '7002,Yams and roots,يام وجذور,,,,',
  '700210,Yams,يام,,,,',
  '700220,Acids known as aha,أحماض,,,,',
  '7003,Motors,محركات,,,outboard motors,',
  '700310,Electric motors above 75 kW,محركات كهربائية,,,,',
  '7004,Broccoli and kale,بروكلي,,,broccoli,',
  '7005,Folding cots,أسرة أطفال,,,folding cots,',
  '7006,Cotton,قطن,,,cotton; cotton yarn; cotton cloth,قطن',
  ...Array.from({ length: 30 }, (_, i) => `7006${i + 10},"Cotton, grade ${i}",قطن درجة ${i},,,,`),
  '7007,Vacuum cleaners,مكانس كهربائية,,,vacuums,',
  '7008,Breakers for circuits,قواطع دوائر,,,vacuum breakers v 11,',
]

const directory = temporaryDirectory(t)
cpSync(FIXTURE, directory, { recursive: true })
writeFileSync(join(directory, 'chapters', '70.csv'), [HEADER, ...ROWS].join('\n'))
const catalog = await catalogOf(directory)

const codes = (query: string) => {
  const found = search(catalog, query)
  return 'records' in found ? Array.from(found.records, record => catalog.records.code(record)) : []
}

t.test('goods that a description excludes do not match it', async t => {
  t.equal(codes('stainless household bottles')[0], '700110')
  t.notOk(codes('stainless').includes('700120'))
  t.ok(codes('bottle with lid').includes('700120'), 'words after the excluded goods match')
  t.strictSame(codes('bottles other than stainless'), codes('bottles'), 'goods that a query excludes are not searched for')
})

t.test('a word is not split into two words that do not occur together in any code', async t => {
  t.equal(codes('yamaha outboard')[0], '7003')
  t.strictSame(codes('yamaha'), [])
})

t.test('two swapped letters, or a wrongly doubled letter, count as one mistake', async t => {
  t.equal(codes('brocolli')[0], '7004')
  t.equal(codes('brocoli')[0], '7004')
  t.equal(codes('borccoli')[0], '7004')
})

t.test('a space after the last word means that it is finished', async t => {
  t.equal(codes('cot ')[0], '7005')
  t.notOk(codes('cot ').includes('7006'))
  t.ok(codes('cot').includes('7006'), 'without the space, words that start with the typed letters are also found')
})

t.test('if the last word is unfinished, the first result is the code of the first suggestion', async t => {
  for (const typed of ['cott', 'bro', 'vac', 'outb', 'قط']) {
    const { phrases } = catalog.suggest.find(typed, 1)
    const suggested = catalog.records.code(catalog.suggest.record(phrases[0] as number))
    t.equal(codes(typed)[0], suggested, `the first result for "${typed}" is ${suggested}`)
  }
})

t.test('amounts and model names never rank above the word for the goods', async t => {
  t.equal(codes('outboard motor 75hp')[0], '7003')
  t.equal(codes('vacuum v11')[0], '7007')
  t.equal(codes('dyson v11 vacuum')[0], '7007')
  t.equal(codes('cotton 30')[0]?.slice(0, 4), '7006')
})
