/** An amount keeps the currency in which it was entered: another destination changes rates, but not the currency. */
import type { Page } from 'playwright-core'
import t from 'tap'
import { shipmentStrings } from '../../src/web/app/shipment/shipment-strings.js'
import { strings } from '../../src/web/app/text/strings.js'
import { openPages, WITHOUT_BROWSER } from '../support/browser.js'
import { until } from '../support/until.js'

const { calcDestination, calcValue, calcGoodsOrCif, calcVat } = strings.en

t.test('an amount keeps its currency', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)
  // by id, because a column of the shipment's table may also have this label
  const currency = (page: Page) => page.locator('#calc-currency, #ship-currency')
  const to = (page: Page, country: string) => page.getByLabel(calcDestination, { exact: true }).selectOption(country)
  const landed = (page: Page, text: string) =>
    page.locator('dl div', { hasText: strings.en.calcLanded }).filter({ hasText: text })

  t.test('in the calculator, after a change of destination, a reload, Back and a switch of languages', async t => {
    const { page, browserErrors } = await pages.visit(t, '/code/852321')
    await landed(page, 'AED').waitFor()
    await page.getByLabel(calcValue, { exact: true }).fill('5000')
    await landed(page, 'AED').waitFor()
    await to(page, 'KW')
    await landed(page, 'AED').waitFor()
    t.equal(await currency(page).inputValue(), 'AED', '5000 AED are not 5000 KWD')
    t.equal(await page.getByLabel(calcGoodsOrCif, { exact: true }).inputValue(), '5000')
    await page.getByLabel('Rates of').selectOption('SA')
    await landed(page, 'AED').waitFor()
    t.equal(await currency(page).inputValue(), 'AED', 'the header shows the same choice')
    await page.reload()
    await landed(page, 'AED').waitFor()
    await page.locator('.siblings a', { hasText: '852329' }).click()
    await page.waitForURL(/\/code\/852329\?/)
    await landed(page, 'AED').waitFor()
    await page.goBack()
    await landed(page, 'AED').waitFor()
    await page.getByRole('link', { name: 'العربية' }).click()
    await page.waitForURL(/lang=ar/)
    await page.getByLabel(strings.ar.calcDestination, { exact: true }).selectOption('KW')
    t.equal(await page.getByLabel(strings.ar.calcCurrency, { exact: true }).inputValue(), 'AED')
    t.strictSame(browserErrors, [])
  })

  t.test('a chosen currency stays, and so does one named in the amount', async t => {
    const { page } = await pages.visit(t, '/code/852321?country=KW')
    await landed(page, 'KWD').waitFor()
    await currency(page).selectOption('USD')
    await landed(page, 'USD').waitFor()
    await to(page, 'SA')
    await landed(page, 'USD').waitFor()
    t.equal(await currency(page).inputValue(), 'USD')
    await page.getByLabel(calcGoodsOrCif, { exact: true }).fill('€700')
    await landed(page, 'EUR').waitFor()
    await to(page, 'KW')
    await landed(page, 'EUR').waitFor()
  })

  t.test('an amount in a link keeps its currency', async t => {
    const { page } = await pages.visit(t, '/code/852321?value=5000')
    await landed(page, 'AED').waitFor()
    await to(page, 'KW')
    await landed(page, 'AED').waitFor()
    t.equal(await currency(page).inputValue(), 'AED')
  })

  t.test('until an amount is entered, the currency is that of the destination; the VAT rate always is', async t => {
    const { page } = await pages.visit(t, '/code/852321?country=SA')
    await landed(page, 'SAR').waitFor()
    await to(page, 'KW')
    await landed(page, 'KWD').waitFor()
    await page.getByLabel(calcVat, { exact: true }).fill('7')
    await page.locator('[data-charge=vat]', { hasText: '7 %' }).waitFor()
    await to(page, 'SA')
    await page.locator('[data-charge=vat]', { hasText: '15 %' }).waitFor()
  })

  t.test('on the shipment page, calculated or not', async t => {
    const { page, browserErrors } = await pages.visit(t, '/shipment')
    const words = shipmentStrings.en
    const value = page.getByLabel(words.inRow(words.value, 1))
    await page.getByLabel(words.box).fill('852321')
    await page.getByRole('button', { name: words.take }).click()
    await value.waitFor()
    t.equal(await currency(page).inputValue(), 'AED')
    await to(page, 'SA')
    await until('the currency is that of the destination', async () => (await currency(page).inputValue()) === 'SAR')
    await to(page, 'AE')
    await until('the currency is that of the destination', async () => (await currency(page).inputValue()) === 'AED')
    await value.fill('5000')
    await to(page, 'KW')
    await value.waitFor()
    t.equal(await value.inputValue(), '5000')
    t.equal(await currency(page).inputValue(), 'AED', 'the currency stays even before an amount is calculated')
    await landed(page, 'AED').waitFor()
    await to(page, 'SA')
    await landed(page, 'AED').waitFor()
    t.equal(await currency(page).inputValue(), 'AED')
    await page.reload()
    await landed(page, 'AED').waitFor()
    t.strictSame(browserErrors, [])
  })

  t.test('rows of a link keep their currency, even if no row can be calculated', async t => {
    const { page } = await pages.visit(t, '/invoice?country=SA&rows=x_5000')
    await page.getByText(shipmentStrings.en.badCode).first().waitFor()
    await to(page, 'KW')
    await page.getByText(shipmentStrings.en.badCode).first().waitFor()
    t.equal(await currency(page).inputValue(), 'SAR')
  })
})
