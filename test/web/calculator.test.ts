/** The calculator reads amounts as people write them, asks if they are ambiguous, and rounds by the currency's rules. */
import { Decimal } from 'decimal.js'
import t from 'tap'
import { strings } from '../../src/web/app/text/strings.js'
import { accessibilityFaults, goWithin, inPage, NARROW, openPages, until, WITHOUT_BROWSER } from '../support/browser.js'

const Exact = Decimal.clone({ precision: 100 })

t.test('the calculator', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)

  t.test('the calculator reads decimal commas, a point at the start or end, currencies and per cent signs', async t => {
    const { page, browserErrors } = await pages.visit(t, '/code/01012910')
    const [value, duty] = [page.locator('#calc-value'), page.locator('[data-figure=import_duty_amount]')]
    await duty.waitFor()
    // with a rate of 6.5 %
    for (const [text, shown] of [
      ['12.345,67', '802.47'],
      ['2000.', '130.00'],
      ['.5', '0.03'],
      ['$500', '32.50USD'],
      ['1,000 AED', '65.00AED'],
      ['٤٬٠٠٠', '260.00'],
    ] as const) {
      await value.fill(text)
      await duty.filter({ hasText: shown }).waitFor()
    }
    t.equal(await page.locator('#calc-currency').inputValue(), 'AED', 'the named currency is chosen')
    await page.locator('#calc-vat').fill('15%')
    await page.locator('.calc-out dt', { hasText: '15 %' }).waitFor()
    await value.fill('1,000 AED')
    await page.locator('#calc-currency').selectOption('SAR')
    await page.locator('[data-figure=landed_cost]', { hasText: 'SAR' }).waitFor()
    t.equal(await value.inputValue(), '1,000', 'a currency chosen from the list replaces the one in the amount')
    t.strictSame(browserErrors, [])
  })

  t.test('a calculated amount stays for the next code; invalid input and the origin do not', async t => {
    const { page } = await pages.visit(t, '/code/01012910?country=SA')
    await page.locator('[data-figure=landed_cost]').waitFor()
    await page.locator('#calc-value').fill('777')
    await page.locator('#calc-origin').selectOption('BR')
    await until(page, `document.querySelector('[data-figure=declared_value], [data-figure=landed_cost]') !== null`)
    await page.locator('.calc-out', { hasText: strings.en.calcNoAgreement }).waitFor()
    await page.locator('#calc-value').fill('abc')
    await page.locator('.complaint').waitFor()
    await goWithin(page, '/code/010221?country=SA')
    await page.locator('h1', { hasText: '010221' }).waitFor()
    await page.locator('[data-figure=landed_cost]').waitFor()
    t.equal(await page.locator('#calc-value').inputValue(), '777')
    t.equal(await page.locator('#calc-origin').inputValue(), '')
  })

  t.test("charges in the country's currency are converted at a stated rate", async t => {
    const { page } = await pages.visit(t, '/code/01012910?country=SA&value=1000&currency=USD')
    const note = page.locator('.calc-converted')
    await note.waitFor()
    t.match(await note.textContent(), /[\d,.]+ SAR, at the fixed rate of 3\.75 SAR to 1/)
    await page.locator('#calc-currency').selectOption('EUR')
    await page.locator('[data-figure=landed_cost]', { hasText: 'EUR' }).waitFor()
    t.equal(await note.count(), 0, 'there is no conversion without a fixed rate')
    await page.locator('#calc-currency').selectOption('SAR')
    await page.locator('[data-figure=landed_cost]', { hasText: 'SAR' }).waitFor()
    t.equal(await note.count(), 0, "there is no conversion for the country's own currency")
  })

  for (const lang of ['en', 'ar'] as const)
    t.test(`the page asks which of two readings of an amount is meant (${lang})`, async t => {
      const words = strings[lang]
      const { page, asked } = await pages.visit(t, `/code/01012910?value=1.234&lang=${lang}`, { lang, size: NARROW })
      const question = page.locator('.calc-out', { hasText: words.calcWhich.split('{typed}')[1] as string })
      await question.waitFor()
      t.notOk(
        asked.some(address => address.includes('tariff/calculate')),
        'nothing is estimated before the visitor answers',
      )
      t.strictSame(await accessibilityFaults(page), [])
      t.ok((await inPage<number>(page, 'document.documentElement.scrollWidth')) <= NARROW.width)
      await question.getByRole('button', { name: words.calcThousands.split('{amount}')[1] as string }).click()
      await page.locator('[data-figure=import_duty_amount]', { hasText: '80.21' }).waitFor()
      await page.locator('#calc-value').fill('1.234')
      await question.getByRole('button', { name: words.calcDecimals.split('{amount}')[1] as string }).click()
      await page.locator('[data-figure=import_duty_amount]', { hasText: '0.08' }).waitFor()
      t.equal(await inPage(page, 'document.activeElement.id'), 'calc-value')
      await page.locator('#calc-currency').selectOption('KWD')
      await page.locator('#calc-value').fill('1.234')
      await page.locator('[data-figure=import_duty_amount]', { hasText: '0.080' }).waitFor()
    })

  t.test('amounts are rounded for the currency, and exact on request', async t => {
    const { page } = await pages.visit(t, '/code/01012910?value=12345.67&currency=AED&vat=5')
    const landed = page.locator('[data-figure=landed_cost]')
    await landed.waitFor()
    t.equal(await landed.textContent(), '13,805.55AED')
    const exact = page.getByRole('button', { name: strings.en.calcExact })
    await exact.click()
    t.equal(await exact.getAttribute('aria-pressed'), 'true')
    t.equal(await landed.textContent(), '13,805.5454775AED')
    t.strictSame(await accessibilityFaults(page), [])
    await page.locator('#calc-currency').selectOption('OMR')
    await landed.filter({ hasText: 'OMR' }).waitFor()
    await exact.click()
    t.equal(await landed.textContent(), '13,805.545OMR')
    await page.locator('#calc-value').fill('1000')
    await until(page, `document.querySelector('[data-figure=landed_cost]').textContent === '1,118.250OMR'`)
    t.equal(await exact.count(), 0, 'if nothing is rounded, the option is not shown')
  })

  t.test('every digit of an amount is shown, even if a float has fewer, also for a country', async t => {
    const value = new Exact('123456789012.34')
    const duty = value.times('0.15')
    const excise = value.plus(duty).times('0.5')
    const before = value.plus(duty).plus(excise).plus(500)
    const vat = before.times('0.05125')
    const { page } = await pages.visit(t, '/code/852329?value=123456789012.34&country=SA&currency=SAR&vat=5.125')
    await page.getByRole('button', { name: strings.en.calcExact }).click()
    const shown = async (name: string) => (await page.locator(`[data-figure=${name}]`).textContent())?.replace(/,|SAR/g, '')
    t.equal(await shown('landed_cost'), before.plus(vat).toFixed())
    t.not(String(before.plus(vat).toNumber()), before.plus(vat).toFixed())
    t.equal(await shown('vat_amount'), vat.toFixed())
    t.equal(await shown('excise_amount'), excise.toFixed())
  })
})
