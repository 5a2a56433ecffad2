/** The texts of the pages in both languages: none is missing, and texts with numbers or codes contain them. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { LANGS, strings } from '../../src/web/app/text/strings.js'
import { ROOT } from '../support/cli.js'

type Told = (...values: (number | string)[]) => string
type Table = Record<'en' | 'ar', Record<string, unknown>>

const isTable = (value: unknown): value is Table => typeof value === 'object' && value !== null && 'en' in value && 'ar' in value

/** Every table of every file with strings in its name, so that none is missed. */
async function allTables(): Promise<Map<string, Table>> {
  const folder = join(ROOT, 'dist/src/web')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => /strings[^/]*\.js$/.test(name))
  const tables = new Map<string, Table>()
  // some files read the document's language
  Object.assign(globalThis, { document: { documentElement: { lang: 'en' } } })
  for (const file of files) {
    const exported: Record<string, unknown> = await import(pathToFileURL(join(folder, file)).href)
    for (const [name, value] of Object.entries(exported)) if (isTable(value)) tables.set(name, value)
  }
  Reflect.deleteProperty(globalThis, 'document')
  return tables
}

const BY_NAME = await allTables()
const TABLES = [...BY_NAME.values()]
const entries = (lang: 'en' | 'ar') => TABLES.flatMap(table => Object.entries(table[lang])) as [string, string | Told][]
/** Arabic has forms for one, two, few, many and hundreds. */
const NUMBERS = [0, 1, 2, 3, 7, 11, 60, 99, 100, 102, 3600, 12_345]

t.test('both languages have the same texts', async t => {
  t.ok(TABLES.includes(strings) && TABLES.length >= 11, [...BY_NAME.keys()].join())
  for (const { en, ar } of TABLES) t.strictSame(Object.keys(ar).sort(), Object.keys(en).sort())
  for (const lang of LANGS)
    for (const [name, text] of entries(lang)) if (typeof text === 'string') t.not(text.trim(), '', `${lang} ${name}`)
})

t.test('Arabic texts are in Arabic', async t => {
  const latin = entries('ar').filter(([, text]) => typeof text === 'string' && !/\p{Script=Arabic}/u.test(text))
  // names, signs and examples
  t.ok(latin.length < 15, latin.map(([name]) => name).join())
})

t.test('a text with a number is a sentence for every number', async t => {
  for (const lang of LANGS)
    for (const [name, entry] of entries(lang)) {
      // some entries are lists and tables of texts
      if (typeof entry !== 'function') continue
      for (const n of NUMBERS) {
        const text = entry(n, 2 * n)
        t.ok(text.length > 1, `${lang} ${name}(${n}): ${text}`)
        t.notMatch(text, /undefined|NaN|null|\[object/, `${lang} ${name}(${n})`)
      }
    }
})

t.test('a number is written in digits that the API accepts', async t => {
  t.match(strings.ar.results(12_345), /12,345|12345/)
  t.match(strings.en.shownOf(20, 157), /20 of 157/)
})
