import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Catalog } from '../../src/catalog/catalog.js'
import { FIXTURE, fixtureSnapshot, temporaryDirectory } from '../support/service.js'

const HEADER = 'hs_code,description_en,description_ar,tariff_rate,is_active,keywords_en,keywords_ar'

/** A catalog of the given rows beside the fixture's, and optionally of synonyms. */
async function catalogOf(t: Test, rows: string[], synonyms?: string): Promise<(query: string) => string[]> {
  const directory = temporaryDirectory(t)
  cpSync(FIXTURE, directory, { recursive: true })
  writeFileSync(join(directory, 'chapters', '70.csv'), [HEADER, ...rows].join('\n'))
  if (synonyms !== undefined) writeFileSync(join(directory, 'synonyms.csv'), synonyms)
  const catalog = new Catalog(await fixtureSnapshot(directory))
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

t.test('all words are required where some code has them all', async t => {
  const search = await catalogOf(t, GLASS)
  t.strictSame(search('bathroom mirrors'), ['700991'])
  t.strictSame(search('mirrors for bathroom'), ['700991'], 'linking words do not count')
})

t.test('otherwise the codes with the most telling words come first', async t => {
  const search = await catalogOf(t, GLASS)
  t.equal(search('crystal bathroom casserole')[0]?.slice(0, 2), '70')
  t.equal(search('wing mirrors bananarama')[0], '700910', 'an unknown word is left out')
  t.strictSame(search('bananarama'), [])
})

t.test('whole words before unfinished ones before typing mistakes', async t => {
  const search = await catalogOf(t, GLASS)
  t.equal(search('casser')[0], '701310', 'unfinished')
  t.equal(search('caserole')[0], '701310', 'one letter missing')
  t.equal(search('cassreole')[0], '701310', 'two letters swapped')
  t.equal(search('casserolle dsihes')[0], '701310')
  t.equal(search('bathrrooom')[0], '700991', 'two mistakes in nine letters')
  t.strictSame(search('mirorz'), [], 'two mistakes in six letters are too many')
  t.strictSame(
    search('wnig').filter(code => code === '700910'),
    [],
    'none is forgiven in four letters',
  )
  t.strictSame(search('70099'), ['700991', '70099100', '700991000000'], 'never in digits')
})

t.test('words run together or apart', async t => {
  const search = await catalogOf(t, GLASS)
  t.equal(search('hourglass')[0], '701322')
  t.equal(search('note books')[0], '7013')
  t.equal(search('tshirts')[0], '701310')
  t.equal(search('t-shirts')[0], '701310')
})

t.test('Arabic with article, particle, loose hamza and mixed script', async t => {
  const search = await catalogOf(t, GLASS)
  t.equal(search('المرايا الخلفية')[0], '700910')
  t.equal(search('مرآة حمام')[0], '700991')
  t.equal(search('أباريق')[0], '7013', 'under a particle in the text')
  t.equal(search('كؤوس crystal')[0], '701322')
  t.equal(search('كاسات كرستال')[0], '701322', 'one letter missing')
})

t.test('a phrase that is the query comes first, the broader code before the narrower', async t => {
  const search = await catalogOf(t, GLASS)
  t.equal(search('drinking glasses')[0], '7013')
  t.equal(search('mirrors of glass')[0], '7009')
})

t.test('synonyms find in both languages', async t => {
  const without = await catalogOf(t, GLASS)
  t.strictSame(without('goblet'), [])
  const search = await catalogOf(t, GLASS, 'terms\nwine glass; goblet; كأس نبيذ\n')
  t.equal(search('goblets')[0], '701322')
  t.equal(search('كأس نبيذ')[0], '701322')
})

t.test('a defective synonym file is told', async t => {
  await t.rejects(catalogOf(t, GLASS, 'words\na; b\n'), /header must be/)
  await t.rejects(catalogOf(t, GLASS, 'terms\nalone\n'), /two words or more/)
  await t.rejects(
    catalogOf(t, GLASS, 'terms\ncup; mug\nmug; beaker\n'),
    /stands already in the group of line 2/,
  )
})

t.test('hostile queries end', async t => {
  const search = await catalogOf(t, GLASS)
  for (const query of [
    'a* a* a*',
    'ab '.repeat(66),
    'mirror '.repeat(28),
    'x'.repeat(200),
    'ا'.repeat(200),
    '%_"\'()[]{}',
  ]) {
    t.ok(Array.isArray(search(query)), query.slice(0, 20))
  }
})
