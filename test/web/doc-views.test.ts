/** The documentation pages in a real browser: languages, themes, sizes, search, and links to the former contents of /docs. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageRoot } from '../../src/package-root.js'
import { docsStrings } from '../../src/web/app/text/strings.js'
import { accessibilityFaults, DESKTOP, inPage, NARROW, openPages, PHONE, until, WITHOUT_BROWSER } from '../support/browser.js'

const TRANSLATED = readdirSync(join(packageRoot(), 'docs')).filter(name => name.endsWith('.ar.md'))
const PATHS = [
  ...['/docs', '/docs/http-api', '/docs/settings', '/docs/explorer'],
  ...TRANSLATED.map(name => `/docs/${name.slice(0, -'.ar.md'.length)}`),
]

/** Elements that extend beyond the window and do not scroll by themselves. */
const BEYOND = `[...document.querySelectorAll('body *')].filter(one => {
  const { left, right, width } = one.getBoundingClientRect()
  if (width === 0 || one.closest('.unseen, .skip')) return false
  for (let up = one.parentElement; up; up = up.parentElement)
    if (getComputedStyle(up).overflowX !== 'visible') return false
  return left < -1 || right > document.documentElement.clientWidth + 1
}).map(one => one.tagName + '.' + one.className)`

t.test('in a browser', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)

  for (const lang of ['en', 'ar'] as const) {
    t.test(`every page is readable in both themes and at every size (${lang})`, async t => {
      const { page, browserErrors, asked } = await pages.visit(t, '/openapi.json', { lang })
      for (const path of PATHS) {
        await page.setViewportSize(DESKTOP)
        await page.emulateMedia({ colorScheme: 'light' })
        await page.goto(`${pages.url}${path}?lang=${lang}`)
        await page.waitForLoadState('networkidle')
        t.equal(await inPage(page, 'document.documentElement.lang'), lang)
        t.ok(await page.locator('.pages [aria-current=page]').isVisible(), `${path}: the list marks the current page`)
        t.strictSame(await accessibilityFaults(page), [], `${path}: accessibility`)
        await page.emulateMedia({ colorScheme: 'dark' })
        t.strictSame(await accessibilityFaults(page, `{ runOnly: ['color-contrast'] }`), [], `${path}: dark theme`)
        for (const size of [PHONE, NARROW]) {
          await page.setViewportSize(size)
          await until(page, '!document.getElementById("pages").open')
          t.strictSame(await inPage(page, BEYOND), [], `${path}: ${size.width} px`)
          t.equal(await inPage<number>(page, 'document.documentElement.scrollWidth'), size.width)
        }
        t.strictSame(await accessibilityFaults(page), [], `${path}: the page is accessible on a phone`)
      }
      t.strictSame(browserErrors, [])
      t.strictSame([...new Set(asked.map(address => new URL(address).origin))], [pages.url])
    })
  }

  t.test('on a phone the list of pages is folded', async t => {
    const { page } = await pages.visit(t, '/docs/settings', { size: PHONE })
    const link = page.locator('.pages').getByRole('link', { name: 'Command line' })
    t.ok(await link.isHidden())
    await page.locator('.pages summary').click()
    await link.click()
    await page.waitForURL('**/docs/cli')
    t.ok(await page.locator('.pages').getByRole('link', { name: 'Settings' }).isHidden())
  })

  t.test("English text on an Arabic page runs left to right, and the reader's language stays", async t => {
    const { page } = await pages.visit(t, '/docs/settings?lang=ar')
    t.equal(await inPage(page, 'getComputedStyle(document.body).direction'), 'rtl')
    t.equal(await inPage(page, 'getComputedStyle(document.querySelector(".prose")).direction'), 'ltr')
    t.ok(await page.getByText(docsStrings.ar.englishOnly).isVisible())
    await page.locator('.pages').getByRole('link', { name: 'Command line' }).click()
    await page.waitForURL('**/docs/cli?lang=ar')
    await page.locator('#language').click()
    await page.waitForURL('**/docs/cli?lang=en')
    t.ok(await page.getByRole('heading', { level: 1, name: 'Command line' }).isVisible())
    await page.locator('#theme').click()
    t.equal(await inPage(page, 'document.documentElement.dataset.theme'), 'dark')
  })

  for (const lang of ['en', 'ar'] as const) {
    t.test(`a search finds a setting, and Enter on the result opens its page (${lang})`, async t => {
      const { page, asked, browserErrors } = await pages.visit(t, `/docs/http-api?lang=${lang}`)
      t.notOk(
        asked.some(address => address.endsWith('.json')),
        'the index is loaded only when needed',
      )
      await page.keyboard.press('/')
      await page.keyboard.type('hsapi_drain')
      await page.locator('#found li').first().waitFor()
      t.ok(await page.locator('#article').isHidden())
      t.match(await page.locator('#found li').first().textContent(), /^Settings.*HSAPI_DRAIN_SECONDS/)
      t.strictSame(await accessibilityFaults(page), [], 'the results are accessible')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/docs/settings?lang=${lang}`)
      await page.locator('#q').fill('zzzz')
      await page.getByText(docsStrings[lang].found(0, 0)).first().waitFor()
      await page.keyboard.press('Escape')
      await page.locator('#article').waitFor()
      t.strictSame(browserErrors, [])
    })
  }

  t.test('a result on the same page scrolls to its section, and an address can contain the query', async t => {
    const { page } = await pages.visit(t, '/docs/api-search?q=suggest')
    const result = page.locator('#found').getByRole('link', { name: 'Search and classify: Suggest' })
    await result.click()
    await until(page, 'location.hash === "#suggest"')
    t.ok(await page.locator('#suggest').isVisible())
    const { y = -1 } = (await page.locator('#suggest').boundingBox()) ?? {}
    t.ok(y >= 0 && y < DESKTOP.height, `${y} px from the top`)
  })

  t.test('if the index cannot be loaded, the search reports that, and tries again', async t => {
    const { page } = await pages.visit(t, '/docs')
    await page.route('**/assets/docs-index-*', route => route.abort())
    await page.locator('#q').fill('port')
    await page.getByText(docsStrings.en.searchFailed).waitFor()
    await page.unroute('**/assets/docs-index-*')
    await page.locator('#q').fill('p')
    await page.locator('#found h1').waitFor()
    t.match(await page.locator('#found h1').textContent(), /^\d{2,} results, the best 20 shown$/)
    t.equal(await page.locator('#found li').count(), 20)
  })

  t.test('old links into the contract reach it, with and without a slash', async t => {
    for (const path of ['/docs', '/docs/']) {
      const { page } = await pages.visit(t, `${path}#/Service/dataset`)
      await page.waitForURL('**/docs/api#/Service/dataset')
      await page.locator('#operations-Service-dataset').waitFor()
    }
    const { page } = await pages.visit(t, '/docs')
    await page.locator('.cards a').first().click()
    await page.waitForURL('**/docs/api')
  })

  t.test('a command is copied as it is shown', async t => {
    const { page } = await pages.visit(t, '/docs/http-api')
    const button = page.locator('.copy').first()
    await button.click()
    await page.locator(`.copy:has-text("${docsStrings.en.copied}")`).waitFor()
    t.equal(
      await inPage(page, 'navigator.clipboard.readText()'),
      'curl -H "X-Api-Key: $KEY" http://127.0.0.1:8080/api/v1/hs-codes/0902',
    )
  })

  t.test('a command can be copied over plain HTTP, too, where browsers hide the clipboard from scripts', async t => {
    const { page, browserErrors } = await pages.visit(t, '/openapi.json')
    await page.addInitScript(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`)
    await page.goto(`${pages.url}/docs/http-api`)
    await page.locator('.copy').first().click()
    await page.locator(`.copy:has-text("${docsStrings.en.copied}")`).waitFor()
    await page.locator('#q').focus()
    await page.keyboard.press('Control+V')
    t.match(await page.locator('#q').inputValue(), /^curl -H "X-Api-Key: \$KEY" .*\/hs-codes\/0902$/)
    t.strictSame(browserErrors, [])
  })

  t.test('a printed page has only its text, without the list of pages, search and switches', async t => {
    const { page } = await pages.visit(t, '/docs/settings', { theme: 'dark' })
    await page.emulateMedia({ media: 'print' })
    for (const gone of ['.pages', '.search', '.switches']) t.ok(await page.locator(gone).isHidden(), gone)
    t.ok(await page.locator('.prose table').isVisible())
    t.equal(await inPage(page, 'getComputedStyle(document.documentElement).backgroundColor'), 'rgb(255, 255, 255)')
  })

  t.test('everything is readable without JavaScript', async t => {
    const { page } = await pages.visit(t, '/openapi.json')
    await page.route('**/assets/*.js', route => route.abort())
    await page.goto(`${pages.url}/docs/settings`)
    t.ok(await page.locator('.prose table').isVisible())
    await page.locator('.pages').getByRole('link', { name: 'Command line' }).click()
    await page.waitForURL('**/docs/cli')
  })
})
