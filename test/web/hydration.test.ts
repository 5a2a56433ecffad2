/** The server's page of a code is what the browser would render from the same data: hydrating it leaves attributes as they are. */
import { build } from 'esbuild'
import t from 'tap'
import { Catalog } from '../../src/catalog/catalog.js'
import { query } from '../../src/web/app/data/query.js'
import { type RecordData, sectionSiblings, type WholeRecord } from '../../src/web/app/record/data.js'
import { CarriedAnswers, CatalogAnswers } from '../../src/web/server/catalog-answers.js'
import { Look } from '../../src/web/server/render-parts.js'
import { renderRecord } from '../../src/web/server/render-record.js'
import { openPages, WITHOUT_BROWSER } from '../support/browser.js'
import type { Rendered } from '../support/fresh-record.js'
import { shippedSnapshot } from '../support/service.js'

const RECORDS = 200
const COUNTRIES = ['', 'SA', 'AE', 'KW']
const SCRIPT = '/fresh-record.js'

t.test('200 records in both languages, in turn by the common tariff and three countries', { skip: WITHOUT_BROWSER }, async t => {
  const catalog = new Catalog(await shippedSnapshot())
  const answers = new CatalogAnswers(catalog)
  const { outputFiles } = await build({
    entryPoints: [new URL('../support/fresh-record.ts', import.meta.url).pathname],
    bundle: true,
    write: false,
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { WORD_FORMS: '{"spellings":[],"plurals":[],"whole":[]}' },
  })
  const step = Math.floor(catalog.meta.records / RECORDS)
  // chapters and headings are few, and have parts that others lack
  const records = [0, 1, ...Array.from({ length: RECORDS - 2 }, (_, i) => i * step)]
  const pages = await openPages(t)
  for (const lang of ['en', 'ar'] as const) {
    const { page } = await pages.visit(t, `/openapi.json?lang=${lang}`, { lang })
    await page.route(`**${SCRIPT}`, route => route.fulfill({ contentType: 'text/javascript', body: outputFiles[0]?.text ?? '' }))
    await page.goto(`${pages.url}/?lang=${lang}`)
    await page.addScriptTag({ url: SCRIPT })
    const rendered = records.map((record, i): Rendered => {
      const country = COUNTRIES[i % COUNTRIES.length] as string
      const view = country === '' ? undefined : catalog.countries.find(country)?.newest
      const whole = JSON.parse(new CarriedAnswers(answers, view).addRecord(record)) as WholeRecord
      const siblings = whole.path.length === 0 ? sectionSiblings(answers.sections, whole.hs_code) : whole.siblings
      const data: RecordData = { record: whole, siblings }
      const look = new Look(lang, true, country, country !== '', catalog.lines.longest)
      return { address: query(`/code/${whole.hs_code}`, { country, lang }), data, html: renderRecord(look, data).main }
    })
    t.strictSame(await page.evaluate(`differences(${JSON.stringify(rendered)})`), [], lang)
  }
})
