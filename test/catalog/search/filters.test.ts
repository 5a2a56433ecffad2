import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { JUDGED_MAX } from '../../../src/catalog/search/weights.js'
import { catalogOf, FIXTURE, temporaryDirectory } from '../../support/service.js'

const HEADER = 'hs_code,description_en,description_ar,tariff_rate,is_active,keywords_en,keywords_ar'

const ROWS = [
  '70,Glass and glassware,زجاج ومصنوعاته,5,,,',
  '7001,Sports goods,لوازم رياضة,,,,',
  '700110,Exercise gear,معدات تمارين,,,treadmills; yoga mats,',
  '70011010,Rings and bars,حلقات وعوارض,,,,',
  '70011090,"Walking machines, treadmills excepted by none",آلات مشي,,,,',
  '700190,Balls,كرات,,,,',
  '7002,Motors,محركات,,,,',
  '700210,Motors of any power for machines,محركات بأي قدرة للآلات,,,treadmill motors,',
  '7003,Jugs,أباريق,,,,',
  '700310,Blue jugs,أباريق زرقاء,,,,',
  '700320,Red jugs,أباريق حمراء,,,,',
  '70032010,Red jugs for tea,أباريق حمراء للشاي,,,,',
  '70032090,Red jugs for coffee,أباريق حمراء للقهوة,,,,',
  '7004,Blue paper,ورق أزرق,,,,',
]

/** Returns a function that searches the fixture and the given rows. */
async function finderOver(rows: string[]) {
  const directory = temporaryDirectory(t)
  cpSync(FIXTURE, directory, { recursive: true })
  writeFileSync(join(directory, 'chapters', '70.csv'), [HEADER, ...rows].join('\n'))
  const catalog = await catalogOf(directory)
  const accepting = (accepts?: (code: string) => boolean) => ({
    accepts: accepts && ((record: number) => accepts(catalog.records.code(record))),
  })
  return (query: string, level = 0, within = '', accepts?: (code: string) => boolean) =>
    Array.from(catalog.search.find(query, level, 0, 200, within, accepting(accepts)).records, record =>
      catalog.records.code(record),
    )
}

const codes = await finderOver(ROWS)

const QUERIES = ['treadmills', 'blue jugs', 'jugs', 'red tea jugs', 'motor', 'أباريق', 'glass', 'horses', '70', 'hs 7003']

t.test('with a level, lines are found by the keywords of the codes above them', async t => {
  t.strictSame(codes('treadmills', 8).slice(0, 2).sort(), ['70011010', '70011090'])
  t.equal(codes('yoga mat', 12).length, 2, 'only lines below the code with the keyword are found')
  t.ok(codes('yoga mat', 12).every(code => code.startsWith('700110') && code.length === 12))
  t.notOk(
    codes('yoga mat').some(code => code.length > 6),
    'without a level, these lines are not listed',
  )
})

t.test('among the lines of one subheading, the line whose own words match best comes first', async t => {
  t.equal(codes('treadmills', 8)[0], '70011090')
  t.equal(codes('red jugs for coffee', 12)[0], '700320900000')
  t.equal(codes('red jugs for tea', 12)[0], '700320100000')
})

t.test('a filtered search finds exactly the codes of the unfiltered search that pass the filter', async t => {
  const isEven = (code: string) => Number(code) % 20 === 0
  for (const query of QUERIES)
    for (const level of [0, 2, 4, 6, 8, 12]) {
      const whole = codes(query, level).sort()
      for (const within of ['70', '7003', '700320', '01', '99'])
        t.strictSame(
          codes(query, level, within).sort(),
          whole.filter(code => code.startsWith(within)),
          `the results of "${query}" at level ${level} within ${within}`,
        )
      t.strictSame(
        codes(query, level, '', isEven).sort(),
        whole.filter(isEven),
        `the results of "${query}" at level ${level} with a filter`,
      )
    }
})

/** For the query "blue jug", 700210 has both words in separate phrases, and 700220 has the query as a keyword. */
const JUGS = [
  '7002,Sheets,ألواح,,,,',
  '700210,Blue,أزرق,,,jug,',
  '700220,Sets of many things for the table and the kitchen of a house with a garden,أطقم مائدة,,,blue jug,',
]
const manyOf = (prefix: string) => Array.from({ length: 60 }, (_, n) => `${prefix}${n + 10},Blue,أزرق,,,jug,`)

t.test('with a filter, phrase matches come first even if many records with higher scores do not pass the filter', async t => {
  const find = await finderOver(['70,Glass,زجاج,5,,,', '7001,Jugs,أباريق,,,,', ...manyOf('7001'), ...JUGS])
  t.notOk(find('blue jug').slice(0, JUDGED_MAX).includes('700220'))
  t.strictSame(find('blue jug', 0, '7002').slice(0, 2), ['700220', '700210'])
  t.strictSame(find('blue jug', 6, '7002').slice(0, 2), ['700220', '700210'])
  t.strictSame(find('blue jug', 8, '7002').slice(0, 2), ['70022000', '70021000'])
  t.strictSame(find('blue jug', 0, '', code => code.startsWith('7002')).slice(0, 2), ['700220', '700210'])
  t.strictSame(find('blue jug', 12, '', code => code.startsWith('7002')).slice(0, 2), ['700220000000', '700210000000'])
})

t.test('with a level, phrase matches come first even if many records of other levels have higher scores', async t => {
  const find = await finderOver([
    '70,Glass,زجاج,5,,,',
    '7001,Jugs,أباريق,,,,',
    '700110,Cups,أكواب,,,,',
    ...manyOf('700110'),
    ...JUGS,
  ])
  t.strictSame(find('blue jug', 6).slice(0, 2), ['700220', '700210'])
})

t.test('a search at level 2, 4 or 6 finds exactly the codes of that length that a search without a level finds', async t => {
  for (const query of QUERIES)
    for (const level of [2, 4, 6]) {
      const all = new Set(codes(query))
      const found = codes(query, level)
      t.ok(
        found.every(code => code.length === level && all.has(code)),
        `"${query}" at level ${level} finds only codes that it also finds without a level`,
      )
      t.strictSame([...found].sort(), [...all].filter(code => code.length === level).sort())
    }
})

t.test('with a level, a heading is found by the words of its subheadings', async t => {
  t.strictSame(codes('treadmills', 4), ['7001', '7002'])
  t.equal(codes('treadmills')[0], '700110', 'without a level, the subheading itself comes first')
})

t.test('a query that is a code finds nothing if the code does not pass the filter', async t => {
  t.strictSame(codes('7003', 0, '01'), [])
  t.strictSame(codes('700320', 4), [])
})

t.test('an unfinished word never brings a code that does not pass the filter', async t => {
  t.equal(codes('treadm')[0], '700110', 'without a filter, the code that completes the word comes first')
  t.strictSame(codes('treadm', 0, '7002'), ['700210', '7002'])
  t.strictSame(
    codes('treadm', 0, '', code => code.startsWith('7002')),
    ['700210', '7002'],
  )
})
