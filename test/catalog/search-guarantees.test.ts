/** Tests guarantees of every search that do not depend on the ranking. */
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Catalog } from '../../src/catalog/catalog.js'
import { HANG_MS, processorMs } from '../support/processor-time.js'
import { catalogOf, FIXTURE, fixtureCatalog, shippedSnapshot, temporaryDirectory } from '../support/service.js'

const HEADER = 'hs_code,description_en,description_ar,tariff_rate,is_active,keywords_en,keywords_ar'

/** Builds a catalog from the fixture and the given rows. */
async function catalogWith(t: Test, rows: string[]): Promise<Catalog> {
  const directory = temporaryDirectory(t)
  cpSync(FIXTURE, directory, { recursive: true })
  writeFileSync(join(directory, 'chapters', '70.csv'), [HEADER, ...rows].join('\n'))
  return catalogOf(directory)
}

t.test('words such as "HS code" before a code are ignored, with or without a space', async t => {
  const { search, records } = await fixtureCatalog()
  for (const query of [
    ...['hscode852321', 'HS-Code no. 852321', 'codes 8523.21', 'HTS code: 8523 21', 'hs hs codesubheading 852321'],
    ...['كود رقم 852321', 'رمز النظام المنسق: ٨٥٢٣٢١', 'بند التعرفة 852321'],
  ]) {
    const { records: found, total } = search.find(query, 6, 0, 5)
    t.strictSame([total, ...Array.from(found, record => records.code(record))], [1, '852321'], query)
  }
})

t.test('many repetitions of "hs code" do not hang a search', async t => {
  const { search } = await fixtureCatalog()
  for (const query of [`${'hscode'.repeat(25)}x1`, `${'hs code '.repeat(20)}x1`, `hs ${'1. '.repeat(60)}x1`]) {
    const ms = await processorMs(() => search.find(query, 0, 0, 50))
    t.ok(ms < HANG_MS, `"${query.slice(0, 20)}" took ${ms.toFixed(0)} ms`)
  }
})

t.test('earlier queries do not change a result', async t => {
  const rows = ['70,Glass,زجاج,5,,,', '7001,Blue jugs and cups,أباريق وأكواب زرقاء,,,,']
  for (let n = 10; n < 90; n++) rows.push(`7001${n},"Jugs, blue, number ${n}","أباريق زرقاء رقم ${n}",,,cups in blue no ${n},`)
  const long = 'Sets of many things for the table and the kitchen of a house with a garden and a pond'
  rows.push('7002,Sheets,ألواح,,,,')
  const phrases = ['blue jug; cup paper', 'jug cup; blue paper', 'blue cup; jug paper']
  phrases.forEach((keywords, i) => {
    for (const n of [1, 2]) rows.push(`7002${i + 1}${n},${long},أطقم مائدة ${i}${n},,,${keywords},`)
  })
  const catalog = await catalogWith(t, rows)
  const codes = (query: string) =>
    Array.from(catalog.search.find(query, 0, 0, 200).records, record => catalog.records.code(record))
  const queries = ['jug cups', 'blue jugs', 'blue cups', 'jugs', 'blue cups and jugs']
  const expected = new Map(queries.map(query => [query, codes(query)]))
  t.ok(expected.get('jug cups')?.slice(0, 20).includes('700221'))
  for (const before of queries)
    for (const query of queries) {
      codes(before)
      t.strictSame(codes(query), expected.get(query), `"${query}" after "${before}"`)
    }
  const { records } = catalog.search.find('blue jugs', 0, 0, 20)
  const matched = catalog.search.matchedPhrases('blue jugs', records)
  for (const before of queries)
    for (const query of queries) {
      catalog.search.matchedPhrases(before, records)
      t.strictSame(codes(query), expected.get(query), `"${query}" after the matching names of "${before}" were found`)
    }
  t.strictSame(
    catalog.search.matchedPhrases('blue jugs', records),
    matched,
    'earlier queries do not change the matching names either',
  )
})

t.test('earlier queries do not change a result for lines, whose scores depend on the codes above them', async t => {
  const catalog = new Catalog(await shippedSnapshot())
  const codes = (query: string) =>
    Array.from(catalog.search.find(query, 12, 0, 20).records, record => catalog.records.code(record))
  const queries = ['fish landing nets', 'wire rod mills', 'tie-down straps, textile']
  const first = new Map(queries.map(query => [query, codes(query)]))
  for (const before of ['fish', 'nets', 'fish hooks', 'wire', 'rod mills', 'mills', 'straps', 'textile', 'landing'])
    catalog.search.find(before, 0, 0, 20)
  for (const query of queries) t.strictSame(codes(query), first.get(query), query)
})

t.test('a search within a code does not find the codes above it', async t => {
  const catalog = await catalogWith(t, [
    '70,Beer and other drinks,جعة ومشروبات,5,,,',
    '7001,Beer made from malt,جعة من الشعير,,,,',
    '700100,Beer made from malt,جعة من الشعير,,,,',
    '70010010,Beer in cans,جعة معلبة,,,,',
    '70010090,Beer in bottles,جعة في قوارير,,,,',
  ])
  const codes = (query: string, within: string, level = 0) =>
    Array.from(catalog.search.find(query, level, 0, 50, within).records, record => catalog.records.code(record)).sort()
  t.strictSame(codes('beer', '700100'), ['700100', '70010010', '70010090'])
  t.strictSame(codes('beer', '7001'), ['7001', '700100', '70010010', '70010090'])
  t.strictSame(codes('beer', '700100', 4), [])
  t.notOk(codes('7001', '700100').includes('7001'), 'a search for the digits of the code above does not find it either')
})

t.test('earlier queries do not change a result in the shipped dataset', async t => {
  const { search, records } = new Catalog(await shippedSnapshot())
  const materials = ['plastic', 'steel', 'rubber', 'wood', 'glass', 'paper', 'leather', 'aluminium']
  const queries = Array.from({ length: 400 }, (_, i) => {
    const words = records.description(i * 70).en.split(/[^A-Za-z]+/)
    return `${words.slice(i % 2, 2 + (i % 3)).join(' ')} ${materials[i % materials.length]}${i % 5 === 0 ? ' ab' : ''}`
  })
  const found = (query: string) => Array.from(search.find(query, 0, 0, 40).records).join()
  const first = queries.map(found)
  const again = queries.toReversed().map(found).toReversed()
  t.strictSame(
    queries.filter((_, i) => first[i] !== again[i]),
    [],
  )
})
