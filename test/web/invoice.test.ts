/** The invoice page: how pasted tables are read, the result for each row, and the downloads. */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { readSheet } from 'read-excel-file/node'
import t from 'tap'
import { sheetStrings } from '../../src/web/app/estimate/sheet-strings.js'
import { invoiceStrings } from '../../src/web/app/shipment/invoice-strings.js'
import {
  currencyNamed,
  guessColumns,
  NO_ROW,
  packRows,
  readRow,
  readTable,
  rowsOf,
  unpackRows,
} from '../../src/web/app/shipment/invoice-text.js'
import { originOf } from '../../src/web/app/text/origin-names.js'
import { strings } from '../../src/web/app/text/strings.js'
import { barriers, look, openPages, PHONE, until, WITHOUT_BROWSER } from '../support/browser.js'

const read = (text: string) => {
  const table = readTable(text)
  return rowsOf(table, guessColumns(table)).map(({ code, value, quantity, origin }) => [code, value, quantity, origin])
}

t.test('columns are found by their headings, in both languages, and without them by what is in the cells', async t => {
  const phones = ['8517.13', '12,000', '40', 'CN']
  t.strictSame(read('Item,HS Code,Unit price,Qty,Amount,Country of origin\nPhones,8517.13,300,40,"12,000",CN'), [phones])
  t.strictSame(read('الصنف;رمز البند;القيمة;الكمية;بلد المنشأ\nهاتف;8517.13;12,000;40;CN'), [phones])
  t.strictSame(read('Phones\t851713\t12,000\t40\tChina\nTea\t090210\t300\t9\tKenya')[1], ['090210', '300', '9', 'Kenya'])
  t.strictSame(read('8517.13; 12,000; 40; CN'), [phones], 'one line is a row')
  t.strictSame(read('8517.13 12,000'), [['8517.13', '12,000', '', '']])
  t.strictSame(read('0902 10'), [['0902 10', '', '', '']], 'not a value of ten')
  t.strictSame(read('851713\n\n0902'), [
    ['851713', '', '', ''],
    ['0902', '', '', ''],
  ])
  t.strictSame(read('code,value\n851713,5\n,\n0902,6\n').length, 2, 'blank rows are none')
  t.strictSame(read('   '), [])
})

t.test('a row is read as the API takes it, or the field that cannot be read is named', async t => {
  const row = (parts: object) => readRow({ ...NO_ROW, code: '8517.13', value: '100', ...parts }, 'USD', ['USD', 'EUR'])
  t.strictSame(
    row({ code: 'HS ٨٥١٧.١٣', value: '$1,200.50', quantity: '2,000 cans', origin: 'china', sugar: '9', excise: '1,500 l' }),
    {
      code: '851713',
      value: '1200.50',
      quantity: '2,000 cans',
      origin: 'CN',
      sugar: '9',
      excise: '1500 l',
    },
  )
  for (const [parts, kind, field] of [
    [{ code: '' }, 'noCode', 'code'],
    [{ code: 'phones' }, 'badCode', 'code'],
    [{ code: '8.5171E+11' }, 'science', 'code'],
    [{ value: '' }, 'noValue', 'value'],
    [{ value: 'many' }, 'badValue', 'value'],
    [{ value: '€5' }, 'otherCurrency', 'value'],
    [{ value: '1.234' }, 'unclear', 'value'],
    [{ excise: 'some l' }, 'badQuantity', 'excise'],
    [{ excise: '1.234 l' }, 'unclear', 'excise'],
    [{ origin: 'Atlantis' }, 'badOrigin', 'origin'],
    [{ sugar: 'x' }, 'badSugar', 'sugar'],
  ] as const)
    t.match(row(parts), { kind, field })
  t.equal(
    currencyNamed(
      [
        { ...NO_ROW, value: '€5' },
        { ...NO_ROW, value: '7' },
      ],
      ['EUR'],
    ),
    'EUR',
  )
  t.equal(
    currencyNamed(
      [
        { ...NO_ROW, value: '€5' },
        { ...NO_ROW, value: '$7' },
      ],
      ['EUR'],
    ),
    '',
  )
})

t.test('a quantity counts for excise only where its unit is stated, in the cell or in the heading', async t => {
  const excise = (text: string) => {
    const table = readTable(text)
    return rowsOf(table, guessColumns(table)).map(row => (readRow(row, 'USD', []) as { excise?: string }).excise)
  }
  for (const [heading, cell, expected] of [
    ['qty', '2400', ''],
    ['qty', '"2,400"', ''],
    ['qty (pcs)', '2400', ''],
    ['pieces', '2400', ''],
    ['qty', '2400 cans', ''],
    ['qty', '24 x 330 ml', ''],
    ['qty', '330 ml', ''],
    ['litres per can qty', '0.33', ''],
    ['الكمية', '2400', ''],
    ['الكمية', '2400 عبوة', ''],
    ['qty', '792 l', '792 l'],
    ['qty', '"1,792.5 Litres"', '1792.5 l'],
    ['qty', '1.234 l', ''],
    ['qty', '500g', '500 g'],
    ['Qty (L)', '792', '792 l'],
    ['Quantity in litres', '"1,792"', '1792 l'],
    ['الكمية باللتر', '٧٩٢', '792 l'],
    ['الكمية', '792 لتر', '792 l'],
  ] as const)
    t.strictSame(excise(`code,value,${heading}\n220210,1000,${cell}\n220210,1000,${cell}`)[1], expected, `${heading}: ${cell}`)
})

t.test('origins are read as invoices write them', async t => {
  for (const [text, code] of [
    ['cn', 'CN'],
    ['China', 'CN'],
    ['الصين', 'CN'],
    ['USA', 'US'],
    ['UAE', 'AE'],
    ['السعودية', 'SA'],
    ['', ''],
  ] as const)
    t.equal(originOf(text), code, text)
  t.equal(originOf('XX'), null)
})

t.test('rows survive an address', async t => {
  const rows = [
    { ...NO_ROW, code: '851713', value: '1200.5', origin: 'CN' },
    { ...NO_ROW, code: 'a b', value: '', sugar: '9' },
    { ...NO_ROW, code: '220210', value: '5', excise: '792 l' },
  ]
  t.equal(packRows(rows), '851713_1200.5__CN*a b____9*220210_5____792 l')
  t.strictSame(unpackRows(packRows(rows)), rows)
  t.strictSame(unpackRows(''), [])
  t.equal(new URLSearchParams({ rows: packRows(rows.slice(0, 1)) }).toString(), 'rows=851713_1200.5__CN', 'nothing is escaped')
})

const rowAt = (page: Page, n: number) => page.locator('.inv-row').nth(n - 1)

t.test('in a browser', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)
  const TABLE =
    'item,code,amount,qty,origin\nHorses,0101.29.10,"1,000",,\nOld,851712,50,,\nBad,851713,1.234,,\nDiscs,852321,"$2,000",3,Switzerland'

  t.test('a pasted table is calculated by one request; rows that cannot be say why', async t => {
    const { page, asked, complaints } = await pages.visit(t, '/invoice?country=SA')
    await page.locator('#inv-box').fill(TABLE)
    await rowAt(page, 4).waitFor()
    t.equal(await page.locator('#inv-box').inputValue(), '')
    t.equal(await page.locator('#inv-currency').inputValue(), 'USD', 'the only currency that is named')
    t.equal(await page.locator('#inv-column-1').inputValue(), '2')
    await page.locator('#inv-column-1').selectOption('3')
    t.equal(await rowAt(page, 4).locator('[data-field=value]').inputValue(), '3', 'another column is taken')
    t.equal(await look(page, 'document.activeElement.id'), 'inv-column-1')
    await page.locator('#inv-column-1').selectOption('2')
    await page.locator('#inv-freight').fill('305')
    await page.getByRole('button', { name: 'Calculate' }).click()
    await page.locator('.inv-result').waitFor()
    t.equal(asked.filter(one => one.includes('tariff/calculate')).length, 1)
    t.match(await rowAt(page, 3).textContent(), 'can mean two amounts')
    t.match(await rowAt(page, 2).textContent(), 'There is no code 851712')
    t.match(await rowAt(page, 4).locator('.inv-duty').textContent(), /^0\.000 %$/, 'free by its origin')
    await rowAt(page, 1).locator('.inv-note', { hasText: 'Horses' }).or(rowAt(page, 1).locator('.inv-note a')).first().waitFor()
    t.match(await page.locator('.inv-result h2').textContent(), 'Total of 2 of 4 rows')
    t.match(await page.locator('.inv-result').textContent(), 'not in the total')
    // 1,000 + 2,000 of 3,050 get 300 of 305
    t.equal(await page.locator('[data-figure=declared_value]').textContent(), '3,300.00USD')
    t.strictSame(await barriers(page), [])
    await rowAt(page, 2)
      .getByRole('button', { name: /^Use 8517/ })
      .first()
      .click()
    await page.locator('.inv-result h2', { hasText: 'Total of 3 of 4 rows' }).waitFor()
    await rowAt(page, 3)
      .getByRole('button', { name: /thousands/ })
      .click()
    await page.locator('.inv-result h2', { hasText: 'Total of 4 rows' }).waitFor()
    const landed = await page.locator('[data-figure=landed_cost]').textContent()

    const [csv] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download CSV' }).click()])
    const lines = readFileSync(await csv.path(), 'utf8')
      .trimEnd()
      .split('\r\n')
    t.match(lines[0], /^\ufeffrow,hs_code,description_en,description_ar,origin/)
    t.equal(lines.length, 6)
    t.match(lines[1], /^1,01012910,/)
    t.match(lines[4], /^4,852321,.*,CH,3,2000,/)
    t.match(lines[5], /^total,/)
    const [excel] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download Excel' }).click(),
    ])
    const sheet = await readSheet(readFileSync(await excel.path()))
    t.equal(sheet[1]?.[1], '01012910', 'codes are text')
    t.equal(sheet[4]?.[6], 2000)

    await page.locator('[data-copy=link]').click()
    await page.locator('[data-copy=link]', { hasText: 'Copied' }).waitFor()
    const link = new URL(await look<string>(page, 'navigator.clipboard.readText()'))
    const other = await pages.visit(t, link.pathname + link.search)
    await other.page.locator('[data-figure=landed_cost]', { hasText: landed as string }).waitFor()

    const sent = () => asked.filter(one => one.includes('tariff/calculate')).length
    const before = sent()
    await page.waitForTimeout(400)
    await page.reload()
    await page.locator('[data-figure=landed_cost]', { hasText: landed as string }).waitFor()
    t.equal(sent(), before, 'after a reload nothing is asked for again')
    await rowAt(page, 4).getByRole('button', { name: 'Remove row 4' }).click()
    t.equal(await page.locator('.inv-result').count(), 0, 'no total of before')
    await page.locator('.inv-out', { hasText: 'Calculate again' }).waitFor()
    await page.getByRole('button', { name: 'Start over' }).click()
    t.equal(await rowAt(page, 1).locator('[data-field=code]').inputValue(), '')
    await page.reload()
    await rowAt(page, 3).waitFor()
    t.equal(await rowAt(page, 1).locator('[data-field=code]').inputValue(), '')
    t.notMatch(page.url(), 'rows')
    t.strictSame(complaints, [])
  })

  t.test('more rows than an invoice takes are refused in a sentence, and nothing is lost', async t => {
    const { page, asked } = await pages.visit(t, '/invoice')
    const many = `code;value\n${'851713;12345.67\n'.repeat(101)}`
    await page.locator('#inv-box').fill(many)
    await page.locator('.inv-form > .complaint', { hasText: 'at most 100 rows' }).waitFor()
    t.equal(await page.locator('.inv-row').count(), 3)
    t.match(await page.locator('#inv-box').inputValue(), '851713;12345.67')
    await page.locator('#inv-box').fill(many.replace('851713;12345.67\n', ''))
    await rowAt(page, 100).waitFor()
    await page.getByRole('button', { name: 'Calculate' }).click()
    await page.locator('.inv-result h2', { hasText: 'Total of 100 rows' }).waitFor()
    t.notOk(asked.some(one => one.includes('rows=')))
    t.notMatch(page.url(), 'rows=', 'too long for an address')
    t.equal(await page.locator('[data-copy=link]').count(), 0)
  })

  for (const lang of ['en', 'ar'] as const)
    t.test(`typed on a phone, with excise, for another destination, on paper (${lang})`, async t => {
      const words = strings[lang]
      const { page, complaints } = await pages.visit(t, `/invoice?country=SA&lang=${lang}`, { lang, size: PHONE })
      await page.locator('#inv-box').pressSequentially('010221; 900; 100\n')
      t.equal(await rowAt(page, 1).locator('[data-field=quantity]').inputValue(), '100')
      await rowAt(page, 2).locator('[data-field=code]').fill('0102')
      await rowAt(page, 2).locator('[data-field=value]').fill('100')
      await page.keyboard.press('Enter')
      await page.locator('.inv-result').waitFor()
      const own = invoiceStrings[lang]
      t.match(await rowAt(page, 1).textContent(), own.needsSugar, 'the row says what is missing')
      t.match(await page.locator('.inv-result').textContent(), own.exciseLeftOut('1'), 'and so does the total')
      await page.getByLabel(own.inRow(own.exciseQuantity.l as string, 1)).fill('100')
      await page.getByLabel(own.inRow(own.sugar, 1)).fill('9')
      await page.keyboard.press('Enter')
      await page.locator('[data-figure=excise_amount]', { hasText: '109.00' }).waitFor()
      t.match(await page.locator('.inv-result').textContent(), 'SAR')
      t.strictSame(await barriers(page), [])
      await look(page, 'void (window.print = () => { window.isPrinted = true })')
      await page.locator('[data-print-sheet]').click()
      await until(page, 'window.isPrinted === true')
      const text = await look<string>(page, `document.querySelector('body > .sheet').textContent`)
      for (const one of [sheetStrings.en.invoiceTitle, sheetStrings.ar.invoiceTitle, 'أبقار أصيلة للتربية', '1.2.3'])
        t.match(text, one)
      t.equal((await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g)?.length, 1)
      await page.locator('#inv-destination').selectOption('KW')
      // Kuwait has no excise on these goods: the quantity for excise is not sent, and no row is refused
      await page.locator('.inv-result h2', { hasText: own.result(2, 2) }).waitFor()
      t.match(await page.locator('[data-figure=landed_cost]').textContent(), 'SAR', 'amounts keep their currency')
      t.equal(await rowAt(page, 1).locator('[data-field=quantity]').inputValue(), '100', 'the rows stay')
      await until(page, `document.activeElement.id === 'inv-destination'`)
      await page.locator('#inv-vat').fill('500')
      await page.getByRole('button', { name: lang === 'ar' ? 'احسب' : 'Calculate' }).click()
      await page.locator('.inv-terms .complaint', { hasText: words.calcBadVat }).waitFor()
      t.strictSame(complaints, [])
    })

  for (const lang of ['en', 'ar'] as const)
    t.test(`the quantity of an invoice is never taken for litres; the visitor says so or enters them (${lang})`, async t => {
      const own = invoiceStrings[lang]
      const { page, complaints } = await pages.visit(t, `/invoice?country=SA&lang=${lang}`, { lang })
      await page.getByLabel(own.box).fill('code,value,qty\n010221,900,"2,400"\n0101,50,3')
      const sugar = page.getByLabel(own.inRow(own.sugar, 1))
      await page.getByRole('button', { name: own.go, exact: true }).click()
      await sugar.fill('9')
      await page.getByRole('button', { name: own.go, exact: true }).click()
      await page.locator('.inv-result').waitFor()
      const excise = page.locator('.inv-result dl div', { hasText: strings[lang].calcExcise })
      t.equal(await excise.count(), 0, '2,400 cans are not 2,400 litres')
      t.match(await rowAt(page, 1).textContent(), own.needsSugar)
      const litres = page.getByLabel(own.inRow(own.exciseQuantity.l as string, 1))
      t.equal(await litres.inputValue(), '', 'nothing is guessed')
      t.equal(await page.getByLabel(own.inRow(own.exciseQuantity.l as string, 2)).count(), 0, 'goods without excise ask for none')
      t.strictSame(await barriers(page), [])
      await litres.fill('792')
      await page.keyboard.press('Enter')
      // 1.09 per litre
      await excise.filter({ hasText: '863.28' }).waitFor()
      t.match(await rowAt(page, 1).textContent(), (own.exciseOn.l as string).replace('{amount}', '792'))
      const [csv] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: strings[lang].checkDownload }).click(),
      ])
      t.match(readFileSync(await csv.path(), 'utf8').split('\r\n')[1], /^1,010221,.*,"?2,400"?,900,.*,863\.28,.*,792,l$/)
      await page.reload()
      await excise.filter({ hasText: '863.28' }).waitFor()
      t.equal(await litres.inputValue(), '792')
      await page.locator('[data-copy=link]').click()
      await page.locator('[data-copy=link]', { hasText: strings[lang].copied }).waitFor()
      const link = new URL(await look<string>(page, 'navigator.clipboard.readText()'))
      const other = await pages.visit(t, link.pathname + link.search, { lang })
      await other.page.locator('.inv-result', { hasText: '863.28' }).waitFor()

      await litres.fill('')
      await page.getByRole('button', { name: own.go, exact: true }).click()
      await rowAt(page, 1)
        .getByText((own.isQuantity.l as string).split('{amount}')[0] as string)
        .waitFor()
      await rowAt(page, 1).getByRole('button', { name: own.yesQuantity }).click()
      await excise.filter({ hasText: '2,616.00' }).waitFor()
      t.strictSame(complaints, [])
    })

  t.test('a stated unit is taken; an address of before that had none asks', async t => {
    const { page } = await pages.visit(t, '/invoice?country=SA&rows=010221_900_100__9')
    await page.getByText(invoiceStrings.en.needsSugar).waitFor()
    await page.goto(`${pages.url}/invoice?country=SA&rows=010221_900_100+litres__9`)
    await page.locator('.inv-result', { hasText: '109.00' }).waitFor()
    t.equal(await page.getByText(invoiceStrings.en.needsSugar).count(), 0)
  })

  t.test('a row is judged by the country that is chosen now', async t => {
    const { page } = await pages.visit(t, '/invoice?country=SA&rows=010221_900____100+l')
    const own = invoiceStrings.en
    await page.getByLabel(own.inRow(own.sugar, 1)).fill('9')
    await page.keyboard.press('Enter')
    await page.locator('.inv-result', { hasText: '109.00' }).waitFor()
    for (const country of ['KW', 'AE', 'SA', 'KW']) {
      await page.getByLabel(strings.en.calcDestination, { exact: true }).selectOption(country)
      await page.getByRole('heading', { name: own.result(1, 1) }).waitFor()
      t.notMatch(await rowAt(page, 1).textContent(), own.refused.split('{')[0] as string, country)
      t.equal((await page.locator('.inv-result').textContent())?.includes('109.00'), country === 'SA', country)
    }
  })

  t.test('a file is taken, and what is not text is refused', async t => {
    const { page } = await pages.visit(t, '/invoice')
    const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
    await page.locator('#inv-file').setInputFiles(file('a.xlsx', 'PK\u0003\u0004\u0000'))
    await page.locator('.inv-form > .complaint', { hasText: strings.en.checkNotText }).waitFor()
    await page.locator('#inv-file').setInputFiles(file('a.csv', 'code,value\n851713,100\n'))
    await page.getByRole('button', { name: 'Calculate' }).click()
    await page.locator('[data-figure=landed_cost]', { hasText: '105.00AED' }).waitFor()
  })
})
