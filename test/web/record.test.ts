/** A code with all its data, and the tree that leads to it. */
import t from 'tap'
import { goWithin, inPage, NARROW, openPages, refuse, until, WITHOUT_BROWSER } from '../support/browser.js'

t.test('records and the tree', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)

  t.test('a record shows its path, both languages, its rate with certainty, its lines and editions', async t => {
    const { page, browserErrors } = await pages.visit(t, '/code/851718')
    const record = page.locator('.record')
    await record.locator('.part-lines li').first().waitFor()
    t.match(await record.locator('.crumbs').textContent(), /85.*Electrical machines.*8517.*Telephones/)
    t.equal(await record.locator('.descriptions [lang=en]').textContent(), 'Telephones other than smartphones')
    t.equal(await record.locator('.descriptions [lang=ar]').textContent(), 'هواتف من غير الذكية')
    const sizes = `[...document.querySelectorAll('.descriptions p')].map(one => getComputedStyle(one).fontSize)`
    t.equal(new Set(await inPage<string[]>(page, sizes)).size, 1, 'both languages have the same size')
    const duty = await record.locator('.part-duty').textContent()
    t.match(duty, /0 %/)
    t.match(duty, 'Published')
    t.match(duty, 'Rate set for 8517')
    t.match(duty, 'a published list')
    t.match(await record.locator('.part-lines').textContent(), '851718000000')
    t.match(await record.locator('.editions').textContent(), /HS 2017.*851712/)
    t.equal(await page.title(), '851718 Telephones other than smartphones · hsapi')
    t.strictSame(browserErrors, [])
  })

  t.test('siblings are side by side, and their differences stand out', async t => {
    const { page } = await pages.visit(t, '/code/010121')
    const cards = page.locator('.siblings li')
    await cards.first().waitFor()
    t.ok((await cards.count()) >= 3)
    t.equal(await page.locator('.siblings .current .code').textContent(), '010121')
    // both cards are measured in one call, because content above them may still load and move them
    const tops = await inPage<number[]>(
      page,
      `[...document.querySelectorAll('.siblings li')].slice(0, 2).map(card => card.getBoundingClientRect().top)`,
    )
    t.equal(tops[0], tops[1], 'the first two cards are in one row')
    const bold = await cards.nth(1).locator('b').allTextContents()
    t.strictSame(bold, ['other than pure-bred breeding horses'], 'the word that the siblings share is not bold')
    await cards.nth(1).getByRole('link').click()
    await page.waitForURL(/\/code\/010129/)
    await page.locator('.siblings .current', { hasText: '010129' }).waitFor()
  })

  for (const lang of ['en', 'ar'] as const)
    t.test(`text runs in the direction of its own language, whatever the language of the page (${lang})`, async t => {
      const { page } = await pages.visit(t, '/openapi.json', { lang })
      for (const [path, ready] of [
        ['/?q=horses', '.results .second'],
        ['/code/010121', '.siblings li'],
      ] as const) {
        await page.goto(`${pages.url}${path}${path.includes('?') ? '&' : '?'}lang=${lang}`)
        await page.locator(ready).first().waitFor()
        const directions = await inPage<string[]>(
          page,
          `[...new Set([...document.querySelectorAll('main [lang]')]
            .map(one => one.lang + ' ' + getComputedStyle(one).direction))].sort()`,
        )
        t.strictSame(directions, ['ar rtl', 'en ltr'], path)
      }
    })

  t.test('while the visitor types, the calculator shows the figures of the API, to the last digit', async t => {
    const { page } = await pages.visit(t, '/code/01012910')
    const landed = page.locator('[data-figure=landed_cost]')
    await landed.waitFor()
    const value = page.locator('#calc-value')
    await value.fill('1000')
    await page.locator('[data-figure=import_duty_amount]', { hasText: '65.00' }).waitFor()
    t.match(await landed.textContent(), '1,118.25')
    await value.fill('٢٬٠٠٠')
    await page.locator('[data-figure=import_duty_amount]', { hasText: '130.00' }).waitFor()
    await value.fill('999999999999.99')
    await page.getByRole('button', { name: 'Exact figures' }).click()
    await until(page, `document.querySelector('[data-figure=landed_cost]').textContent.startsWith('1,118,249,999,999.988')`)
    t.match(await landed.textContent(), /^1,118,249,999,999\.9888\d+/, 'the amount has more digits than a float can hold')
    await page.locator('#calc-vat').fill('15')
    await page.locator('#calc-currency').selectOption('SAR')
    await page.waitForURL(/currency=SAR/)
    await value.fill('0')
    await page.locator('.part-calc .complaint').waitFor()
    await value.fill('100')
    await landed.waitFor()
    t.match(await landed.textContent(), 'SAR')
    const shared = await pages.visit(t, new URL(page.url()).pathname + new URL(page.url()).search)
    await shared.page.locator('[data-figure=landed_cost]').waitFor()
    t.match(await shared.page.locator('.calc-out').textContent(), /VAT 15 %/, 'the VAT rate is in the address')
  })

  t.test('a subheading has a calculator, a heading has none', async t => {
    const { page } = await pages.visit(t, '/code/0102')
    await page.locator('.code-actions').waitFor()
    t.equal(await page.locator('.part-calc').count(), 0)
    await goWithin(page, '/code/010221')
    await page.locator('.part-calc').waitFor()
  })

  t.test('the code and a CSV row are copied in the form that other programs expect', async t => {
    const { page } = await pages.visit(t, '/code/010221')
    await page.locator('.record').waitFor()
    const copied = async (name: string) => {
      await page.locator(`[data-copy=${name}]`).click()
      await page.locator(`[data-copy=${name}]`, { hasText: 'Copied' }).waitFor()
      return inPage<string>(page, 'navigator.clipboard.readText()')
    }
    t.equal(await copied('code'), '010221')
    t.equal(await copied('row'), '010221,"Cattle ""of pedigree"" \\ for breeding",أبقار أصيلة للتربية,5')
    const selected = await inPage<string>(
      page,
      `(() => { getSelection().selectAllChildren(document.querySelector('.record h1 .code')); return getSelection().toString() })()`,
    )
    t.equal(selected, '010221', 'text selected by hand also has only digits')
  })

  t.test('a printed record is one page with date and dataset, without siblings, buttons and navigation', async t => {
    for (const path of ['/code/903110', '/code/851713000000', '/code/851713?lang=ar']) {
      const { page } = await pages.visit(t, path, { theme: 'dark' })
      await page.locator('.siblings .current').waitFor()
      await page.locator('[data-figure=landed_cost]').waitFor()
      const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g)
      t.equal(sheets?.length, 1, path)
      t.ok(await page.locator('.print-note').isHidden())
      await page.emulateMedia({ media: 'print' })
      t.match(await page.locator('.print-note').textContent(), /\d{4}-\d\d-\d\d.*2022.*1\.2\.3.*\/code\/\d+$/, path)
      for (const one of ['.tools', '.search', '.bar nav', '.in-tree', '.siblings']) t.ok(await page.locator(one).isHidden(), one)
      t.equal(await inPage(page, 'getComputedStyle(document.documentElement).backgroundColor'), 'rgb(255, 255, 255)')
    }
  })

  t.test('before a heading is printed, all codes below it are fetched', async t => {
    const { page } = await pages.visit(t, '/code/9031')
    await page.locator('.part-below li').first().waitFor()
    await inPage(page, 'void (window.print = () => { window.printed = document.querySelectorAll(".part-below li").length })')
    const [, total = ''] = /of (\d+)/.exec((await page.locator('.part-below .load-more').textContent()) ?? '') ?? []
    await page.getByRole('button', { name: 'Print', exact: true }).click()
    await until(page, 'window.printed > 0')
    t.equal(await inPage(page, 'window.printed'), Number(total))
  })

  t.test(
    "the pages of an earlier edition's code, an unknown code, and a text that is not a code offer a way to continue",
    async t => {
      const { page } = await pages.visit(t, '/code/851712')
      await page.locator('[data-state=missing] li', { hasText: 'Smartphones' }).first().waitFor()
      t.match(await page.locator('[data-state=missing]').textContent(), /851712 is no longer in use.*It was a code of HS 2017/)
      await page.goto(`${pages.url}/code/85171355`)
      t.match(await page.locator('[data-state=missing]').textContent(), 'The nearest existing code is 851713')
      await goWithin(page, '/code/8517.13')
      await page.locator('[data-state=missing]').getByRole('link', { name: '851713' }).first().click()
      await page.locator('.record').waitFor()
    },
  )

  t.test('the tree opens by click and by arrow keys, and its address opens it again', async t => {
    for (const lang of ['en', 'ar'] as const) {
      const { page } = await pages.visit(t, `/browse?lang=${lang}`, { lang })
      const [inward, outward] = lang === 'ar' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']
      const items = page.getByRole('treeitem')
      await items.first().waitFor()
      await items.first().focus()
      await page.keyboard.press(inward)
      t.equal(await items.first().getAttribute('aria-expanded'), 'true')
      await page.keyboard.press(inward)
      t.match(await inPage(page, 'document.activeElement.textContent'), /^01\s/)
      await page.keyboard.press(inward)
      await page.getByRole('treeitem', { name: /^0101 / }).waitFor()
      t.match(page.url(), /\/browse\/01/)
      await page.keyboard.press(inward)
      await page.keyboard.press(inward)
      await page.getByRole('treeitem', { name: /^010121 / }).waitFor()
      t.match(page.url(), /\/browse\/0101/)
      await page.keyboard.press(outward)
      t.equal(await page.getByRole('treeitem', { name: /^010121 / }).count(), 0)
      await page.keyboard.press('End')
      await page.keyboard.press('Home')
      t.equal(await page.locator('[role=treeitem][tabindex="0"]').count(), 1, 'the tree has only one tab stop')
      await page
        .getByRole('treeitem', { name: /^0102 / })
        .locator('.tree-words')
        .click()
      await page.getByRole('treeitem', { name: /^010221 / }).waitFor()
      await page.reload()
      await page.getByRole('treeitem', { name: /^010221 / }).waitFor()
      t.match(await inPage(page, 'document.activeElement.textContent'), /^0102\s/)
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/code\/0102\b/)
    }
  })

  t.test('an error in a branch is shown there, with a retry; the rest of the tree still works', async t => {
    const { page, browserErrors } = await pages.visit(t, '/browse')
    let isBroken = true
    await page.route(/hs-codes\/01\/children/, route => (isBroken ? refuse(route, 500, 'internal_error') : route.continue()))
    const item = (code: string) => page.getByRole('treeitem', { name: new RegExp(`^${code} `) })
    await page.getByRole('treeitem').first().click()
    await item('01').locator('.tree-words').click()
    const notice = page.locator('.tree .tree-wait [data-state=broken]')
    await notice.waitFor()
    await item('01').locator('.tree-words').click()
    t.equal(await notice.count(), 0, 'a closed branch shows no error')
    await page.keyboard.press('ArrowRight')
    await notice.waitFor()
    await page.getByRole('treeitem').last().click()
    t.equal(await notice.count(), 1)
    isBroken = false
    await notice.getByRole('button').press('Enter')
    await item('0101').waitFor()
    t.strictSame(browserErrors, [])
  })

  t.test('typing letters or digits in the tree moves the focus to the row that starts with them', async t => {
    const { page } = await pages.visit(t, '/browse/0101')
    await page.locator('[role=treeitem]:focus').waitFor()
    const focused = () => inPage<string>(page, 'document.activeElement.textContent')
    await page.keyboard.type('0102')
    t.match(await focused(), /^0102 /)
    await page.getByRole('treeitem').first().focus()
    await page.keyboard.press('ArrowDown')
    t.match(await focused(), /^01 /, 'the search starts from the row with the focus')
  })

  t.test('the tree skips a code that only pads another with zeros: 851713 shows its line at once', async t => {
    const { page } = await pages.visit(t, '/browse/851713', { size: NARROW })
    await page.getByRole('treeitem', { name: /^851713000000 / }).waitFor()
    t.equal(await page.getByRole('treeitem', { name: /^85171300 / }).count(), 0)
    await page
      .getByRole('treeitem', { name: /^851713000000 / })
      .locator('.tree-words')
      .click()
    await page.waitForURL(/\/code\/851713000000/)
    await page.getByText('Declared under this line').waitFor()
  })
})
