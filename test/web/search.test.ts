/** The search box in a real browser: suggestions, results, filters, keys, addresses. */
import t from 'tap'
import { DESKTOP, goWithin, inPage, openPages, type Pages, PHONE, until, WITHOUT_BROWSER } from '../support/browser.js'

t.test('searching', { skip: WITHOUT_BROWSER }, async t => {
  const pages: Pages = await openPages(t)

  t.test('suggestions follow typing, and keys choose among them as in any combobox', async t => {
    const { page, browserErrors } = await pages.visit(t, '/')
    const box = page.getByRole('combobox', { name: 'Search by words or code' })
    await page.keyboard.press('Tab')
    await page.keyboard.press('/')
    t.ok(await inPage(page, 'document.activeElement.id === "q"'), '/ moves the focus to the box')
    await box.pressSequentially('hor')
    const options = page.locator('#suggestions [role=option]')
    await options.first().waitFor()
    t.equal(await box.getAttribute('aria-expanded'), 'true')
    t.match(await options.first().textContent(), /hor/i)
    await page.keyboard.press('ArrowDown')
    t.equal(await box.getAttribute('aria-activedescendant'), await options.first().getAttribute('id'))
    t.equal(await options.first().getAttribute('aria-selected'), 'true')
    const chosen = await box.inputValue()
    t.not(chosen, 'hor', 'the box shows what Enter would search for')
    await page.keyboard.press('Escape')
    t.equal(await box.inputValue(), 'hor', 'Escape restores the typed text')
    t.equal(await box.getAttribute('aria-expanded'), 'false')
    await box.pressSequentially('s')
    await options.first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\?q=/)
    t.ok(await page.locator('#suggestions').isHidden(), 'the list is closed')
    t.equal(new URL(page.url()).searchParams.get('q'), await box.inputValue())
    t.strictSame(browserErrors, [])
  })

  t.test('suggestions are one row above the results; a pressed result does not move when the row closes', async t => {
    for (const lang of ['en', 'ar'] as const)
      for (const size of [DESKTOP, PHONE]) {
        const { page } = await pages.visit(t, `/?lang=${lang}`, { lang, size })
        const words = lang === 'ar' ? 'خيو' : 'hors'
        await page.locator('#q').pressSequentially(words)
        await page.locator('.summary', { hasText: words }).waitFor()
        const hit = page.locator('.results .hit').first()
        const firstCode = (place: string) => `document.querySelector('${place} .code')?.textContent`
        // each letter has its own suggestions, and the last ones may arrive after the results
        await until(page, `${firstCode('.results .hit')} === ${firstCode('#suggestions [role=option]')}`)
        const tops = await inPage<number[]>(page, `[...document.querySelectorAll('[role=option]')].map(one => one.offsetTop)`)
        t.equal(new Set(tops).size, 1, 'all suggestions are in one row')
        const [row, list] = [await page.locator('#suggestions').boundingBox(), await page.locator('main').boundingBox()]
        t.ok((row?.y ?? 0) + (row?.height ?? 0) <= (list?.y ?? 0), 'the row does not cover anything')
        t.ok((row?.height ?? 0) < 60)
        const code = await hit.locator('.code').textContent()
        await hit.click()
        await page.waitForURL(new RegExp(`/code/${code}`))
        t.ok(await page.locator('#suggestions').isHidden())
      }
  })

  t.test('a result has its path, its marked words, both languages, rate and level', async t => {
    const { page } = await pages.visit(t, '/?q=telephones')
    const first = page.locator('.results li').first()
    await first.waitFor()
    t.match(await page.locator('.summary').textContent(), /\d+ codes? for telephones/)
    const texts = await page.locator('.results mark').allTextContents()
    t.ok(texts.includes('Telephones'), 'words are marked in upper and lower case')
    const li = page.locator('.results li', { hasText: 'other than smartphones' })
    t.match(await li.locator('.above').textContent(), /85.*Electrical machines.*8517.*Telephones/)
    t.match(await li.locator('.badge').textContent(), /Duty 0 %/)
    t.match(await li.locator('.level').textContent(), 'Subheading')
    t.equal(await li.locator('.second [lang=ar]').textContent(), 'هواتف من غير الذكية')
    t.equal(await li.locator('.code').last().textContent(), '851718', 'the code has only digits')
  })

  t.test('the words of a query are marked in every form and spelling', async t => {
    const marked = async (q: string) => {
      const { page } = await pages.visit(t, `/?q=${encodeURIComponent(q)}`)
      await page.locator('.results li').first().waitFor()
      return page.locator('.results mark').allTextContents()
    }
    t.ok((await marked('horse')).includes('Horses'), 'the query has the singular, the text the plural')
    t.ok((await marked('بطاقه')).includes('بطاقات'), 'the query has haa for taa marbuta, the text the plural')
    t.ok((await marked('الخيول')).includes('خيول'), 'the query has an article')
    t.ok((await marked('اصيله')).includes('أصيلة'), 'the query has no hamza')
    t.ok((await marked('خُيُول')).includes('خيول'), 'the query has harakat')
    t.strictSame(
      await marked('8517'),
      Array((await marked('8517')).length).fill('8517'),
      'the first digits of each code are marked',
    )
  })

  t.test('more results load by scrolling and by button, and are shown again after Back', async t => {
    const { page } = await pages.visit(t, '/?q=measuring', { size: { width: 1280, height: 500 } })
    const items = page.locator('.results li')
    await items.first().waitFor()
    t.equal(await items.count(), 20)
    await page.mouse.wheel(0, 20_000)
    await until(page, 'document.querySelectorAll(".results li").length >= 40')
    const codes = await page.locator('.results .hit > .code').allTextContents()
    t.equal(new Set(codes).size, codes.length, 'no code is listed twice')
    const y = await inPage<number>(page, 'window.scrollY')
    const link = items.nth(30).getByRole('link')
    await link.click()
    await page.locator('.record').waitFor()
    await page.goBack()
    await until(page, 'document.querySelectorAll(".results li").length >= 40')
    await until(page, 'window.scrollY > 400')
    t.ok(y > 0)
  })

  t.test('filters by level and by chapter are in the address, and can be removed', async t => {
    const { page } = await pages.visit(t, '/?q=telephones')
    await page.locator('.results li').first().waitFor()
    await page.locator('.segments label:has(input[value="4"])').click()
    await page.waitForURL(/level=4/)
    await until(page, '[...document.querySelectorAll(".hit > .code")].every(one => one.textContent.length === 4)')
    await goWithin(page, '/?q=telephones&level=4&in=01')
    await page.locator('[data-state=empty]').waitFor()
    await page.getByRole('link', { name: 'Search everywhere' }).click()
    await page.locator('.results li').first().waitFor()
    t.notMatch(page.url(), /in=|level=/)
    await page.goBack()
    await page.locator('[data-state=empty]').waitFor()
    t.ok(await page.locator('.segments input[value="4"]').isChecked())
  })

  t.test('an older answer that comes late is not shown', async t => {
    const { page } = await pages.visit(t, '/')
    let release = () => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    await page.route(/(search|suggest)\?q=ho(&|$)/, async route => {
      await released
      await route.continue().catch(() => {})
    })
    const box = page.getByRole('combobox', { name: 'Search by words or code' })
    await box.pressSequentially('ho')
    await page.waitForTimeout(60)
    const suggested = page.waitForResponse(/suggest\?q=horses(&|$)/)
    await box.pressSequentially('rses')
    await suggested
    await page.locator('.summary', { hasText: 'for horses' }).waitFor()
    // enough time to show the answers
    await page.waitForTimeout(500)
    const before = await page.locator('.result-place').innerHTML()
    const options = await page.locator('#suggestions').innerHTML()
    release()
    await page.waitForTimeout(900)
    t.equal(await page.locator('.result-place').innerHTML(), before)
    t.equal(await page.locator('#suggestions').innerHTML(), options)
    t.match(await page.locator('.summary').textContent(), 'for horses')
  })

  t.test('results follow the keystrokes without a pause in typing', async t => {
    const { page } = await pages.visit(t, '/?q=ca')
    await page.locator('.results li').first().waitFor()
    await inPage(
      page,
      `(() => {
      window.took = []
      const box = document.getElementById('q')
      let at = 0
      box.addEventListener('input', () => { at = performance.now() }, true)
      new MutationObserver(() => { if (at) { window.took.push(performance.now() - at); at = 0 } })
        .observe(document.querySelector('.summary'), { childList: true, characterData: true, subtree: true })
    })()`,
    )
    await page.locator('#q').focus()
    await page.keyboard.press('End')
    await page.keyboard.type('rds with a mag', { delay: 100 })
    await page.waitForTimeout(200)
    // `npm run bench:explorer` measures the speed; machines that run tests are busy
    const took = await inPage<number[]>(page, 'window.took')
    t.ok(took.length >= 5, `${took.length} keystrokes were answered`)
  })

  t.test('text typed before the script has loaded is searched for, and typing continues after it', async t => {
    const { page } = await pages.visit(t, '/docs/settings')
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    let goOn = () => {}
    const again = new Promise<void>(resolve => {
      goOn = resolve
    })
    await page.route(/\/assets\/main-/, async route => {
      await held
      await route.continue()
    })
    await page.goto(`${pages.url}/`, { waitUntil: 'commit' })
    await page.locator('#q').pressSequentially('teleph')
    release()
    await page.locator('.summary', { hasText: /for teleph$/ }).waitFor()
    await page.keyboard.type('ones')
    await page.locator('.summary', { hasText: /for telephones$/ }).waitFor()
    t.match(page.url(), /\/\?q=telephones$/)
    await page.route(/\/assets\/main-/, async route => {
      await again
      await route.continue()
    })
    await page.goto(`${pages.url}/code/0101`, { waitUntil: 'commit' })
    await page.locator('#q').pressSequentially('hors')
    await page.locator('#country').selectOption('SA')
    goOn()
    await page.locator('.summary', { hasText: /for hors$/ }).waitFor()
    t.equal(await page.locator('#q').inputValue(), 'hors', 'typing also continues if the focus has moved')
    t.match(page.url(), /\/\?q=hors&country=SA$/)
    t.equal(await page.locator('#country').inputValue(), 'SA', 'the country chosen before the script has loaded is kept')
  })

  t.test('Enter before the script has loaded keeps the language and the country', async t => {
    const { page } = await pages.visit(t, '/docs/settings')
    await page.route(/\/assets\/main-/, route => route.abort())
    const enter = async (from: string, country?: string) => {
      await page.goto(pages.url + from)
      if (country !== undefined) await page.locator('#country').selectOption(country)
      await page.locator('#q').fill('tea')
      await page.locator('#q').press('Enter')
      await page.waitForURL(/q=tea/)
      return Object.fromEntries(new URL(page.url()).searchParams)
    }
    t.strictSame(await enter('/code/0101?country=SA&lang=ar'), { q: 'tea', lang: 'ar', country: 'SA' })
    t.strictSame(await enter('/?lang=ar'), { q: 'tea', lang: 'ar', country: '' })
    t.strictSame(await enter('/browse', 'KW'), { q: 'tea', lang: 'en', country: 'KW' }, 'an early choice of country is kept')
  })

  t.test('the keyboard alone leads from the box to a record and back', async t => {
    const { page } = await pages.visit(t, '/', { size: DESKTOP })
    await page.keyboard.press('/')
    await page.keyboard.type('852')
    await page.locator('.summary', { hasText: 'for 852' }).waitFor()
    await page.keyboard.press('ArrowDown')
    t.equal(await inPage(page, 'document.activeElement.className'), 'hit')
    await page.keyboard.press('ArrowDown')
    const wanted = await inPage<string>(page, 'document.activeElement.querySelector(".code").textContent')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    t.equal(await inPage(page, 'document.activeElement.id'), 'q')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.locator('.record').waitFor()
    t.equal(new URL(page.url()).pathname, `/code/${wanted}`)
    await page.keyboard.press('/')
    await page.keyboard.type('851713')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/code\/851713/)
    t.equal(await page.locator('.record h1 .code').textContent(), '851713', 'a complete code is opened at once')
  })

  t.test('Enter shows the results of the typed text, and pressed again opens the first of them', async t => {
    const { page } = await pages.visit(t, '/')
    await page.locator('#q').pressSequentially('telephones')
    await page.locator('.summary', { hasText: 'for telephones' }).waitFor()
    await page.locator('#suggestions [role=option]').first().waitFor()
    await page.keyboard.press('Enter')
    t.match(page.url(), /\/\?q=telephones$/)
    t.ok(await page.locator('#suggestions').isHidden())
    const first = await page.locator('.results .hit > .code').first().textContent()
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/code/${first}$`))
    await page.goBack()
    await page.locator('.results li').first().waitFor()
    await page.locator('#q').focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Backspace')
    await page.locator('.summary', { hasText: /for telephone$/ }).waitFor()
    await page.keyboard.press('Enter')
    t.match(page.url(), /\/\?q=telephone$/, 'changed text is searched for first')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    const second = await inPage<string>(page, 'document.activeElement.querySelector(".code").textContent')
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/code/${second}$`))
  })

  t.test('the box ignores keys that an input method handles', async t => {
    const { page } = await pages.visit(t, '/?q=telephones')
    await page.locator('.results li').first().waitFor()
    const isTaken = `!document.getElementById('q').dispatchEvent(
      new KeyboardEvent('keydown', { key: 'ArrowDown', isComposing: true, bubbles: true, cancelable: true }))`
    await page.locator('#q').focus()
    t.notOk(await inPage(page, isTaken))
    t.ok(await inPage(page, `document.activeElement.id === 'q'`))
  })

  t.test('a result shows its chapter only if the result before it has another, and lines are under their subheading', async t => {
    const { page } = await pages.visit(t, '/openapi.json')
    const words = (text: string) => ({ en: text, ar: text })
    const step = (code: string) => ({ hs_code: code, description: words(`Place ${code}`) })
    const code = (hs_code: string, ...path: string[]) => ({
      hs_code,
      description: words(`Goods ${hs_code}`),
      tariff_rate: 5,
      path: path.map(step),
    })
    const data = [
      code('851713', '85', '8517'),
      code('010121', '01', '0101'),
      code('851713000002', '85', '8517', '851713'),
      code('010129', '01', '0101'),
      code('851713000001', '85', '8517', '851713'),
    ]
    await page.route('**/api/v1/search*', route => route.fulfill({ json: { success: true, data, meta: { total: 5, count: 5 } } }))
    await page.goto(`${pages.url}/?q=goods`)
    const items = page.locator('.results li')
    await items.first().waitFor()
    t.strictSame(await page.locator('.results .hit > .code').allTextContents(), [
      '851713',
      '851713000002',
      '851713000001',
      '010121',
      '010129',
    ])
    t.strictSame(
      await inPage(page, `[...document.querySelectorAll('.results li')].map(one => one.querySelector('.above') !== null)`),
      [true, false, false, true, false],
    )
    t.equal(await page.locator('.results li.under').count(), 2)
  })

  t.test('the script takes over the painted search box instead of replacing it', async t => {
    for (const lang of ['en', 'ar'] as const) {
      const { page, browserErrors } = await pages.visit(t, '/openapi.json', { lang })
      await page.addInitScript(`addEventListener('readystatechange', () => {
        if (document.readyState !== 'interactive') return
        window.painted = document.getElementById('search-box').innerHTML
        window.box = document.getElementById('q')
      }, { capture: true })`)
      await page.goto(`${pages.url}/?lang=${lang}`)
      await page.locator('.sections li').first().waitFor()
      t.ok(await inPage(page, `document.getElementById('q') === window.box`), 'the box is still the same element')
      t.equal(await inPage(page, `document.getElementById('search-box').innerHTML`), await inPage(page, 'window.painted'))
      await page.locator('#q').fill('851713')
      await page.keyboard.press('Enter')
      await page.locator('.record').waitFor()
      t.strictSame(browserErrors, [])
    }
  })

  t.test('without JavaScript, the page of a search says how to continue', async t => {
    for (const lang of ['en', 'ar'] as const) {
      const { context } = await pages.visit(t, '/openapi.json', { lang })
      const page = await (await context.browser()!.newContext({ javaScriptEnabled: false })).newPage()
      await page.goto(`${pages.url}/?q=horses&lang=${lang}`)
      const notice = page.locator('main .notice')
      t.ok(await notice.isVisible())
      t.match(await notice.textContent(), 'JavaScript')
      t.equal(await notice.locator('a[href="/docs/api"]').count(), 1)
      t.equal(await page.locator('footer a[href="/docs/api"]').count(), 1)
      await notice.locator('a[href="/browse"]').click()
      await page.waitForURL(/\/browse/)
      await page.context().close()
    }
  })

  t.test('the focus stays among the results when better ones arrive', async t => {
    const { page } = await pages.visit(t, '/', { size: DESKTOP })
    let release = () => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    await page.route(/search\?q=852(&|$)/, async route => {
      await released
      await route.continue()
    })
    await page.keyboard.press('/')
    await page.keyboard.type('85')
    await page.locator('.summary', { hasText: 'for 85' }).waitFor()
    await page.keyboard.type('2')
    await page.keyboard.press('ArrowDown')
    t.equal(await inPage(page, 'document.activeElement.className'), 'hit')
    release()
    await page.locator('.summary', { hasText: 'for 852' }).waitFor()
    const first = await page.locator('.results .hit .code').first().textContent()
    t.equal(await inPage(page, 'document.activeElement.querySelector(".code")?.textContent'), first)
  })

  t.test('text of an answer is never inserted as markup', async t => {
    const { page, browserErrors } = await pages.visit(t, '/')
    const words = { en: '<img src=x onerror=alert(1)> tea', ar: '<b>شاي</b>' }
    await page.route('**/api/v1/search*', route =>
      route.fulfill({
        json: {
          success: true,
          data: [
            {
              hs_code: '090210',
              description: words,
              tariff_rate: 0,
              path: [{ hs_code: '09', description: words }],
            },
          ],
          meta: { total: 1, count: 1 },
        },
      }),
    )
    await page.locator('#q').fill('tea')
    await page.locator('.results li').waitFor()
    t.equal(await page.locator('main img, main .second b').count(), 0)
    t.match(await page.locator('.hit-words').textContent(), '<img src=x')
    t.strictSame(browserErrors, [])
  })
})
