/** A country is chosen once for all pages; its rates, taxes and sources are shown, and the address contains it. */
import t from 'tap'
import { strings } from '../../src/web/app/text/strings.js'
import { accessibilityFaults, inPage, NARROW, openPages, until, WITHOUT_BROWSER } from '../support/browser.js'

t.test('the country', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)

  t.test('the choice changes rates everywhere, and survives a reload, a change of language and a link', async t => {
    const { page, browserErrors } = await pages.visit(t, '/code/0102')
    const badge = page.locator('.record-code > .badge')
    const picker = page.locator('#country')
    await badge.waitFor()
    t.notMatch(await badge.textContent(), '7.5 %')
    await picker.selectOption('SA')
    await badge.filter({ hasText: '7.5 %' }).waitFor()
    t.match(page.url(), 'country=SA')
    t.match(
      await page.locator('.part-duty').textContent(),
      'Saudi Arabia’s list of 2026-02-25; the date of this entry is 2025-11-27.',
    )
    await page.reload()
    await badge.filter({ hasText: '7.5 %' }).waitFor()
    await page.locator('#language').click()
    await page.waitForURL(/lang=ar/)
    await badge.filter({ hasText: '7.5 %' }).waitFor()
    t.equal(await picker.inputValue(), 'SA')
    t.equal(await inPage(page, 'document.documentElement.dir'), 'rtl')
    t.match(await page.locator('.part-duty h2').textContent(), strings.ar.countries.SA as string)
    await page.locator('[data-nav=browse]').click()
    await page.waitForURL(/\/browse\?.*country=SA/)
    await page.goto(`${pages.url}/?q=0102&lang=en`)
    await page.locator('.results .badge', { hasText: '7.5 %' }).first().waitFor()
    t.match(page.url(), 'country=SA', 'an address copied from this page opens with the same country')
    await picker.selectOption('')
    await until(page, `!location.search.includes('country')`)
    await page.goto(`${pages.url}/code/8523?country=sa&lang=en`)
    await badge.filter({ hasText: '15' }).waitFor()
    await page.goto(`${pages.url}/code/8523?lang=en`)
    await badge.waitFor()
    t.equal(await picker.inputValue(), '', 'a country in a link is not remembered for the next page')
    t.strictSame(browserErrors, [])
  })

  t.test("prohibited goods and unknown rates are labelled, and the shipment page uses the country's rates", async t => {
    const { page } = await pages.visit(t, '/code/851718?country=SA')
    await page.locator('.record-code > .badge', { hasText: 'Prohibited' }).waitFor()
    t.match(await page.locator('.part-duty').textContent(), 'Import is prohibited. The common tariff has')
    await page.goto(`${pages.url}/code/852351?country=SA`)
    await page.locator('.record-code > .badge', { hasText: 'Unknown' }).waitFor()
    await page.goto(`${pages.url}/check?codes=0102&country=SA`)
    await page.locator('.ship-row .badge', { hasText: '7.5 %' }).waitFor()
    await page.locator('#country').selectOption('AE')
    await until(
      page,
      `!document.querySelector('.ship-row .badge')?.textContent.includes('7.5') && document.querySelector('.ship-row .badge')`,
    )
  })

  t.test('for a country that is not in the dataset, the page shows the common tariff, with a note', async t => {
    const { page, browserErrors } = await pages.visit(t, '/code/0102?country=QA')
    await page.locator('.country-note', { hasText: 'no rates for Qatar' }).waitFor()
    await page.locator('.record-code > .badge').waitFor()
    t.equal(await page.locator('#country').inputValue(), '')
    t.notMatch(page.url(), 'country')
    t.strictSame(browserErrors, [])
  })

  for (const [lang, theme] of [
    ['en', 'light'],
    ['ar', 'dark'],
  ] as const)
    t.test(`the calculator has excise, fee, VAT and warnings of the country (${lang}, ${theme})`, async t => {
      const words = strings[lang]
      const { page, browserErrors } = await pages.visit(t, `/code/852321?country=SA&lang=${lang}`, { lang, theme })
      const figure = (name: string) => page.locator(`[data-figure=${name}]`)
      await figure('landed_cost').waitFor()
      // 1,000; duty 20 %, excise 50 % of 1,200, minimum fee 15, VAT 15 % of everything
      t.equal(await figure('import_duty_amount').textContent(), '200.00SAR')
      t.equal(await figure('excise_amount').textContent(), '600.00SAR')
      t.equal(await figure('fees_amount').textContent(), '15.00SAR')
      t.equal(await figure('vat_amount').textContent(), '272.25SAR')
      t.equal(await figure('landed_cost').textContent(), '2,087.25SAR')
      t.equal(await page.locator('#calc-vat').getAttribute('placeholder'), '15')
      t.match(await page.locator('.calc-warnings').textContent(), lang === 'en' ? 'the retail price' : 'سعر التجزئة')
      t.ok((await page.locator('.calc-not-included li').count()) > 2)
      await page.locator('[data-charge=excise] summary').click()
      t.match(await page.locator('[data-charge=excise] .charge-how').innerText(), 'Saudi laws on VAT and excise')
      t.strictSame(await accessibilityFaults(page), [])
      await page.locator('#calc-freight').fill('100')
      await figure('declared_value').filter({ hasText: '1,100.00' }).waitFor()
      t.ok(await page.locator('[data-charge=excise] .charge-how').isVisible(), 'opened parts stay open')
      await page.locator('#calc-vat').fill('5')
      await page.locator('[data-charge=vat]', { hasText: '5 %' }).waitFor()
      await page.locator('#calc-origin').selectOption('CH')
      await page.locator('.calc-origin').waitFor()
      t.equal(await figure('import_duty_amount').textContent(), '0.00SAR', 'the agreement with EFTA applies')
      t.match(page.url(), /vat=5&freight=100&origin=CH&country=SA/)
      await page.locator('#calc-freight').fill('many')
      const complaint = page.locator('.field-freight .complaint')
      await complaint.waitFor()
      t.equal(await complaint.textContent(), words.calcBad)
      t.equal(
        await inPage(page, `document.querySelector('#calc-freight').getAttribute('aria-describedby')`),
        'calc-freight-complaint',
      )
      t.strictSame(browserErrors, [])
    })

  t.test('the page asks for litres and sugar if excise depends on them, also on the narrowest phone', async t => {
    const { page } = await pages.visit(t, '/code/010221?country=SA&value=900', { size: NARROW })
    await page.locator('#calc-quantity').waitFor()
    t.match(await page.locator('.calc-not-included').textContent(), strings.en.calcNeedsSugar)
    t.notMatch(await page.locator('.part-calc').textContent(), 'unit=', 'the text names no parameters of the API')
    t.match(await page.locator('.calc-parcel').textContent(), 'less than 1000 riyals')
    await page.locator('#calc-quantity').fill('100')
    await page.locator('#calc-sugar').fill('300')
    await page.locator('.field-sugar .complaint').waitFor()
    await page.locator('#calc-sugar').fill('9')
    await page.locator('[data-figure=excise_amount]', { hasText: '109.00' }).waitFor()
    t.ok((await inPage<number>(page, 'document.documentElement.scrollWidth')) <= NARROW.width)
    await page.reload()
    await page.locator('[data-figure=excise_amount]', { hasText: '109.00' }).waitFor()
    await page.locator('#country').selectOption('KW')
    await page.locator('#calc-quantity').waitFor({ state: 'hidden' })
    await page.locator('[data-figure=landed_cost]', { hasText: 'SAR' }).waitFor()
    t.strictSame(await accessibilityFaults(page), [])
  })
})

t.test('a server with a default country', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t, { HSAPI_COUNTRY: 'SA' })
  const { page } = await pages.visit(t, '/code/0102')
  await page.locator('.record-code > .badge', { hasText: '7.5 %' }).waitFor()
  await until(page, `document.querySelector('#country').value === 'SA'`)
  await page.goto(`${pages.url}/code/851713`)
  await page.locator('[data-charge=vat]', { hasText: '15 %' }).waitFor()
})
