/** What the pages say, in both languages: every text is there, and texts that tell numbers or codes have them in. */
import t from 'tap'
import { adminStrings } from '../../src/web/page/admin/strings.js'
import { docsStrings, LANGS, shellStrings, strings } from '../../src/web/page/strings.js'
import { repairStrings } from '../../src/web/page/views/check-strings.js'
import { classifyStrings } from '../../src/web/page/views/classify-strings.js'

type Told = (...values: (number | string)[]) => string

const TABLES = [strings, shellStrings, docsStrings, classifyStrings, repairStrings, adminStrings]
const entries = (lang: 'en' | 'ar') => TABLES.flatMap(table => Object.entries(table[lang])) as [string, string | Told][]
/** Arabic counts by one, two, few, many and hundreds. */
const NUMBERS = [0, 1, 2, 3, 7, 11, 60, 99, 100, 102, 3600, 12_345]

t.test('both languages say the same things', async t => {
  for (const { en, ar } of TABLES) t.strictSame(Object.keys(ar).sort(), Object.keys(en).sort())
  for (const lang of LANGS)
    for (const [name, text] of entries(lang)) if (typeof text === 'string') t.not(text.trim(), '', `${lang} ${name}`)
})

t.test('texts in Arabic are in Arabic', async t => {
  const latin = entries('ar').filter(([, text]) => typeof text === 'string' && !/\p{Script=Arabic}/u.test(text))
  // names, signs and examples
  t.ok(latin.length < 15, latin.map(([name]) => name).join())
})

t.test('a text that tells a number is a sentence for every number', async t => {
  for (const lang of LANGS)
    for (const [name, told] of entries(lang)) {
      // some entries are lists and tables of texts
      if (typeof told !== 'function') continue
      for (const n of NUMBERS) {
        const text = told(n, 2 * n)
        t.ok(text.length > 1, `${lang} ${name}(${n}): ${text}`)
        t.notMatch(text, /undefined|NaN|null|\[object/, `${lang} ${name}(${n})`)
      }
    }
})

t.test('a number is told in digits that the API takes', async t => {
  t.match(strings.ar.results(12_345), /12,345|12345/)
  t.match(strings.en.shownOf(20, 157), /20 of 157/)
  t.match(strings.ar.onlyIn('0902'), '0902')
})
