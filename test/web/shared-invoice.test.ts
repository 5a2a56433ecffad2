/**
 * A shared invoice from a link and the visitor's own: neither replaces the other, and amounts always belong to the rows shown.
 */
import type { Page } from 'playwright-core'
import t from 'tap'
import { invoiceStrings } from '../../src/web/app/shipment/invoice-strings.js'
import { strings } from '../../src/web/app/text/strings.js'
import { barriers, goWithin, look, openPages, PHONE, WITHOUT_BROWSER } from '../support/browser.js'

t.test('invoices of a link and of the visitor', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)
  const LINK = '/invoice?rows=851713_777*0102_50&currency=USD&country=SA'

  const words = invoiceStrings.en
  const value = (page: Page, row: number) => page.getByLabel(words.inRow(words.value, row))
  const total = (page: Page) => page.getByRole('heading', { name: /^Total of/ })

  async function own(page: Page): Promise<void> {
    await page.getByLabel(words.inRow(strings.en.thCode, 1)).fill('852321')
    await value(page, 1).fill('1234')
    await page.getByRole('button', { name: words.go }).click()
    await total(page).waitFor()
  }

  for (const lang of ['en', 'ar'] as const)
    t.test(`a link shows its rows, says that the visitor's own are kept, and opens them again (${lang})`, async t => {
      const theirs = invoiceStrings[lang]
      const { page, complaints } = await pages.visit(t, `/invoice?country=SA`, { size: PHONE })
      await own(page)
      await page.goto(`${pages.url}${LINK}&lang=${lang}`)
      await page.getByText(theirs.result(2, 2)).waitFor()
      const note = page.getByRole('status').filter({ hasText: theirs.fromLink })
      await note.waitFor()
      t.match(await note.textContent(), '852321', 'named by its codes')
      t.strictSame(await barriers(page), [])
      t.ok((await look<number>(page, 'document.documentElement.scrollWidth')) <= PHONE.width)
      await note.getByRole('button', { name: theirs.openKept }).click()
      await page.getByText(theirs.result(1, 1)).waitFor()
      t.equal(await page.getByLabel(theirs.inRow(theirs.value, 1)).inputValue(), '1234')
      await page.goBack()
      await page.getByText(theirs.result(2, 2)).waitFor()
      t.equal(await page.getByLabel(theirs.inRow(theirs.value, 1)).inputValue(), '777')
      await page.goto(`${pages.url}/invoice?lang=${lang}`)
      await page.getByText(theirs.result(1, 1)).waitFor()
      t.equal(
        await page.getByLabel(theirs.inRow(theirs.value, 1)).inputValue(),
        '1234',
        'a link that was only read replaces nothing',
      )
      t.strictSame(complaints, [])
    })

  t.test('rows of a link that were changed become work of their own, beside the other; each can be removed', async t => {
    const { page } = await pages.visit(t, '/invoice?country=SA')
    await own(page)
    await page.goto(pages.url + LINK)
    await page.getByText(words.result(2, 2)).waitFor()
    await value(page, 2).fill('60')
    await page.reload()
    const note = page.getByRole('status').filter({ hasText: words.alsoKept })
    await note.waitFor()
    t.strictSame([await value(page, 1).inputValue(), await value(page, 2).inputValue()], ['777', '60'])
    t.match(await note.textContent(), '852321')
    await page.getByRole('button', { name: strings.en.checkStartOver }).click()
    t.equal(await value(page, 1).inputValue(), '')
    t.match(await note.textContent(), '852321', 'starting over removes what is shown')
    await page.reload()
    await note.waitFor()
    t.equal(await value(page, 1).inputValue(), '')
    await note.getByRole('button', { name: words.openKept }).click()
    await page.getByText(words.result(1, 1)).waitFor()
    t.equal(await value(page, 1).inputValue(), '1234')
    const other = await page.context().newPage()
    await other.goto(pages.url + LINK)
    await other.getByRole('button', { name: words.removeKept }).click()
    await other.getByText(words.fromLink).waitFor({ state: 'detached' })
    await other.reload()
    await other.getByText(words.result(2, 2)).waitFor()
    t.equal(await other.getByText(words.fromLink).count(), 0)
  })

  t.test('a visitor without work sees the rows of a link and nothing else', async t => {
    const { page } = await pages.visit(t, LINK)
    await page.getByText(words.result(2, 2)).waitFor()
    t.equal(await page.getByText(words.fromLink).count(), 0)
    t.equal(await page.getByText(words.alsoKept).count(), 0)
  })

  for (const [way, back] of [
    ['a reload', async (page: Page) => void (await page.reload())],
    [
      'another page and Back',
      async (page: Page) => {
        await goWithin(page, '/browse')
        await page.getByRole('heading', { level: 1 }).filter({ hasNotText: words.title }).waitFor()
        await page.goBack()
      },
    ],
    ['a switch of languages', async (page: Page) => void (await page.getByRole('link', { name: 'العربية' }).click())],
  ] as const)
    t.test(`rows that were changed after a calculation come back without the amounts of before: ${way}`, async t => {
      const { page } = await pages.visit(t, '/invoice?country=SA')
      await own(page)
      t.match(await page.locator('.inv-row').first().textContent(), '246.80', 'duty of 20 %')
      await value(page, 1).fill('99')
      t.notMatch(await page.locator('main').textContent(), /246\.80|1,234/)
      await back(page)
      const again = page.locator('.inv-row').first().getByRole('textbox').nth(1)
      await again.waitFor()
      await page
        .getByRole('button', { name: strings.en.checkStartOver })
        .or(page.getByRole('button', { name: strings.ar.checkStartOver }))
        .waitFor()
      t.equal(await again.inputValue(), '99')
      t.notMatch(await page.locator('main').textContent(), /246\.80|1,234/)
      t.equal(await total(page).count(), 0)
    })

  t.test('another currency or freight takes all amounts away until they are calculated again', async t => {
    const { page } = await pages.visit(t, '/invoice?country=SA')
    await own(page)
    await page.getByLabel(words.freight).fill('10')
    t.notMatch(await page.locator('main').textContent(), '246.80')
    await page.getByRole('button', { name: words.go }).click()
    await total(page).waitFor()
    t.match(await page.locator('main').textContent(), '248.80')
  })
})
