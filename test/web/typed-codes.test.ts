/** Codes typed into the box: in any notation, of earlier editions, and codes whose lines only repeat them. */
import t from 'tap'
import { goWithin, openPages, WITHOUT_BROWSER } from '../support/browser.js'

/** The successors of 851712 in the shipped data. */
const SUCCESSORS = ['851713', '851714', '852411', '852412', '852419', '852491', '852990', '854151']

t.test('codes in the box', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)

  t.test(
    'Enter on a complete code opens it, dotted, spaced, with Arabic digits, with HS before it, or of an earlier edition',
    async t => {
      const { page } = await pages.visit(t, '/')
      for (const [typed, code] of [
        ['8517.13', '851713'],
        ['8517 13 00', '85171300'],
        ['٨٥١٧١٣', '851713'],
        ['٨٥١٧٫١٣', '851713'],
        ['HS 8517.13', '851713'],
        ['851712', '851712'],
        ['8517.12', '851712'],
      ] as const) {
        await page.goto(`${pages.url}/`)
        await page.locator('#q').fill(typed)
        await page.keyboard.press('Enter')
        await page.waitForURL(new RegExp(`/code/${code}$`))
        t.pass(typed)
      }
      await page.locator('[data-state=missing]').waitFor()
    },
  )

  t.test('while a moved code is typed, its successors are listed', async t => {
    for (const [lang, edition] of [
      ['en', 'It was a code of HS 2017.'],
      ['ar', 'كان رمزا في HS 2017.'],
    ] as const) {
      const { page, browserErrors } = await pages.visit(t, `/?lang=${lang}`, { lang })
      await page.locator('#q').pressSequentially('8517.12')
      const found = page.locator('[data-state=missing]')
      await found.getByText(edition).waitFor()
      await found.getByRole('link', { name: '851713' }).click()
      await page.waitForURL(/\/code\/851713/)
      t.strictSame(browserErrors, [])
    }
  })

  t.test('successors in the same heading come first, the others are collapsed', async t => {
    const { page } = await pages.visit(t, '/shipment')
    const record = (hs_code: string) => ({
      hs_code,
      description: { en: `Goods ${hs_code}`, ar: hs_code },
      level: 6,
      parent_id: null,
      tariff_rate: 0,
      is_active: true,
    })
    await page.route('**/api/v1/editions/2017/**', route =>
      route.fulfill({ json: { success: true, data: { targets: SUCCESSORS.map(record) }, meta: {} } }),
    )
    await goWithin(page, '/code/851712')
    const seen = page.locator('.successors > .codes li')
    await seen.filter({ hasText: 'Goods 851713' }).waitFor()
    t.strictSame(await seen.locator('.code').allTextContents(), SUCCESSORS.slice(0, 2))
    const folded = page.locator('.successors details')
    t.match(await folded.locator('summary').textContent(), '6 less likely codes')
    t.ok(await folded.locator('li').first().isHidden())
    await folded.locator('summary').click()
    t.strictSame(await folded.locator('.code').allTextContents(), SUCCESSORS.slice(2))
  })

  t.test('a padded line is not a separate result, and is not repeated in the path to it', async t => {
    const { page } = await pages.visit(t, '/?q=8517.13')
    const items = page.locator('.results li')
    await items.first().waitFor()
    t.equal(await items.count(), 1)
    t.strictSame(await items.first().locator('.also a').allTextContents(), ['85171300', '851713000000'])
    await items.first().locator('.also a').last().click()
    await page.waitForURL(/\/code\/851713000000/)
    await page.goto(`${pages.url}/?q=8517.13&level=12`)
    await items.first().waitFor()
    t.strictSame(await items.first().locator('.above .code').allTextContents(), ['85', '8517', '851713'])
  })
})
