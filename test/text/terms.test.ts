import t from 'tap'
import { fold, words } from '../../src/text/fold.js'
import { STEMMER } from '../support/words.js'

/** Tests that several forms of a word have the same terms. */
const same = (name: string, ...forms: string[]) =>
  t.test(`the same terms: ${name}`, async t => {
    const [first = '', ...others] = forms
    for (const other of others) t.strictSame(STEMMER.terms(other), STEMMER.terms(first), `${other} has the terms of ${first}`)
  })

same('hamza forms', 'أجهزة', 'اجهزة', 'إجهزة', 'ٱجهزة')
same('alef maqsura and yaa', 'مستشفى', 'مستشفي')
same('taa marbuta and haa', 'سيارة', 'سياره')
same('vowel marks', 'عطر', 'عِطْر', 'عُطُر')
same('tatweel', 'لحوم', 'لحـــوم')
same('the article, also with particles', 'سيارات', 'السيارات', 'والسيارات', 'بالسيارات', 'للسيارات')
same('plural endings', 'سيارة', 'سيارات')
same('feminine dual', 'سيارة', 'سيارتان', 'سيارتين')
same('attached pronoun', 'سيارة', 'سياراتها'.replace('ات', ''))
same('broken plurals', 'هاتف', 'هواتف', 'الهواتف')
same('broken plurals of vessels and parts', 'فنجان', 'فناجين', 'الفناجين')
same('broken plurals with a hamza', 'عمود', 'أعمدة')
same('broken plurals of three letters', 'ترس', 'تروس')
same('broken plurals with a plural ending', 'عطر', 'عطور', 'عطورات')
same('Arabic-Indic digits', '12 قطعة', '١٢ قطعة', '۱۲ قطعة')
same('Persian letters', 'كتب', 'کتب')
same('presentation forms', 'لا', 'ﻻ')
same('English case and accents', 'cafe', 'CAFÉ', 'Café')
same('English plurals', 'box', 'boxes')
same('plurals of words in -y', 'battery', 'batteries')
same('irregular plurals', 'knife', 'knives')
same('British and American spellings', 'aluminum tires', 'aluminium tyres')
same('endings in -ise', 'organized', 'organised')
same('the spellings sulfate and sulphate', 'sulfate', 'sulphates')
same("singular and plural, with and without 's", "men's shirt", 'men shirts', "men's shirts")
same('apostrophes', 'mens shirts', "men's shirts", 'men’s shirts')
same('invisible characters', 'cotton shirts', 'cot\u00adton\u200b shirts\u200f', '\u202acotton \ufeffshirts\u202c')
same('hyphens', 't shirt', 't-shirt')

t.test('different words have different terms', async t => {
  for (const [a, b] of [
    ['glass', 'gla'],
    ['bus', 'bu'],
    ['gas', 'ga'],
    ['مكتب', 'كتاب'],
    ['لبن', 'بن'],
    ['زيتون', 'زيت'],
    ['عدسة', 'عدس'],
    ['زبادي', 'زباد'],
    ['رمان', 'رم'],
    ['شاحنات', 'شاحن'],
    ['طابعة', 'طابع'],
    ['بلاتين', 'بلا'],
    ['lens', 'len'],
  ] as const) {
    t.not(STEMMER.stem(fold(a)), STEMMER.stem(fold(b)), `${a} and ${b} have different terms`)
  }
})

t.test('stemWithoutParticle returns the stem of a word without its one-letter particle', async t => {
  t.equal(STEMMER.stemWithoutParticle(fold('وفواكه')), STEMMER.stem(fold('فواكه')))
  t.equal(STEMMER.stemWithoutParticle(fold('لصناعة')), STEMMER.stem(fold('صناعة')))
  t.equal(STEMMER.stemWithoutParticle('and'), '')
})

t.test('a text with several scripts and numbers is split into words', async t => {
  t.strictSame(words('USB كابل 2.5m'), ['usb', 'كابل', '2.5', 'm'])
  t.strictSame(words('---'), [])
})

t.test('otherForms returns the broken plurals of a singular, and the singular of a broken plural', async t => {
  t.ok(STEMMER.otherForms('هاتف').includes('هواتف'))
  t.strictSame(STEMMER.otherForms('هواتف'), ['هاتف'])
  t.ok(STEMMER.otherForms(fold('خضرة')).length > 2)
  t.strictSame(STEMMER.otherForms('سياره'), [])
})

t.test('ASCII text is folded in the same way alone and in a text with other letters', async t => {
  for (const text of ['Smart TVs, 55" (LED)', "men's SHIRTS", 'CAS 64-17-5 `x`', '[A]_{b}~|^@#$%&*+<=>?!;:/\\'])
    t.equal(fold(`${text}é`), `${fold(text)}e`)
})
