/** The tasks of the shipment page in a browser: titles, a repaired invoice, amounts, links beside own work, a used-up quota. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { readSheet } from 'read-excel-file/node'
import t from 'tap'
import { sheetStrings } from '../../src/web/app/estimate/sheet-strings.js'
import { shipmentStrings } from '../../src/web/app/shipment/shipment-strings.js'
import { workbook } from '../../src/web/app/shipment/xlsx.js'
import { strings } from '../../src/web/app/text/strings.js'
import { accessibilityFaults, inPage, openPages, PHONE, refuse, until, WITHOUT_BROWSER } from '../support/browser.js'
import { ROOT } from '../support/cli.js'
import { stored } from './shipment/stored.js'

type Language = 'en' | 'ar'
const LANGS: readonly Language[] = ['en', 'ar']

const rowAt = (page: Page, number: number) => page.locator(`.ship-row[aria-rowindex="${number + 1}"]`)
const rows = (page: Page) => page.locator('.ship-row[data-row]')
const codeOf = (page: Page, number: number) => rowAt(page, number).locator('[data-field=code]').inputValue()
const figure = (page: Page, name: string) => page.locator(`[data-figure=${name}]`)

async function add(page: Page, text: string): Promise<void> {
  await page.locator('#ship-box').fill(text)
  await page.locator('.ship-paste [type=submit]').click()
}

async function download(page: Page, ending: 'csv' | 'xlsx' | 'decisions'): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.locator(`[data-file=${ending}]`).click()])
  return file.path()
}

/** Titles as shops write them: Arabic, markup, signs, commas, sizes. */
const TITLES = [
  'Men’s cotton T-shirt, blue, size L',
  'هاتف ذكي سامسونج 128 جيجا',
  '<b>Green tea</b> &amp; jasmine, 100 bags',
  '☕ Roasted coffee beans 1kg',
  'Stainless steel water bottle 750 ml',
  'كرسي مكتب دوار',
  'LED bulb 9W E27',
  'Running shoes, rubber sole',
  'عطر رجالي 100 مل',
  'Laptop 14 inch 16GB',
  'Wooden dining table',
  'Olive oil extra virgin 1L',
  'زيت زيتون بكر ممتاز',
  'Ceramic coffee mug',
  'Wireless mouse 🖱️',
  'Baby stroller foldable',
  'شامبو للشعر 400 مل',
  'Leather wallet for men',
  'Mountain bicycle 26"',
  'Smartphone case, silicone',
]

t.test('with the shipped tariff', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t, { HSAPI_SNAPSHOT: join(ROOT, 'dist', 'hs.snapshot') })

  for (const lang of LANGS)
    t.test(`twenty titles become twenty rows with codes (${lang})`, async t => {
      const s = shipmentStrings[lang]
      const { page, browserErrors, asked } = await pages.visit(t, `/shipment?lang=${lang}`, { lang })
      await add(page, TITLES.join('\n'))
      await rowAt(page, 20).locator('.ship-accept').waitFor()
      t.equal(await rows(page).count(), 20)
      t.equal(asked.filter(url => url.endsWith('/classify')).length, 1, 'all titles are sent in one request')
      t.match(await rowAt(page, 3).locator('.ship-words').textContent(), '<b>Green tea</b>', 'the title is shown as pasted')
      const offered = await page.locator('.ship-accept-all').textContent()
      await page.locator('.ship-accept-all').click()
      const listed = await page.locator('.ship-clear li').count()
      t.equal(offered, s.acceptClear(listed), 'the rows are shown before they are accepted')
      t.ok(listed > 3)
      t.equal(await page.locator('.ship-undo').count(), 0, 'nothing is accepted yet')
      t.strictSame(await accessibilityFaults(page), [])
      await page.locator('.ship-accept-these').click()
      await page
        .locator('.ship-undo')
        .nth(listed - 1)
        .waitFor()
      await until(page, `document.activeElement.classList.contains('ship-undo-all')`)
      for (const accept of await page.locator('.ship-accept').all()) await accept.waitFor()
      while ((await page.locator('.ship-accept').count()) > 0) await page.locator('.ship-accept').first().click()
      for (let number = 1; number <= 20; number++) t.match(await codeOf(page, number), /^\d{6}$/, TITLES[number - 1])
      t.match(await codeOf(page, 3), /^0902/)
      await page.locator('.ship-undo-all').click()
      t.equal(await page.locator('.ship-undo').count(), 0)
      await page.locator('.ship-accept-all', { hasText: s.acceptClear(listed) }).waitFor()
      t.strictSame(browserErrors, [])
    })

  for (const lang of LANGS)
    t.test(`an invoice with dotted, ten-digit and HS 2012 codes is repaired and exported (${lang})`, async t => {
      const s = shipmentStrings[lang]
      const { page, browserErrors } = await pages.visit(t, `/shipment?country=SA&lang=${lang}`, { lang })
      const table = [
        'SKU,Item,HS Code,Amount',
        'A-1,Laptops,8471.30.00,"12,000"',
        'A-2,Mobile phones,8517120000,900',
        'A-3,Green tea in bags,9021000,340',
        '=1+1,Olive oil,1509.20,910',
      ].join('\n')
      await add(page, table)
      await rowAt(page, 4).waitFor()
      t.equal(await page.locator('#ship-column-code').inputValue(), '2')
      t.equal(await page.locator('#ship-column-sku').inputValue(), '0')
      await page.locator('#ship-edition').selectOption('2012')
      await page.locator('.ship-compare').click()
      await rowAt(page, 2).locator('.ship-accept').waitFor()
      t.match(await codeOf(page, 1), /^847130/, 'a dotted code is read')
      await rowAt(page, 2).locator('.ship-accept').click()
      t.match(await codeOf(page, 2), /^8517/)
      await rowAt(page, 2).locator('.ship-undo').waitFor()
      const chosen = await codeOf(page, 2)
      await page.locator('#ship-edition').selectOption('2022')
      await rowAt(page, 2).locator('.ship-undo').waitFor()
      t.equal(await codeOf(page, 2), chosen, 'a correction stays after a change of edition')
      await rowAt(page, 3).locator('.ship-accept').click()
      t.match(await codeOf(page, 3), /^0902/, 'a lost zero is restored')
      await page.locator('.ship-totals h2', { hasText: s.totals(4) }).waitFor()
      await page.locator('.ship-totals .warning', { hasText: s.undecided('').slice(0, -2) }).waitFor()
      while ((await page.locator('[data-group=line]').count()) > 0) {
        const row = page.locator('[data-group=line]').first()
        const id = await row.getAttribute('data-row')
        await row.locator('.ship-toggle').click()
        await page.locator(`[data-more="${id}"] .ship-line`).first().click()
        await page.locator(`[data-row="${id}"][data-group=ready]`).waitFor()
      }
      await page.locator('.ship-totals .badge').waitFor({ state: 'detached' })
      const line = await codeOf(page, 2)
      t.ok(line.startsWith(chosen), 'the chosen line is the corrected code or is below it')
      const lines = readFileSync(await download(page, 'csv'), 'utf8').split('\r\n')
      t.match(lines[0], /^\ufeffSKU,Item,HS Code,Amount,.*hs_code,.*certainty.*destination,edition/)
      t.match(lines[2], new RegExp(`^A-2,Mobile phones,8517120000,900,.*${line}`), 'the added columns follow the pasted cells')
      t.match(lines[4], /^'=1\+1,/, 'pasted text cannot become a formula')
      t.match(lines[5], /,total,/)
      const sheet = await readSheet(await download(page, 'xlsx'))
      t.equal(sheet[2]?.[2], '8517120000', 'codes are text')
      t.equal(sheet[2]?.[3], 900)
      await page
        .locator('details', { has: page.locator('#ship-who') })
        .locator('summary')
        .click()
      await page.locator('[data-file=decisions]').click()
      await page.locator('#ship-who-complaint', { hasText: s.decisionsWhoMissing }).waitFor()
      await page.locator('#ship-who').fill('Mona')
      const [head, ...decided] = readFileSync(await download(page, 'decisions'), 'utf8')
        .trimEnd()
        .split('\r\n')
      t.equal(head, '\ufeffsku,gtin,text,code,country,who,day,why')
      t.ok(decided.some(one => one.startsWith(`A-2,,Mobile phones,${line},`)))
      for (const one of decided) t.match(one, /,Mona,\d{4}-\d\d-\d\d,/)
      await page.locator('[data-copy=codes]').click()
      await page.locator('[data-copy=codes]', { hasText: strings[lang].copied }).waitFor()
      const column = (await inPage<string>(page, 'navigator.clipboard.readText()')).split('\n')
      t.equal(column.length, 5)
      t.equal(column[2], line)
      t.strictSame(await accessibilityFaults(page), [])
      t.strictSame(browserErrors, [])
    })
})

t.test('with the small tariff', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)

  for (const [lang, country, currency] of [
    ['en', 'AE', 'AED'],
    ['ar', 'SA', 'SAR'],
  ] as const)
    t.test(`six rows with freight and two origins add up to their totals (${lang}, ${currency})`, async t => {
      const s = shipmentStrings[lang]
      const { page, browserErrors } = await pages.visit(t, `/shipment?country=${country}&lang=${lang}`, { lang })
      await add(
        page,
        'item,code,amount,origin\nCards,852321,100.05,CN\nTapes,852329,200.10,CN\nPhones,851713,300.33,CN\nCards,852321,400,CH\nHorses,010121,500,CH\nHorses,010129,600.01,CH',
      )
      await page.locator('#ship-freight').fill('100')
      await page.locator('.ship-totals h2', { hasText: s.totals(6) }).waitFor()
      await figure(page, 'declared_value').filter({ hasText: '2,200.49' }).waitFor()
      await page.locator('.ship-totals .badge').waitFor({ state: 'detached' })
      t.equal(await figure(page, 'landed_cost').locator('small').textContent(), currency)
      const cents = (text: string) => Math.round(Number(text.replace(/[^\d.]/g, '')) * 100)
      const landed = (await page.locator('.ship-row[data-row] .ship-landed').allTextContents()).map(cents)
      t.equal(landed.length, 6)
      const fees = (await page.locator('[data-figure=fees_amount]').allTextContents()).map(cents)
      const total = cents((await figure(page, 'landed_cost').textContent()) ?? '')
      const parts = (
        await Promise.all(
          [
            'declared_value',
            'import_duty_amount',
            'vat_amount',
            ...((await figure(page, 'excise_amount').count()) > 0 ? ['excise_amount'] : []),
          ].map(name => figure(page, name).textContent()),
        )
      ).map(text => cents(text ?? ''))
      t.equal(
        [...parts, ...fees].reduce((sum, one) => sum + one, 0),
        total,
        'the charges add up',
      )
      const feesVat = total - landed.reduce((sum, one) => sum + one, 0) - fees.reduce((sum, one) => sum + one, 0)
      t.ok(feesVat >= 0 && (fees.length > 0 || feesVat === 0), 'the rows add up, with fees and the VAT on them')
      await rowAt(page, 4).locator('.ship-toggle').click()
      t.equal(await page.getByLabel(s.inRow(s.originOfRow, 4)).inputValue(), 'CH')
      // the currency of entered amounts is never changed by the destination
      await page.locator('#ship-destination').selectOption(country === 'AE' ? 'SA' : 'AE')
      await page.locator('.ship-totals h2', { hasText: s.totals(6) }).waitFor()
      t.equal(await page.locator('#ship-currency').inputValue(), currency)
      await until(page, `document.activeElement.id === 'ship-destination'`)
      t.strictSame(browserErrors, [])
    })

  t.test('a row without a value or with an ambiguous one is named, and corrected in place', async t => {
    const s = shipmentStrings.en
    const { page } = await pages.visit(t, '/shipment?country=SA')
    await add(page, 'item,code,amount\nHorses,010121,"1,000"\nPhones,851713,1.234\nDiscs,852321,')
    await page.locator('.ship-totals h2', { hasText: s.totalsPart(1, 3) }).waitFor()
    t.match(await page.locator('.ship-totals').textContent(), s.incomplete)
    t.match(await page.locator('.ship-totals').textContent(), s.left('2, 3'))
    t.match(await rowAt(page, 2).textContent(), 'can mean two amounts')
    t.match(await rowAt(page, 3).textContent(), s.needs.value)
    t.strictSame(await accessibilityFaults(page), [])
    await rowAt(page, 2)
      .getByRole('button', { name: /thousands/ })
      .click()
    await page.locator('.ship-totals h2', { hasText: s.totalsPart(2, 3) }).waitFor()
    await rowAt(page, 3).locator('[data-field=value]').fill('$500')
    await rowAt(page, 3).locator('.ship-status-text', { hasText: 'USD' }).waitFor()
    await rowAt(page, 3).locator('[data-field=value]').fill('500')
    await page.locator('.ship-totals h2', { hasText: s.totals(3) }).waitFor()
    t.equal(await page.locator('.ship-totals .badge').count(), 0)
  })

  for (const lang of LANGS)
    t.test(`the quantity of an invoice is never taken for litres; the visitor confirms or enters them (${lang})`, async t => {
      const s = shipmentStrings[lang]
      const { page, browserErrors } = await pages.visit(t, `/shipment?country=SA&lang=${lang}`, { lang, size: PHONE })
      await add(page, 'code,value,qty\n010221,900,"2,400"\n010121,50,3')
      await rowAt(page, 1)
        .locator('.ship-status-text', { hasText: s.needs.measure as string })
        .waitFor()
      t.match(await page.locator('.ship-totals').textContent(), s.lacksExcise('1'))
      t.equal(await figure(page, 'excise_amount').count(), 0, '2,400 cans are not 2,400 litres')
      await rowAt(page, 1).locator('.ship-toggle').click()
      const litres = page.getByLabel(s.inRow(s.exciseQuantity.l as string, 1))
      t.equal(await litres.inputValue(), '', 'no quantity in litres is assumed')
      await page.getByLabel(s.inRow(s.sugar, 1)).fill('9')
      await litres.fill('792')
      // 1.09 per litre
      await figure(page, 'excise_amount').filter({ hasText: '863.28' }).waitFor()
      await page.getByText((s.exciseOn.l as string).replace('{amount}', '792')).waitFor()
      t.strictSame(await accessibilityFaults(page), [])
      await page.waitForTimeout(300)
      await page.reload()
      await figure(page, 'excise_amount').filter({ hasText: '863.28' }).waitFor()
      await rowAt(page, 1).locator('.ship-toggle').click()
      await litres.fill('')
      await page.getByRole('button', { name: s.yesQuantity }).click()
      await figure(page, 'excise_amount').filter({ hasText: '2,616.00' }).waitFor()
      await rowAt(page, 2).locator('.ship-toggle').click()
      t.equal(await page.getByLabel(s.inRow(s.exciseQuantity.l as string, 2)).count(), 0, 'goods without excise need no litres')
      t.strictSame(browserErrors, [])
    })

  for (const lang of LANGS)
    t.test(`a quote has both languages, names, a logo that stays in the browser, and permits (${lang})`, async t => {
      const { page, asked, browserErrors } = await pages.visit(t, `/shipment?country=SA&lang=${lang}`, { lang })
      await add(page, 'code,value\n852329,900\n010121,50')
      await page.locator('.ship-quote summary').click()
      await page.locator('#ship-quote-reference').fill('Q-2041')
      await page.locator('#ship-quote-to').fill('شركة الخليج')
      const buffer = Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      )
      await page.locator('#ship-logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer })
      await page.locator('.ship-quote img').waitFor()
      await page.locator('.ship-totals h2').waitFor()
      await inPage(page, 'void (window.print = () => { window.isPrinted = true })')
      await page.locator('[data-print-sheet]').click()
      await until(page, 'window.isPrinted === true')
      const text = await inPage<string>(page, `document.querySelector('body > .sheet').textContent`)
      for (const one of [sheetStrings.en.invoiceTitle, sheetStrings.ar.invoiceTitle, 'Q-2041', 'شركة الخليج', '1.2.3'])
        t.match(text, one)
      t.match(text, shipmentStrings.en.controls)
      t.match(text, 'Recorded media need a permit (Ministry of Media)')
      t.match(text, 'تحتاج الوسائط المسجلة إلى تصريح')
      t.match(await inPage(page, `document.querySelector('body > .sheet img').src`), /^data:image\/png/)
      t.equal((await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g)?.length, 1)
      t.notOk(asked.some(url => url.includes('Q-2041')))
      await inPage(page, `void dispatchEvent(new Event('afterprint'))`)
      t.equal(await page.locator('.sheet').count(), 0)
      t.strictSame(browserErrors, [])
    })

  t.test('a code is found by words in its cell, and a line is chosen in its row', async t => {
    const s = shipmentStrings.en
    const { page } = await pages.visit(t, '/shipment')
    await add(page, 'item,code\nSomething,\nHorses,0101')
    const cell = rowAt(page, 1).locator('[data-field=code]')
    await cell.fill('magnetic')
    await page.locator('.ship-found [role=option]').first().waitFor()
    t.strictSame(await accessibilityFaults(page), [])
    await page.keyboard.press('ArrowDown')
    t.equal(await cell.getAttribute('aria-activedescendant'), await page.locator('[aria-selected=true]').getAttribute('id'))
    const chosen = await page.locator('[aria-selected=true] .code').textContent()
    await page.keyboard.press('Enter')
    t.equal(await cell.inputValue(), chosen)
    await cell.fill('zzzz words nobody chose')
    await page.keyboard.press('Escape')
    t.equal(await cell.inputValue(), chosen)
    await rowAt(page, 2)
      .locator('.ship-status-text', { hasText: s.needs.line as string })
      .waitFor()
    await rowAt(page, 2).locator('[data-field=toggle]').click()
    await page.locator('.ship-line').first().click()
    t.match(await codeOf(page, 2), /^0101\d{8}$/)
    await rowAt(page, 2).locator('.ship-undo').click()
    t.equal(await codeOf(page, 2), '0101')
  })

  t.test('the whole task can be done without a mouse', async t => {
    const { page } = await pages.visit(t, '/shipment')
    await page.locator('#ship-box').focus()
    await page.keyboard.type('Smartphones')
    await page.keyboard.press('Enter')
    await rowAt(page, 1).waitFor()
    await add(page, 'code,value\n852321,10\n852329,20')
    await rowAt(page, 3).waitFor()
    await rowAt(page, 1).locator('[data-field=value]').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    const focused = `document.activeElement.closest('[data-row]')?.getAttribute('aria-rowindex') + document.activeElement.dataset.field`
    t.equal(await inPage(page, focused), '4value')
    await page.keyboard.press('ArrowUp')
    t.equal(await inPage(page, focused), '3value')
    await page.keyboard.press('Enter')
    await page.locator('.ship-more').waitFor()
    await page.keyboard.press('Escape')
    t.equal(await page.locator('.ship-more').count(), 0)
    t.equal(await inPage(page, focused), '3toggle')
    await page.keyboard.press('Enter')
    await page.locator('.ship-more').waitFor()
    await page.locator('.ship-remove').focus()
    await page.keyboard.press('Enter')
    t.equal(await rows(page).count(), 2)
    t.equal(await inPage(page, focused), '3toggle', 'the focus moves to the next row')
    await until(page, `document.getElementById('announcer').textContent !== ''`)
  })

  t.test('text files and workbooks are read; anything else is refused with a sentence', async t => {
    const s = shipmentStrings.en
    const { page } = await pages.visit(t, '/shipment')
    const give = (name: string, buffer: Buffer) => page.locator('#ship-file').setInputFiles({ name, mimeType: '', buffer })
    await give('a.bin', Buffer.from('PK\u0003\u0004\u0000'))
    await page.locator('.ship-paste .complaint', { hasText: s.notTable }).waitFor()
    await give('a.csv', Buffer.from('code,value\n851713,100\n'))
    await page.locator('[data-figure=landed_cost]', { hasText: '105.00' }).waitFor()
    const workbookBytes = workbook(
      [
        ['code', 'value'],
        ['010121', 100],
      ],
      false,
    )
    await page.getByRole('button', { name: s.startOver }).click()
    t.equal(await rows(page).count(), 0)
    await until(page, `document.activeElement.id === 'ship-box'`)
    await give('a.xlsx', Buffer.from(workbookBytes))
    await rowAt(page, 1).waitFor()
    t.match(await codeOf(page, 1), '010121')
  })

  t.test('when the quota is used up, the page waits, says when it continues, and can be stopped', async t => {
    const s = shipmentStrings.en
    const { page } = await pages.visit(t, '/shipment', { clock: true })
    const sizes: number[] = []
    let isFull = true
    await page.route('**/api/v1/resolve', route => {
      const { codes } = route.request().postDataJSON() as { codes: string[] }
      if (isFull && sizes.length === 1) return refuse(route, 429, 'rate_limit_exceeded', { 'Retry-After': '60' })
      sizes.push(codes.length)
      return route.continue()
    })
    const codes = Array.from({ length: 250 }, (_, i) => String(1_000_000 + i)).join('\n')
    await add(page, codes)
    const wait = page.locator('.ship-run [data-state=limit]')
    await wait.waitFor()
    t.match(await page.locator('.ship-run').textContent(), s.resolving(200, 250))
    t.match(await wait.textContent(), /in \d+ seconds?, at \d/)
    t.strictSame(await accessibilityFaults(page), [])
    await page.locator('[data-run-button]').click()
    await page.locator('.ship-run[data-run=stopped]').waitFor()
    await page.clock.fastForward(61_000)
    t.strictSame(sizes, [200], 'the page stays stopped')
    await page.clock.fastForward(400)
    await stored(page, 'work.isStopped')
    await page.reload()
    await page.locator('.ship-run[data-run=stopped]').waitFor()
    await page.locator('[data-run-button]').click()
    await wait.waitFor()
    isFull = false
    await page.clock.fastForward(61_000)
    await page.locator('.ship-run').waitFor({ state: 'detached' })
    t.strictSame(sizes, [200, 50], 'the page continues where it stopped')
  })
})
