/** If a key has few requests left, the pages send fewer requests, show how many are left, and let searches wait. */
import t from 'tap'
import { strings } from '../../src/web/app/text/strings.js'
import { accessibilityFaults, goWithin, inPage, type Opened, openPages, until, WITHOUT_BROWSER } from '../support/browser.js'

/** Answers report a free key's limits with `left` requests left; the health check reports `refreshed`. */
async function leave(page: Opened['page'], left: number, refreshed = left): Promise<void> {
  await page.route(/api\/v1\//, async route => {
    const response = await route.fetch()
    const isHealth = route.request().url().endsWith('/health')
    const limitHeaders = { 'x-ratelimit-limit-minute': '30', 'x-ratelimit-remaining-minute': String(isHealth ? refreshed : left) }
    await route.fulfill({ response, headers: { ...response.headers(), ...limitHeaders } })
  })
}

const askedFor = (asked: readonly string[], kind: string) => asked.filter(url => url.includes(`/api/v1/${kind}`))

t.test('few requests', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)

  t.test('a record and its lists need only one request', async t => {
    const { page, asked } = await pages.visit(t, '/shipment')
    await goWithin(page, '/code/9031')
    for (const part of ['.siblings', '.part-below', '.part-lines']) await page.locator(`${part} li`).first().waitFor()
    t.equal(askedFor(asked, 'hs-codes').length, 1)
    await page.locator('.part-below .load-more button').click()
    await until(page, 'document.querySelectorAll(".part-below li").length > 50')
    t.equal(askedFor(asked, 'hs-codes').length, 2, 'the next page is requested')
  })

  t.test('if few requests are left, a search sends only one request', async t => {
    const { page, asked } = await pages.visit(t, '/openapi.json')
    await leave(page, 28)
    await page.goto(`${pages.url}/`)
    await page.locator('.sections li').first().waitFor()
    await page.locator('#q').fill('horses')
    await page.locator('.summary', { hasText: 'for horses' }).waitFor()
    t.equal(askedFor(asked, 'search').length, 1)
    t.equal(askedFor(asked, 'suggest').length, 0)
  })

  t.test('a title needs one more request, and near the end of the quota nothing is sent before Enter', async t => {
    const { page, asked } = await pages.visit(t, '/openapi.json')
    await leave(page, 20)
    await page.goto(`${pages.url}/`)
    await page.locator('.sections li').first().waitFor()
    await page.locator('#q').fill('Magnetic cards and tapes')
    await page.locator('.proposed .candidates').waitFor()
    await page.locator('.results li').first().waitFor()
    t.equal(askedFor(asked, 'classify').length, 1)
    t.equal(askedFor(asked, 'search').length, 1)
    t.equal(askedFor(asked, 'hs-codes').length, 0, 'paths and notes are not requested')
    await page.unroute(/api\/v1\//)
    await leave(page, 3)
    await page.locator('#q').fill('horses')
    await page.locator('.summary', { hasText: 'for horses' }).waitFor()
    await page.locator('#q').fill('Magnetic tapes and cards')
    await page.locator('[data-state=quota]').waitFor()
    await page.waitForTimeout(800)
    t.equal(askedFor(asked, 'classify').length, 1)
    t.equal(await page.locator('.proposal').count(), 0)
    await page.keyboard.press('Enter')
    await page.locator('.proposed .candidates').waitFor()
    t.equal(askedFor(asked, 'classify').length, 2)
  })

  for (const lang of ['en', 'ar'] as const) {
    const words = strings[lang]

    t.test(
      `near the end of the quota, the page shows the remaining requests and the waiting search, until Enter (${lang})`,
      async t => {
        const { page } = await pages.visit(t, '/openapi.json', { lang })
        await leave(page, 5)
        await page.goto(`${pages.url}/?lang=${lang}`)
        await page.locator('.quota', { hasText: words.quotaMinute(5, 30) }).waitFor()
        await page.locator('#q').pressSequentially('horses')
        const state = page.locator('[data-state=quota]')
        await state.waitFor()
        t.match(await state.textContent(), words.quotaMinute(5, 30))
        t.match(await state.textContent(), 'horses', 'the page names the waiting search')
        t.notMatch(await page.locator('main').textContent(), words.typeMore)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          t.strictSame(await accessibilityFaults(page), [], colorScheme)
        }
        await page.setViewportSize({ width: 360, height: 780 })
        t.ok((await inPage<number>(page, 'document.documentElement.scrollWidth')) <= 360)
        await page.keyboard.press('Enter')
        await page.locator('.results li').first().waitFor()
        t.equal(await state.count(), 0)
      },
    )

    t.test(`waiting requests continue by themselves after the minute (${lang})`, async t => {
      const { page } = await pages.visit(t, '/openapi.json', { lang, clock: true })
      await leave(page, 5, 30)
      await page.goto(`${pages.url}/?lang=${lang}`)
      await page.locator('.quota', { hasText: words.quotaMinute(5, 30) }).waitFor()
      await page.locator('#q').pressSequentially('horses')
      await page.locator('[data-state=quota]').waitFor()
      await page.clock.fastForward(5_000)
      await page.locator('.results li').first().waitFor()
    })
  }
})
