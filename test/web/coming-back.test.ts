/** The pages remember the position in the results for a reload, and the chosen language for the next visit. */
import t from 'tap'
import { inPage, openPages, until, WITHOUT_BROWSER } from '../support/browser.js'

t.test('coming back', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)

  t.test('a reload shows as many results as before, at the same position', async t => {
    const { page } = await pages.visit(t, '/?q=measuring', { size: { width: 1280, height: 500 } })
    const items = page.locator('.results li')
    await items.first().waitFor()
    await page.mouse.wheel(0, 20_000)
    await until(page, 'document.querySelectorAll(".results li").length >= 40')
    await items.nth(30).scrollIntoViewIfNeeded()
    const [count, y] = await inPage<[number, number]>(page, '[document.querySelectorAll(".results li").length, window.scrollY]')
    t.ok(y > 800, `${y} px down`)
    await until(page, `history.state?.y === ${y}`)
    await page.reload()
    await until(page, `document.querySelectorAll(".results li").length >= ${count}`)
    await until(page, `Math.abs(window.scrollY - ${y}) < 3`)
    await page.locator('#q').fill('measuring gauge')
    await page.locator('.summary', { hasText: 'gauge' }).waitFor()
    t.ok((await items.count()) <= 20, 'another search begins with one page')
  })

  t.test('a reload of a record keeps its scroll position', async t => {
    const { page } = await pages.visit(t, '/code/9031', { size: { width: 1280, height: 500 } })
    // wait for late parts, such as the number of lines in the headline, which move the rest
    for (const part of ['.part-lines', '.siblings']) await page.locator(`${part} li`).first().waitFor()
    for (const part of ['.declared a', '.code-actions']) await page.locator(part).first().waitFor()
    await page.locator('.part-below li').nth(40).scrollIntoViewIfNeeded()
    const y = await inPage<number>(page, 'window.scrollY')
    t.ok(y > 500)
    await until(page, `history.state?.y === ${y}`)
    await page.reload()
    await until(page, `Math.abs(window.scrollY - ${y}) < 3`)
  })

  t.test('the chosen language stays on the next visit, on every page, and an address with a language overrides it', async t => {
    const { page } = await pages.visit(t, '/code/851713')
    const lang = () => inPage<string>(page, 'document.documentElement.lang')
    await page.locator('.record').waitFor()
    await page.locator('#language').click()
    await page.waitForURL(/lang=ar/)
    for (const path of ['/', '/code/851713', '/browse', '/shipment?codes=8517', '/docs', '/docs/settings']) {
      await page.goto(`${pages.url}${path}`)
      await page.waitForURL(/lang=ar/)
      await page.locator('#language').waitFor()
      t.equal(await lang(), 'ar', path)
    }
    await page.goto(`${pages.url}/code/8517?lang=en`)
    t.equal(await lang(), 'en')
    await page.goto(`${pages.url}/?lang=ar`)
    await page.locator('#language').click()
    await page.waitForURL(/lang=en/)
    await page.goto(`${pages.url}/code/851713`)
    await page.locator('.record').waitFor()
    t.equal(await lang(), 'en', 'the page is in English again')
    t.notMatch(page.url(), 'lang=', "in the browser's language, the address names no language")
  })

  t.test('for an unknown address, the page says that it does not exist and links to the start', async t => {
    for (const [lang, title] of [
      ['en', 'There is no such page'],
      ['ar', 'لا توجد صفحة بهذا العنوان'],
    ] as const) {
      const { page } = await pages.visit(t, '/nope', { lang })
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      await page.locator('[data-state=lost] a').first().click()
      await page.locator('.sections').waitFor()
    }
  })
})
