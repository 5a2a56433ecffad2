import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Catalog } from '../../../src/catalog/catalog.js'
import { JUDGED_MAX } from '../../../src/catalog/search/weights.js'
import { HANG_MS, processorMs } from '../../support/processor-time.js'
import { catalogOf, FIXTURE, shippedSnapshot, temporaryDirectory } from '../../support/service.js'

const HEADER = 'hs_code,description_en,description_ar,tariff_rate,is_active,keywords_en,keywords_ar'

/** Builds a catalog from the fixture and the given rows, optionally with synonyms and materials. */
async function catalogWith(t: Test, rows: string[], synonyms?: string, materials?: string): Promise<Catalog> {
  const directory = temporaryDirectory(t)
  cpSync(FIXTURE, directory, { recursive: true })
  writeFileSync(join(directory, 'chapters', '70.csv'), [HEADER, ...rows].join('\n'))
  if (synonyms !== undefined) writeFileSync(join(directory, 'synonyms.csv'), synonyms)
  if (materials !== undefined) writeFileSync(join(directory, 'materials.csv'), materials)
  return catalogOf(directory)
}

async function searchOver(t: Test, rows: string[], synonyms?: string, materials?: string): Promise<(query: string) => string[]> {
  const catalog = await catalogWith(t, rows, synonyms, materials)
  return query => {
    const { records } = catalog.search.find(query, 0, 0, 20)
    return Array.from(records, record => catalog.records.code(record))
  }
}

const GLASS = [
  '70,Glass and glassware,زجاج ومصنوعاته,5,,,',
  '7009,Mirrors of glass,مرايا زجاجية,,,,',
  '700910,Rear-view mirrors for vehicles,مرايا خلفية للمركبات,,,wing mirrors; car mirrors,مرايا سيارات',
  '700991,Glass mirrors without a frame,مرايا زجاجية بلا إطار,,,bathroom mirrors,مرايا حمام',
  '7013,Glassware for table or kitchen,أوان زجاجية للمائدة أو المطبخ,,,drinking glasses; notebooks of glass,كاسات; وأباريق',
  '701310,Glass-ceramic kitchenware,أوان من السيراميك الزجاجي,,,casserole dishes; t-shirts of glass,أواني طبخ',
  '701322,Stemmed drinking glasses of lead crystal,كؤوس شرب بساق من الكريستال,,,wine glasses; crystal glasses; hour glass,كاسات كريستال',
]

t.test('codes with all the words come first, followed by the best codes with some of them', async t => {
  const search = await searchOver(t, GLASS)
  t.equal(search('bathroom mirrors')[0], '700991')
  t.equal(search('mirrors for bathroom')[0], '700991', 'linking words are ignored')
  t.ok(search('bathroom mirrors').includes('700910'), 'codes with only one of the words follow')
  t.notOk(search('bathroom mirrors').includes('701310'), 'codes with neither word are not found')
})

const TEA = [
  '70,Glass and glassware,زجاج ومصنوعاته,5,,,',
  '7001,Tea of all kinds,شاي بأنواعه,,,,',
  '700110,Green tea in small packs,شاي أخضر في عبوات صغيرة,,,green tea,شاي أخضر',
  '700120,Black tea in bulk,شاي أسود سائب,,,black tea; tea bags,شاي أسود',
  '7002,Amines and their salts,أمينات وأملاحها,,,,',
  '700210,Diethylamine,ثنائي إيثيل أمين,,,dea,',
  '700220,Triethylamine,ثلاثي إيثيل أمين,,,tea; triethylamine,',
]

t.test(
  'a search for a word first finds the heading whose codes mention it most, then a code of another heading with this keyword',
  async t => {
    const search = await searchOver(t, TEA)
    t.equal(search('tea')[0]?.slice(0, 4), '7001')
    t.ok(search('tea').includes('700220'), 'the other code is found as well')
  },
)

t.test('words that name the goods count more than words that describe them', async t => {
  const search = await searchOver(t, [
    '70,Glass and glassware,زجاج ومصنوعاته,5,,,',
    '7001,Boats,قوارب,,,,',
    '700110,Boats,قوارب,,,paddle boats,',
    '7002,Paddles,مجاديف,,,,',
    '700210,Paddles,مجاديف,,,boat paddles,',
  ])
  t.equal(search('boat')[0]?.slice(0, 4), '7001')
  t.equal(search('paddle')[0]?.slice(0, 4), '7002')
})

t.test('a code is found in the usual notations, with words such as "HS code" before it', async t => {
  const search = await searchOver(t, GLASS)
  for (const query of ['hs 7013.22', 'HS701322', 'hs code: 7013 22', 'رمز 701322', 'بند ٧٠١٣٢٢'])
    t.equal(search(query)[0], '701322', query)
  t.equal(search('hs 9999'.padEnd(8, '9'))[0], undefined, 'a code that does not exist is not found')
})

t.test('a CAS number is one word', async t => {
  const search = await searchOver(t, [...TEA, '700230,Ethanol,إيثانول,,,64-17-5,'])
  t.strictSame(search('64-17-5'), ['700230', '7002'], 'the heading above is found as well')
  t.strictSame(search('ethanol 64-17-5')[0], '700230')
})

t.test('if no code has all the words, those with the rarest words come first', async t => {
  const search = await searchOver(t, GLASS)
  t.equal(search('crystal bathroom casserole')[0]?.slice(0, 2), '70')
  t.equal(search('wing mirrors bananarama')[0], '700910', 'an unknown word is ignored')
  t.strictSame(search('bananarama'), [])
})

t.test('unfinished and mistyped words are found, within limits on the number of mistakes', async t => {
  const search = await searchOver(t, GLASS)
  t.equal(search('casser')[0], '701310', 'an unfinished word is completed')
  t.equal(search('caserole')[0], '701310', 'one letter is missing')
  t.equal(search('cassreole')[0], '701310', 'two letters are swapped')
  t.equal(search('casserolle dsihes')[0], '701310')
  t.equal(search('bathrrooom')[0], '700991', 'two mistakes are allowed in a long word')
  t.strictSame(search('mirorz'), [], 'two mistakes in six letters are too many')
  t.strictSame(
    search('wnig').filter(code => code === '700910'),
    [],
    'no mistake is allowed in four letters',
  )
  t.strictSame(search('70099'), ['700991', '70099100', '700991000000'], 'digits are never corrected')
})

t.test('words are found whether they are joined, hyphenated or separate', async t => {
  const search = await searchOver(t, GLASS)
  t.equal(search('hourglass')[0], '701322')
  t.equal(search('note books')[0], '7013')
  t.equal(search('tshirts')[0], '701310')
  t.equal(search('t-shirts')[0], '701310')
})

t.test('Arabic words are found with articles, particles, other spellings of hamza, and next to English words', async t => {
  const search = await searchOver(t, GLASS)
  t.equal(search('المرايا الخلفية')[0], '700910')
  t.equal(search('مرآة حمام')[0], '700991')
  t.equal(search('أباريق')[0], '7013', 'a word is found even if it has a particle in the keywords')
  t.equal(search('كؤوس crystal')[0], '701322')
  t.equal(search('كاسات كرستال')[0], '701322', 'one letter is missing')
})

t.test('a code with a phrase equal to the query comes first, a heading before its subheadings', async t => {
  const search = await searchOver(t, GLASS)
  t.equal(search('drinking glasses')[0], '7013')
  t.equal(search('mirrors of glass')[0], '7009')
})

t.test('synonyms are found in both languages', async t => {
  const without = await searchOver(t, GLASS)
  t.strictSame(without('goblet'), [])
  const search = await searchOver(t, GLASS, 'terms\nwine glass; goblet; كأس نبيذ\n')
  t.equal(search('goblets')[0], '701322')
  t.equal(search('كأس نبيذ')[0], '701322')
})

t.test('a defect in the synonym file is reported', async t => {
  await t.rejects(searchOver(t, GLASS, 'words\na; b\n'), /header must be/)
  await t.rejects(searchOver(t, GLASS, 'terms\nalone\n'), /two words or more/)
  await t.rejects(searchOver(t, GLASS, 'terms\ncup; mug\nmug; beaker\n'), /is already in the group of line 2/)
})

t.test('hostile queries do not hang a search', async t => {
  const search = await searchOver(t, GLASS)
  for (const query of ['a* a* a*', 'ab '.repeat(66), 'mirror '.repeat(28), 'x'.repeat(200), 'ا'.repeat(200), '%_"\'()[]{}']) {
    const ms = await processorMs(() => search(query))
    t.ok(ms < HANG_MS, `"${query.slice(0, 20)}" took ${ms.toFixed(0)} ms`)
  }
})

/**
 * Codes whose descriptions match "vessel" strongly, less strongly or weakly. Ordered by score and code, the first JUDGED_MAX
 * codes are in heading 7001, except the last of them, which is in 7002. As the first of its heading, this code moves up when it
 * is judged.
 */
function vessels(): { rows: string[]; byScore: string[] } {
  const kinds = [
    (code: string) => `"Vessel, number ${code}"`,
    (code: string) => `"Vessel, of a plain kind number ${code}"`,
    (code: string) => `"Vessel, with many more words about its shape and colour and price number ${code}"`,
  ]
  const kindOf = (heading: number, n: number) => {
    if (heading === 7001) return n < 2 * (JUDGED_MAX - 1) ? n % 2 : 2
    return heading === 7002 ? Math.min(n, 2) : n % 3
  }
  const all = [7001, 7002, 7003].flatMap(heading =>
    Array.from({ length: 90 }, (_, n) => ({ code: `${heading}${n + 10}`, kind: kindOf(heading, n) })),
  )
  return {
    rows: [
      '70,Glass,زجاج,5,,,',
      '7001,Scrap,خردة,,,,',
      '7002,Balls,كرات,,,,',
      '7003,Sheets,ألواح,,,,',
      ...all.map(({ code, kind }) => `${code},${kinds[kind]?.(code)},وعاء رقم ${code},,,ware,`),
    ],
    byScore: kinds.flatMap((_, one) => all.filter(({ kind }) => kind === one).map(({ code }) => code)),
  }
}

t.test('pages do not overlap where the codes that are judged by their phrases end', async t => {
  const { rows, byScore } = vessels()
  const catalog = await catalogWith(t, rows)
  for (const [query, level, zeros, others] of [
    // the three headings come last, because only their subheadings contain the word
    ['vessels', 0, '', 3],
    ['vessels', 6, '', 0],
    ['ware vessels', 0, '', 3],
    ['ware vessels', 12, '000000', 0],
  ] as const) {
    const page = (offset: number, limit: number) => {
      const { records, total } = catalog.search.find(query, level, offset, limit)
      t.equal(total, byScore.length + others, `the total is the same for offset ${offset}`)
      return Array.from(records, record => catalog.records.code(record))
    }
    const whole = page(0, byScore.length + others)
    const expected = byScore.map(code => code + zeros)
    const [first, ...next] = expected.slice(0, JUDGED_MAX)
    t.strictSame(
      whole.slice(0, JUDGED_MAX),
      [first, next.at(-1), ...next.slice(0, -1)],
      'only the first JUDGED_MAX records are judged by their phrases',
    )
    t.strictSame(
      whole.slice(JUDGED_MAX, byScore.length),
      expected.slice(JUDGED_MAX),
      'the other records are ordered by score, then by code',
    )
    for (const limit of [7, 20, 50]) {
      const pages: string[] = []
      for (let offset = 0; offset < whole.length; offset += limit) pages.push(...page(offset, limit))
      t.strictSame(pages, whole, `pages of ${limit} equal the whole list`)
    }
    t.strictSame(page(JUDGED_MAX - 1, 2), whole.slice(JUDGED_MAX - 1, JUDGED_MAX + 1), 'the boundary is within a page')
    t.strictSame(page(JUDGED_MAX, 1), whole.slice(JUDGED_MAX, JUDGED_MAX + 1), 'the boundary is between two pages')
    t.strictSame(page(whole.length, 20), [], 'a page beyond the end is empty')
  }
})

t.test('the joined pages of a filtered search are exactly the unfiltered results that pass the filter', async t => {
  const { rows, byScore } = vessels()
  const { search } = await catalogWith(t, rows)
  const whole = search.find('vessels', 0, 0, 2 * byScore.length).records
  for (const passing of [whole.filter((_, i) => i % 3 === 0), whole.slice(JUDGED_MAX - 5)]) {
    const accepts = (record: number) => passing.includes(record)
    const filtered = search.find('vessels', 0, 0, whole.length, '', { accepts }).records
    t.strictSame(filtered.toSorted(), passing.toSorted())
    for (const limit of [7, 50]) {
      const pages: number[] = []
      for (let offset = 0; offset < passing.length; offset += limit)
        pages.push(...search.find('vessels', 0, offset, limit, '', { accepts }).records)
      t.strictSame(pages, filtered, `${passing.length} results in pages of ${limit}`)
    }
  }
})

t.test('joined pages equal one long page, even if only some of the codes with all words vote for their headings', async t => {
  const { search } = new Catalog(await shippedSnapshot())
  for (const query of ['cotton fabric', 'steel tubes', 'leather shoes', 'قماش قطن']) {
    const whole = search.find(query, 0, 0, 300).records
    const pages: number[] = []
    for (let offset = 0; offset < whole.length; offset += 20) pages.push(...search.find(query, 0, offset, 20).records)
    t.strictSame(pages, [...whole], query)
  }
})

t.test('a code with a phrase equal to the query is found first even if many codes have its words', async t => {
  const rows = ['70,Glass,زجاج,5,,,', '7001,Blue jugs and cups,أباريق وأكواب زرقاء,,,,']
  for (let n = 10; n < 90; n++) rows.push(`7001${n},"Jugs, blue, number ${n}","أباريق زرقاء رقم ${n}",,,cups in blue no ${n},`)
  const long = 'Sets of many things for the table and the kitchen of a house with a garden and a pond'
  rows.push('7002,Sheets,ألواح,,,,', `700210,${long},أطقم مائدة,,,jug cup; blue paper,`)
  const catalog = await catalogWith(t, rows)
  const codes = (query: string, level: number, offset: number, limit: number) =>
    Array.from(catalog.search.find(query, level, offset, limit).records, record => catalog.records.code(record))
  for (const query of ['jug cups', 'cups for jugs']) {
    const whole = codes(query, 0, 0, 200)
    t.ok(whole.slice(0, 20).includes('700210'), `"${query}" finds 700210 at position ${whole.indexOf('700210')}`)
    const singly = whole.map((_, i) => codes(query, 0, i, 1)[0])
    t.strictSame(singly, whole, 'pages neither overlap nor leave out codes')
  }
})

t.test('names of countries are searched for unless the query asks about an origin', async t => {
  const search = await searchOver(t, [
    '70,Glass,زجاج,5,,,',
    '7001,Plates of glass,ألواح زجاج,,,plates,',
    '7002,Sets,أطقم,,,china plates; turkey dishes,أطباق الصين',
    '7003,Dishes,أطباق,,,dishes,أطباق',
  ])
  t.equal(search('china plates')[0], '7002')
  t.equal(search('dishes turkey')[0], '7002')
  t.equal(search('أطباق الصين')[0], '7002')
  t.equal(search('plates from china')[0], '7001', '"china" is an origin after "from"')
  t.equal(search('I want to import plates, china')[0], '7001', '"china" is an origin in a sentence about importing')
  t.equal(search('أريد أطباق الصين')[0], '7003')
  t.equal(search('turkey')[0], '7002', 'if the query is only a country name, it is searched for')
  t.equal(search('china turkey')[0], '7002', 'if the query is only country names, they are searched for')
})

t.test(
  'a query that is a synonym first finds the goods that its synonyms name; codes that only mention the goods follow',
  async t => {
    const rows = [
      '70,Glass and glassware,زجاج ومصنوعاته,5,,,',
      '7001,Telephones,هواتف,,,,',
      '700110,Telephones for networks without wires,هواتف للشبكات اللاسلكية,,,mobile phones,',
      '7002,Covers,أغطية,,,,',
      '700210,Covers of glass,أغطية من زجاج,,,mobile phone covers; covers for a mobile phone,',
    ]
    const search = await searchOver(t, rows, 'terms\nmobile phone; handphone')
    t.equal(search('handphone')[0], '700110')
    t.ok(search('handphone').includes('700210'), 'a code that only mentions the word comes later')
  },
)

t.test('the words before brackets are a phrase only if the description ends after the brackets', async t => {
  const search = await searchOver(t, [
    '70,Glass and glassware,زجاج ومصنوعاته,5,,,',
    '700110,Chips (splinters) of marble,رقائق رخام,,,,',
    '700120,Wafers and chips for cooking,رقائق طبخ,,,,',
    '700130,Chips (thin wafers),رقائق رفيعة,,,,',
  ])
  t.equal(search('chips')[0], '700130')
})

const MATERIALS = 'hs_code,terms\n7013,glass; crystal; زجاج\n7009,lead'

t.test('a query with a material also finds the catch-all code of this material', async t => {
  const search = await searchOver(t, GLASS, undefined, MATERIALS)
  const without = await searchOver(t, GLASS)
  t.notOk(without('casserole dishes, lead').includes('7009'))
  t.ok(search('casserole dishes, lead').includes('7009'))
  t.equal(search('casserole dishes, lead')[0], '701310', 'the catch-all code does not come before a code with more of the words')
  t.equal(search('bathroom mirrors, glass')[0], '700991', 'a code that has all the words stays first')
  t.equal(search('glass')[0], without('glass')[0], 'if the query is only a material, the first result does not change')
})

t.test('pages neither overlap nor leave out codes if a material adds its catch-all code', async t => {
  const catalog = await catalogWith(t, GLASS, undefined, MATERIALS)
  const codes = (offset: number, limit: number) => {
    const { records, total } = catalog.search.find('wing mirrors crystal', 0, offset, limit)
    return { total, codes: Array.from(records, record => catalog.records.code(record)) }
  }
  const { total, codes: all } = codes(0, 50)
  t.equal(all.length, total)
  t.equal(new Set(all).size, total, 'no code occurs twice')
  t.strictSame(
    all.map((_, i) => codes(i, 1).codes[0]),
    all,
  )
  t.ok(all.includes('7013'))
})
