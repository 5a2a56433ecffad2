import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { Catalog } from '../../src/catalog/catalog.js'
import { STEPS_MAX } from '../../src/catalog/search/steps.js'
import { type Language, normalised } from '../../src/catalog/suggest.js'
import { Best, RANGE_SCANNED_MAX } from '../../src/catalog/suggest-best.js'
import { SUGGEST_LIMIT_MAX } from '../../src/limits.js'
import { catalogOf, FIXTURE, fixtureSnapshot, temporaryDirectory } from '../support/service.js'
import { STEMMER } from '../support/words.js'
import { costliestSuggestion } from './costliest-suggestion.js'

const HEADER = 'hs_code,description_en,description_ar,tariff_rate,is_active,keywords_en,keywords_ar'

const GOODS = [
  '70,Drinks and vessels,مشروبات وأوان,5,,drinks; teapots,مشروبات',
  '7001,"Tea, flavoured or not",شاي بأنواعه,,,tea leaves,شاي',
  '700110,Green tea,شاي أخضر,,,green tea; sencha tea; green teas; café tea,شاي أخضر; شاي صيني',
  '700120,Black tea,شاي أسود,,,"black tea; tea bags; tea, in bulk; earl grey tea; ceylon tea; iced tea",شاي أسود; أكياس شاي',
  '7002,Portable computers,حواسيب محمولة,,,laptops,حواسيب محمولة; لابتوب',
  '700210,Laptops for games,حواسيب ألعاب,,,laptop; gaming laptops; laptop; lap "tops",حواسيب ألعاب',
  '700220,Laptops for schools,حواسيب مدارس,,,laptops; school laptops; e-readers,هواتف ذكية; سيارة أطفال',
  '7003,Amines,أمينات,,,,',
  '700310,Triethanolamine,ثلاثي إيثانول أمين,,,tea; lapachol; 102-71-6,',
  '700320,Old amines,أمينات قديمة,,false,laputa amines,',
  '7004,"Narrow, woven",ضيقة منسوجة,,,ribbons; t-shirts; سجاد,carpets; سجاد',
].map(row => row.replace('lap "tops"', 'lap tops'))

async function catalogWith(t: Test, rows: string[]): Promise<Catalog> {
  const directory = temporaryDirectory(t)
  cpSync(FIXTURE, directory, { recursive: true })
  writeFileSync(join(directory, 'chapters', '70.csv'), [HEADER, ...rows].join('\n'))
  return catalogOf(directory)
}

function suggestionsOf({ suggest, records }: Catalog) {
  return (text: string, limit = 10, language?: Language) => {
    const { phrases, count } = suggest.find(text, limit, language)
    return Array.from(phrases.subarray(0, count), phrase => ({
      text: suggest.text(phrase),
      code: records.code(suggest.record(phrase)),
    }))
  }
}

const textsOf = (catalog: Catalog) => {
  const suggestions = suggestionsOf(catalog)
  return (typed: string, limit?: number, language?: Language) => suggestions(typed, limit, language).map(({ text }) => text)
}

t.test('the best-known goods come first, with their code', async t => {
  const suggestions = suggestionsOf(await catalogWith(t, GOODS))
  t.strictSame(suggestions('te')[0], { text: 'tea', code: '7001' }, 'the code of the amine with this name does not come first')
  t.strictSame(suggestions('lap')[0], { text: 'laptops', code: '7002' }, 'the code is the heading, not one of its subheadings')
  t.strictSame(suggestions('green t')[0], { text: 'green tea', code: '700110' })
  t.strictSame(suggestions('102-71')[0], { text: '102-71-6', code: '700310' })
})

t.test('phrases that start with the typed text come before those in which a later word does', async t => {
  const texts = textsOf(await catalogWith(t, GOODS))
  const found = texts('tea', 20)
  const isFirst = found.map(text => normalised(text).startsWith('tea'))
  t.ok(found.includes('green tea'))
  t.ok(found.includes('tea bags'))
  t.strictSame(
    isFirst,
    [...isFirst].sort((a, b) => Number(b) - Number(a)),
  )
})

t.test('no two suggestions differ only in the forms of their words', async t => {
  const texts = textsOf(await catalogWith(t, GOODS))
  for (const typed of ['lap', 'tea', 'gre', 't', 'l', 'شا', 'حوا']) {
    const found = texts(typed, 20)
    const terms = found.map(text => STEMMER.terms(text).join(''))
    t.equal(new Set(terms).size, found.length, `"${typed}" suggests ${found.join(', ')}`)
  }
  t.strictSame(texts('laptops')[0], 'laptops', 'a whole typed word is suggested in the form in which it was typed')
})

t.test('a phrase that matches at its start and again in a later word is suggested once', async t => {
  const found = textsOf(await catalogWith(t, [...GOODS, '700130,Sets for drinks,أطقم مشروبات,,,teapot and teacup sets,']))(
    'tea',
    20,
  )
  t.equal(found.filter(text => text === 'teapot and teacup sets').length, 1, found.join(', '))
})

t.test('Best keeps the phrases that a full sort puts first, one from each group of phrases that read alike', async t => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(255), fc.nat(60)), { minLength: 1, maxLength: 120, size: 'max' }), rows => {
      const weight = Uint8Array.from(rows, ([w]) => w)
      const groups = Uint32Array.from(rows, (_, i) => i % 97)
      const best = new Best(weight, groups)
      for (const i of rows.keys()) best.offer(i)
      const order = [...rows.keys()].sort((a, b) => (weight[b] as number) - (weight[a] as number) || a - b)
      const seen = new Set<number>()
      const expected = order.filter(i => {
        const group = groups[i] as number
        return !seen.has(group) && seen.add(group)
      })
      const found = Array.from(best.phrases.subarray(0, Math.min(best.count, SUGGEST_LIMIT_MAX)))
      return found.every((phrase, i) => weight[phrase] === weight[expected[i] as number])
    }),
  )
  const best = new Best(Uint8Array.of(5, 5, 7, 7), Uint32Array.of(0, 1, 1, 2))
  for (const phrase of [0, 1, 2, 3]) best.offer(phrase)
  t.strictSame(Array.from(best.phrases.subarray(0, best.count)), [2, 3, 0])
  t.ok(best.hasDuplicate(1))
})

t.test('phrases of inactive codes and bare adjectives are not suggested', async t => {
  const texts = textsOf(await catalogWith(t, GOODS))
  t.notOk(texts('laput').some(text => text.startsWith('laputa')))
  t.strictSame(texts('narrow'), [])
})

t.test('the spelling of hamza and taa marbuta, diacritics, articles and accents do not change the suggestions', async t => {
  const texts = textsOf(await catalogWith(t, GOODS))
  t.strictSame(texts('أكي'), texts('اكي'))
  t.strictSame(texts('شَا'), texts('شا'))
  t.equal(texts('سياره')[0], 'سيارة أطفال')
  t.equal(texts('الشا')[0], 'شاي')
  t.equal(texts('هاتف ذ')[0], 'هواتف ذكية', 'a broken plural is found by its singular')
  t.equal(texts('CAFE')[0], 'café tea')
})

t.test('hyphens may be typed or left out', async t => {
  const texts = textsOf(await catalogWith(t, GOODS))
  for (const typed of ['t-sh', 't sh', 'tsh', 'T-SHIRTS']) t.strictSame(texts(typed), ['t-shirts'], typed)
})

t.test('typing mistakes are corrected if no phrase starts with the typed text', async t => {
  const texts = textsOf(await catalogWith(t, GOODS))
  t.equal(texts('labtop')[0], 'laptops')
  t.equal(texts('labto')[0], 'laptops', 'a mistake in an unfinished word is corrected')
  t.equal(texts('lpato')[0], 'laptops', 'two swapped letters are corrected')
  t.equal(texts('gaming labtop')[0], 'gaming laptops')
  t.equal(texts('gamming lapt')[0], 'gaming laptops', 'a mistake in an earlier word is corrected')
  t.equal(texts('greentea')[0], 'green tea', 'two joined words are split')
  t.equal(texts('لابتزب')[0], 'لابتوب')
  t.strictSame(texts('zzzzzz'), [])
  t.strictSame(texts('102719'), [], 'digits are never corrected')
})

t.test('words are found in any order, and unknown words are ignored', async t => {
  const texts = textsOf(await catalogWith(t, GOODS))
  t.equal(texts('tea gre')[0], 'green tea')
  t.equal(texts('bags for tea')[0], 'tea bags')
  t.equal(texts('qqqqqq lap')[0], 'laptops', 'an unknown word is ignored')
  t.strictSame(texts('zzzzzz qqqqqq'), [])
})

t.test('suggestions are in the language of the typed text, or in the requested one', async t => {
  const texts = textsOf(await catalogWith(t, GOODS))
  const isArabic = (text: string) => /[\u0600-\u06ff]/.test(text)
  t.ok(texts('شا').every(isArabic))
  t.notOk(texts('t').some(isArabic))
  t.strictSame(texts('tea', 10, 'ar'), [])
  t.strictSame(texts('شا', 10, 'en'), [])
  t.strictSame(texts('carpets', 10, 'ar'), [], 'English text in the Arabic keywords is not suggested as Arabic')
  t.strictSame(texts('%', 10), [])
})

t.test('a shorter list is the start of a longer one, and the same text always gets the same list', async t => {
  const texts = textsOf(await catalogWith(t, GOODS))
  for (const typed of ['t', 'tea', 'lap', 'labtop', 'شا', 'tea gre']) {
    const all = texts(typed, SUGGEST_LIMIT_MAX)
    for (const limit of [1, 2, 5, 10]) t.strictSame(texts(typed, limit), all.slice(0, limit), typed)
  }
})

/** Rows with more phrases of one prefix than are scanned for suggestions. */
const MANY = [
  '70,Glass,زجاج,5,,,',
  ...Array.from({ length: 40 }, (_, heading) => {
    const code = 7001 + heading
    const keywords = Array.from(
      { length: 12 },
      (_, n) => `vessel${String.fromCharCode(97 + (heading % 26))} ware${heading * 12 + n}`,
    )
    return `${code},Vessels of kind ${code},أوعية ${code},,,${keywords.join('; ')},`
  }),
]

t.test('a prefix that very many phrases share takes a bounded number of steps and still gets the best suggestions', async t => {
  const catalog = await catalogWith(t, MANY)
  const texts = textsOf(catalog)
  t.ok(MANY.length * 12 > RANGE_SCANNED_MAX)
  t.equal(texts('v', 20).length, 20)
  t.ok(catalog.suggest.steps < RANGE_SCANNED_MAX * 2, `the suggestions took ${catalog.suggest.steps} steps`)
  t.strictSame(texts('v', 20), texts('vessel', 20))
  t.ok(texts('ware', 20).every(text => text.includes(' ware')))
  t.ok(catalog.suggest.steps < RANGE_SCANNED_MAX * 2, `the suggestions took ${catalog.suggest.steps} steps`)
})

t.test('if one suggestion contains the typed text, all suggestions do', async t => {
  const catalog = await catalogWith(t, [...GOODS, ...MANY.slice(5)])
  const { suggest } = catalog
  const all = GOODS.flatMap(row => row.split(/[,;]/)).map(part => normalised(part))
  const texts = textsOf(catalog)
  const suggested = all.filter(text => text !== '' && texts(text, 1).length > 0)
  fc.assert(
    fc.property(fc.constantFrom(...suggested), fc.nat(30), fc.nat(8), (text, length, from) => {
      const words = text.split(' ')
      const start = words.slice(from % words.length).join(' ')
      const typed = start.slice(0, 1 + (length % start.length)).trim()
      const found = texts(typed, 20).map(suggestion => [
        ` ${normalised(suggestion)}`,
        ` ${normalised(suggestion.replaceAll('-', ''))}`,
      ])
      const isExact = found.some(forms => forms.some(form => form.includes(` ${typed}`)))
      return !isExact || found.every(forms => forms.some(form => form.includes(` ${typed}`)))
    }),
    { numRuns: 500 },
  )
  t.ok(suggest.steps > 0)
})

t.test('suggestions for any text take a bounded number of steps', async t => {
  const snapshot = await fixtureSnapshot()
  const { suggest } = new Catalog(snapshot)
  const { text, steps } = costliestSuggestion(suggest, snapshot.vocabulary, 7)
  t.ok(steps <= STEPS_MAX, `"${text}" took ${steps} steps`)
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60, size: 'max' }), fc.integer({ min: 1, max: 20 }), (q, limit) => {
      return suggest.find(q, limit).count <= limit && suggest.steps <= STEPS_MAX
    }),
  )
})
