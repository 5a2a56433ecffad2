/** An estimate can be shared: by its address, and as a sheet in both languages. */
import type { Page } from 'playwright-core'
import t from 'tap'
import { sheetStrings } from '../../src/web/app/estimate/sheet-strings.js'
import { sharesOf, sumOf } from '../../src/web/app/text/decimals.js'
import { strings } from '../../src/web/app/text/strings.js'
import { accessibilityFaults, inPage, openPages, PHONE, until, WITHOUT_BROWSER } from '../support/browser.js'

t.test('shares are proportional to weights and add up to the whole, to the last digit', async t => {
  t.strictSame(sharesOf('100', ['1', '1', '1']), ['33.34', '33.33', '33.33'])
  t.strictSame(sharesOf('10.005', ['3', '1.00']), ['7.505', '2.500'], 'the API accepts no amount between 0 and 0.01')
  t.strictSame(sharesOf('0', ['5', '7']), ['0.00', '0.00'])
  t.strictSame(sharesOf('50', ['0', '0']), ['0', '0'])
  t.equal(sumOf(sharesOf('999999999999.99', ['123456789012.34', '0.01', '7'])), '999999999999.99')
  t.equal(sumOf(['1', '2.50', '0.125']), '3.625')
  t.equal(sumOf([]), '0')
})

/** The printed sheet; headless browsers have no print dialog. */
async function sheetOf(page: Page): Promise<string> {
  await inPage(page, 'void (window.print = () => { window.isPrinted = true })')
  await page.locator('[data-print-sheet]').click()
  await until(page, 'window.isPrinted === true')
  return inPage<string>(page, `document.querySelector('body > .sheet').textContent`)
}

const sheetsIn = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length

t.test('a quoted estimate', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)

  t.test('the destination sets rates, VAT and the choice in the header, and the currency until an amount is entered', async t => {
    const { page, browserErrors } = await pages.visit(t, '/code/852321')
    const [destination, header] = [page.locator('#calc-destination'), page.locator('#country')]
    await page.locator('[data-figure=landed_cost]', { hasText: 'AED' }).waitFor()
    t.equal(await page.locator('#calc-freight').count(), 0)
    t.match(await page.locator('.part-calc').textContent(), strings.en.calcNoDestination)
    await destination.selectOption('SA')
    await page.locator('[data-figure=landed_cost]', { hasText: '2,087.25SAR' }).waitFor()
    t.equal(await header.inputValue(), 'SA')
    t.match(page.url(), /country=SA/)
    await until(page, `document.activeElement.id === 'calc-destination'`)
    await page.locator('#calc-freight').fill('100')
    await page.locator('[data-figure=declared_value]', { hasText: '1,100.00' }).waitFor()
    await header.selectOption('KW')
    await page.locator('[data-charge=vat]', { hasText: 'VAT 0 %' }).waitFor()
    await page.locator('[data-figure=landed_cost]', { hasText: '1,155.00SAR' }).waitFor()
    t.equal(await destination.inputValue(), 'KW')
    t.equal(await page.locator('#calc-freight').inputValue(), '100', 'amounts stay')
    t.strictSame(browserErrors, [])
  })

  t.test('a copied link shows the same estimate to others, also for the common tariff', async t => {
    const { page, context } = await pages.visit(t, '/code/852321')
    const copied = async () => {
      await page.locator('[data-copy=link]').click()
      await page.locator('[data-copy=link]', { hasText: strings.en.copied }).waitFor()
      return new URL(await inPage<string>(page, 'navigator.clipboard.readText()'))
    }
    await page.locator('[data-figure=landed_cost]').waitFor()
    const common = await copied()
    t.equal(common.searchParams.get('value'), '1000', 'the link includes default values')
    await page.locator('#calc-destination').selectOption('SA')
    await page.locator('[data-figure=landed_cost]', { hasText: 'SAR' }).waitFor()
    await page.locator('#calc-insurance').fill('20')
    await page.locator('[data-figure=insurance]', { hasText: '20.00' }).waitFor()
    const saudi = await copied()
    const landed = await page.locator('[data-figure=landed_cost]').textContent()
    const other = await pages.visit(t, saudi.pathname + saudi.search)
    await other.page.locator('[data-figure=landed_cost]', { hasText: landed as string }).waitFor()
    // this browser last chose Saudi Arabia
    const again = await context.newPage()
    await again.goto(common.href)
    await again.locator('[data-figure=landed_cost]', { hasText: 'AED' }).waitFor()
    t.equal(await again.locator('#country').inputValue(), '')
    await again.reload()
    await again.locator('[data-figure=landed_cost]', { hasText: 'AED' }).waitFor()
    await page.locator('#calc-value').fill('many')
    await page.locator('.field-value .complaint').waitFor()
    t.ok(await page.locator('[data-copy=link]').isHidden(), 'without an estimate there is no link')
  })

  for (const lang of ['en', 'ar'] as const)
    t.test(`a printed estimate is one sheet in both languages (page in ${lang})`, async t => {
      const path = `/code/010221?country=SA&value=900&freight=100&quantity=100&sugar=9&origin=CH&lang=${lang}`
      const { page, browserErrors } = await pages.visit(t, path, { lang, theme: 'dark', size: PHONE })
      await page.locator('[data-figure=excise_amount]', { hasText: '109.00' }).waitFor()
      const text = await sheetOf(page)
      for (const language of ['en', 'ar'] as const) {
        const [words, own] = [strings[language], sheetStrings[language]]
        for (const one of [own.estimateTitle, own.estimate, words.calcLanded, words.calcFreight, words.calcNotIncluded])
          t.match(text, one)
        t.match(text, words.countries.SA as string)
      }
      t.match(text, 'Cattle "of pedigree"')
      t.match(text, 'أبقار أصيلة للتربية')
      t.match(text, /\d{4}-\d\d-\d\d/)
      t.match(text, '1.2.3', 'the sheet names the version of the dataset')
      t.match(text, 'Saudi laws on VAT and excise', 'the sheet names the sources')
      t.match(text, `${pages.url}/code/010221?value=900`)
      t.notMatch(text, 'unit=')
      await page.emulateMedia({ media: 'print' })
      t.ok(await page.locator('.sheet').isVisible())
      t.ok(await page.locator('main').isHidden())
      t.equal(sheetsIn(await page.pdf({ format: 'A4' })), 1)
      await page.emulateMedia({ media: 'screen' })
      t.equal(await page.locator('.sheet').count(), 0, 'the sheet is removed after printing')
      t.ok(await page.locator('main').isVisible())
      t.strictSame(browserErrors, [])
    })

  t.test('permits and prohibitions are on the printed estimate, too', async t => {
    const { page } = await pages.visit(t, '/code/852329?country=SA&value=900')
    await page.locator('[data-figure=landed_cost]').waitFor()
    const text = await sheetOf(page)
    for (const language of ['en', 'ar'] as const) t.match(text, strings[language].controlKinds.permit as string)
    t.match(text, 'Recorded media need a permit (Ministry of Media)')
    t.match(text, 'تحتاج الوسائط المسجلة إلى تصريح')
  })

  for (const lang of ['en', 'ar'] as const)
    t.test(`a fee states its minimum only if the minimum was charged (${lang})`, async t => {
      const words = strings[lang]
      const { page } = await pages.visit(t, '/openapi.json', { lang })
      await page.route(/tariff\/calculate/, async route => {
        const response = await route.fetch()
        await route.fulfill({ response, body: (await response.text()).replaceAll('"rate":0.15,', '"rate":0.15,"minimum":15,') })
      })
      const minimumText = words.calcMinimum.replace('{rate}', '0.15 %').replace('{amount}', '15.00 SAR')
      await page.goto(`${pages.url}/code/852321?country=SA&value=1000&lang=${lang}`)
      await page.locator('.part-calc').getByText(minimumText).waitFor()
      t.match(await sheetOf(page), sheetStrings.en.minimum.replace('{rate}', '0.15 %').replace('{amount}', '15.00 SAR'))
      await page.goto(`${pages.url}/code/852321?country=SA&value=20000&lang=${lang}`)
      await page.locator('[data-figure=fees_amount]', { hasText: '30.00' }).waitFor()
      t.notMatch(await page.locator('.part-calc').textContent(), '15.00')
      await page.goto(`${pages.url}/invoice?country=SA&rows=852321_1000&lang=${lang}`)
      await page.locator('.ship-totals').getByText(minimumText).waitFor()
      t.strictSame(await accessibilityFaults(page), [])
      t.match(await sheetOf(page), sheetStrings.ar.minimum.replace('{rate}', '0.15 %').replace('{amount}', '15.00 SAR'))
    })

  t.test('without a destination, the sheet says what is left out', async t => {
    const { page } = await pages.visit(t, '/code/01012910?value=12345.67&currency=AED&vat=5')
    await page.locator('[data-figure=landed_cost]').waitFor()
    t.strictSame(await accessibilityFaults(page), [])
    const text = await sheetOf(page)
    t.match(text, sheetStrings.en.noDestination)
    t.match(text, sheetStrings.ar.noDestination)
    t.match(text, '13,148.14', 'VAT is on value and duty')
    t.match(text, '13,805.55')
    t.match(text, 'country=GCC')
  })

  t.test('if the sheet cannot be loaded, the button says so', async t => {
    const { page } = await pages.visit(t, '/code/01012910')
    await page.locator('[data-figure=landed_cost]').waitFor()
    await page.route('**/assets/*sheet*', route => route.abort())
    await page.locator('[data-print-sheet]').click()
    await page.locator('[data-print-sheet]', { hasText: strings.en.checkFileFailed }).waitFor()
    await page.locator('[data-print-sheet]', { hasText: strings.en.printSheet }).waitFor()
  })
})
