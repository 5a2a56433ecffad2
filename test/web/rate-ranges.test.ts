/** A code whose lines have different rates shows their range wherever a rate is shown; lines for declaration come first. */
import t from 'tap'
import { openPages, WITHOUT_BROWSER } from '../support/browser.js'

t.test('rates of codes whose lines differ', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)

  t.test('ranges are shown on the record, for its siblings and the codes above it, in results and in the tree', async t => {
    const { page, browserErrors } = await pages.visit(t, '/code/0101')
    await page.locator('.part-below li').first().waitFor()
    t.match(await page.locator('.record-code .badge').textContent(), 'Duty 0–6.5 %')
    t.match(await page.locator('.duty-figure').textContent(), '0–6.5 %')
    t.match(await page.locator('.part-duty').textContent(), 'The rate depends on the line.')
    t.match(
      await page.locator('.part-below li', { hasText: '010129' }).textContent(),
      /\D6.5 %/,
      'all lines of 010129 have this rate',
    )
    await page.goto(`${pages.url}/code/01`)
    await page.locator('.part-below li').first().waitFor()
    t.match(await page.locator('.part-below li', { hasText: '0101' }).textContent(), '0–6.5 %')
    await page.goto(`${pages.url}/code/0102`)
    await page.locator('.siblings li').first().waitFor()
    t.match(await page.locator('.siblings li', { hasText: '0101' }).textContent(), '0–6.5 %')
    await page.goto(`${pages.url}/code/010121`)
    t.match(await page.locator('.duty-figure').textContent(), /^0 %/, 'a code whose lines have one rate shows no range')
    await page.goto(`${pages.url}/?q=0101`)
    await page.locator('.results li').first().waitFor()
    t.match(await page.locator('.results li').first().locator('.badge').textContent(), '0–6.5 %')
    await page.goto(`${pages.url}/browse/01`)
    const row = page.getByRole('treeitem', { name: /^0101 / })
    await row.waitFor()
    t.match(await row.locator('.badge').textContent(), '0–6.5 %')
    t.strictSame(browserErrors, [])
  })

  for (const [lang, choose, only, here] of [
    ['en', /^Choose 1 of \d+ lines$/, /^Declared under its only line 851713000000$/, 'Declared under this line'],
    ['ar', /^اختر واحدا من \d+ (بند|بنود|بندا)$/, /^يُصرّح بالبضاعة على بنده الوحيد 851713000000$/, 'يُصرّح بالبضاعة على هذا البند'],
  ] as const)
    t.test(`the headline says whether goods are declared here or on how many lines (${lang})`, async t => {
      const { page } = await pages.visit(t, `/code/0101?lang=${lang}`, { lang })
      const headline = page.locator('.record-head .declared')
      // until its script is loaded, this is a plain link
      await page.locator('.code-actions').waitFor()
      t.match(await headline.textContent(), choose)
      await headline.getByRole('link').click()
      await page.locator('.part-lines a:focus').waitFor()
      t.notMatch(page.url(), '#', 'the address gets no fragment')
      await page.goto(`${pages.url}/code/851713?lang=${lang}`)
      await headline.getByRole('link').waitFor()
      t.match(await headline.textContent(), only)
      await headline.getByRole('link').click()
      await page.waitForURL(/\/code\/851713000000/)
      await headline.getByText(here, { exact: true }).waitFor()
    })
})
