import t from 'tap'
import { fold, words } from '../../src/text/fold.js'
import { STEMMER } from '../support/words.js'

const same = (name: string, ...forms: string[]) =>
  t.test(name, async t => {
    const [first = '', ...others] = forms
    for (const other of others) t.strictSame(STEMMER.terms(other), STEMMER.terms(first), `${other} = ${first}`)
  })

same('hamza forms', 'أجهزة', 'اجهزة', 'إجهزة', 'ٱجهزة')
same('alef maqsura and yaa', 'مستشفى', 'مستشفي')
same('taa marbuta and haa', 'سيارة', 'سياره')
same('harakat', 'عطر', 'عِطْر', 'عُطُر')
same('tatweel', 'لحوم', 'لحـــوم')
same('the article', 'سيارات', 'السيارات', 'والسيارات', 'بالسيارات', 'للسيارات')
same('plural endings', 'سيارة', 'سيارات')
same('feminine dual', 'سيارة', 'سيارتان', 'سيارتين')
same('attached pronoun', 'سيارة', 'سياراتها'.replace('ات', ''))
same('broken plurals', 'هاتف', 'هواتف', 'الهواتف')
same('broken plurals of vessels and parts', 'فنجان', 'فناجين', 'الفناجين')
same('broken plurals with a hamza', 'عمود', 'أعمدة')
same('broken plurals of three letters', 'ترس', 'تروس')
same('broken plurals with an ending of their own', 'عطر', 'عطور', 'عطورات')
same('Arabic-Indic digits', '12 قطعة', '١٢ قطعة', '۱۲ قطعة')
same('Persian letters', 'كتب', 'کتب')
same('presentation forms', 'لا', 'ﻻ')
same('English case and accents', 'cafe', 'CAFÉ', 'Café')
same('English plurals', 'box', 'boxes')
same('y plurals', 'battery', 'batteries')
same('irregular plurals', 'knife', 'knives')
same('British and American', 'aluminum tires', 'aluminium tyres')
same('endings in -ise', 'organized', 'organised')
same('sulphates', 'sulfate', 'sulphates')
same('people', "men's shirt", 'men shirts', "men's shirts")
same('apostrophes', 'mens shirts', "men's shirts", 'men’s shirts')
same('characters that nobody sees', 'cotton shirts', 'cot\u00adton\u200b shirts\u200f', '\u202acotton \ufeffshirts\u202c')
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
    t.not(STEMMER.stem(fold(a)), STEMMER.stem(fold(b)), `${a} ≠ ${b}`)
  }
})

t.test('a word is also found without its one-letter particle', async t => {
  t.equal(STEMMER.stemUnderParticle(fold('وفواكه')), STEMMER.stem(fold('فواكه')))
  t.equal(STEMMER.stemUnderParticle(fold('لصناعة')), STEMMER.stem(fold('صناعة')))
  t.equal(STEMMER.stemUnderParticle('and'), '')
})

t.test('mixed scripts and numbers split into words', async t => {
  t.strictSame(words('USB كابل 2.5m'), ['usb', 'كابل', '2.5', 'm'])
  t.strictSame(words('---'), [])
})

t.test('broken plurals and their singulars lead to each other', async t => {
  t.ok(STEMMER.otherForms('هاتف').includes('هواتف'))
  t.strictSame(STEMMER.otherForms('هواتف'), ['هاتف'])
  t.ok(STEMMER.otherForms(fold('خضرة')).length > 2)
  t.strictSame(STEMMER.otherForms('سياره'), [])
})

t.test('ASCII text is folded in the same way as in a text with other letters', async t => {
  for (const text of ['Smart TVs, 55" (LED)', "men's SHIRTS", 'CAS 64-17-5 `x`', '[A]_{b}~|^@#$%&*+<=>?!;:/\\'])
    t.equal(fold(`${text}é`), `${fold(text)}e`)
})
