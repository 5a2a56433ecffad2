/** The server's pages equal those that the browser would render from the same data: hydration changes no attributes. */
import { build } from 'esbuild'
import t, { type Test } from 'tap'
import { Catalog } from '../../src/catalog/catalog.js'
import { query } from '../../src/web/app/data/query.js'
import { type RecordData, sectionSiblings, type WholeRecord } from '../../src/web/app/record/data.js'
import { CarriedAnswers, CatalogAnswers } from '../../src/web/server/catalog-answers.js'
import { renderBrowse } from '../../src/web/server/render-browse.js'
import { Look } from '../../src/web/server/render-parts.js'
import { renderRecord } from '../../src/web/server/render-record.js'
import { openPages, WITHOUT_BROWSER } from '../support/browser.js'
import type { RenderedRecord, RenderedTree } from '../support/fresh-pages.js'
import { shippedSnapshot } from '../support/service.js'

const RECORDS = 200
const COUNTRIES = ['', 'SA', 'AE', 'KW']
const SCRIPT = '/fresh-pages.js'

t.test('rendered pages', { skip: WITHOUT_BROWSER }, async t => {
  const catalog = new Catalog(await shippedSnapshot())
  const answers = new CatalogAnswers(catalog)
  const viewOf = (country: string) => (country === '' ? undefined : catalog.countries.find(country)?.newest)
  const lookOf = (lang: 'en' | 'ar', country: string) => new Look(lang, true, country, country !== '', catalog.lines.longest)
  const { outputFiles } = await build({
    entryPoints: [new URL('../support/fresh-pages.ts', import.meta.url).pathname],
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { WORD_FORMS: JSON.stringify('{"spellings":[],"plurals":[],"whole":[]}') },
  })
  const pages = await openPages(t)

  async function differences(t: Test, lang: 'en' | 'ar', call: string, rendered: readonly unknown[]) {
    const { page } = await pages.visit(t, `/openapi.json?lang=${lang}`, { lang })
    await page.route(`**${SCRIPT}`, route => route.fulfill({ contentType: 'text/javascript', body: outputFiles[0]?.text ?? '' }))
    await page.goto(`${pages.url}/?lang=${lang}`)
    await page.addScriptTag({ url: SCRIPT, type: 'module' })
    return page.evaluate(`${call}(${JSON.stringify(rendered)})`)
  }

  for (const lang of ['en', 'ar'] as const) {
    t.test(
      `server and browser render the same HTML for 200 records, for the common tariff and three countries (${lang})`,
      async t => {
        const step = Math.floor(catalog.meta.records / RECORDS)
        // include chapters and headings, which are few and have parts that others lack
        const records = [0, 1, ...Array.from({ length: RECORDS - 2 }, (_, i) => i * step)]
        const rendered = records.map((record, i): RenderedRecord => {
          const country = COUNTRIES[i % COUNTRIES.length] as string
          const whole = JSON.parse(new CarriedAnswers(answers, viewOf(country)).addRecord(record, '2026-11-18')) as WholeRecord
          const siblings = whole.path.length === 0 ? sectionSiblings(answers.sections, whole.hs_code) : whole.siblings
          const data: RecordData = { record: whole, siblings }
          const html = renderRecord(lookOf(lang, country), data).main
          return { address: query(`/code/${whole.hs_code}`, { country, lang }), data, html }
        })
        t.strictSame(await differences(t, lang, 'differences', rendered), [])
      },
    )

    t.test(`server and browser render the same trees, open down to any level, with and without a country (${lang})`, async t => {
      const rendered = ['', 'section XVI', '85', '8517', '851713', '85171300', '851713000000', '0902', '870323', '9999'].flatMap(
        name =>
          ['', 'SA'].map((country): RenderedTree => {
            const section = name.startsWith('section ') ? name.slice('section '.length) : ''
            const place = section === '' ? { code: name, section } : { code: '', section }
            const carried = new CarriedAnswers(answers, viewOf(country)).addDataset().addChapters()
            const html = renderBrowse(lookOf(lang, country), carried, place).main
            const path = place.code === '' ? '/browse' : `/browse/${place.code}`
            return { address: query(path, { section, country, lang }), place, answers: JSON.parse(carried.json.join('')), html }
          }),
      )
      t.strictSame(await differences(t, lang, 'treeDifferences', rendered), [])
    })
  }
})
