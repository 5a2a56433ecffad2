/** Codes stored in the browser: starred, recently opened, and selected for comparison. */
import t from 'tap'
import { strings } from '../../src/web/app/text/strings.js'
import { inPage, openPages, until, WITHOUT_BROWSER } from '../support/browser.js'

t.test('kept codes', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)

  for (const lang of ['en', 'ar'] as const) {
    const s = strings[lang]

    t.test(`two codes are shown side by side, with their differences marked, for the chosen country (${lang})`, async t => {
      const { page, browserErrors, asked } = await pages.visit(t, `/compare?codes=8523.21,852329&country=SA&lang=${lang}`, {
        lang,
      })
      await page.locator('.compare-names').waitFor()
      t.match(await page.title(), s.compareTitle)
      t.strictSame(await page.locator('.compare-table thead .code').allTextContents(), ['852321', '852329'])
      for (const which of ['en', 'ar']) {
        t.equal(await page.locator(`.compare-words-${which} td`).count(), 2)
        t.ok((await page.locator(`.compare-words-${which} mark`).count()) > 0, which)
        t.equal(await page.locator(`.compare-words-${which} [lang=${which}]`).count(), 2)
      }
      const marks = await page.locator('.compare-words-en td').first().locator('mark').allTextContents()
      t.ok(marks.includes('stripe'), marks.join())
      t.notOk(marks.includes('Magnetic'), 'words that both texts share are not marked')
      t.equal(await page.locator('.compare-path .shared').count(), 4, 'chapter and heading of both codes are shared')
      t.match(await page.locator('.compare-rate .badge').last().textContent(), new RegExp(s.prohibited))
      t.equal(await page.locator('.compare-title', { hasText: s.countries.SA }).count(), 1)
      t.ok((await page.locator('.compare-controls .badge').count()) > 0)
      t.ok((await page.locator('.compare-notes .notes-group, .compare-shared-notes .notes-group').count()) > 0)
      t.ok(asked.some(address => /hs-codes\/852321\?.*country=SA/.test(address)))
      await page.locator('#compare-code').fill('851713')
      await page.keyboard.press('Enter')
      await page.waitForURL(/codes=852321%2C852329%2C851713/)
      await until(page, `document.querySelectorAll('.compare-table thead th').length === 3`)
      await page.locator('#compare-code').fill('x')
      await page.keyboard.press('Enter')
      await page.locator('.complaint:not(:empty)').waitFor()
      await page.locator('.compare-table thead .square').first().click()
      await page.waitForURL(/codes=852329%2C851713/)
      await page.goBack()
      await until(page, `document.querySelectorAll('.compare-table thead th').length === 3`)
      t.strictSame(browserErrors, [])
    })
  }

  t.test('codes are picked from the results and on a record page, and a link leads to the comparison', async t => {
    const { page, browserErrors } = await pages.visit(t, '/?q=8523')
    const picks = page.locator('.results .pick')
    await picks.first().waitFor()
    const first = (await page.locator('.results .hit .code').first().textContent()) as string
    await page.getByRole('button', { name: `Compare ${first}`, exact: true }).click()
    t.equal(await picks.first().getAttribute('aria-pressed'), 'true')
    t.match(page.url(), /\?q=8523/, 'the result was not opened')
    await page.goto(`${pages.url}/code/851713`)
    await page.locator('[data-keep=compare]').waitFor()
    const link = page.locator('.code-actions .compare-link')
    t.equal(await link.count(), 0, 'a record of a code that was not chosen has no link to the comparison')
    await page.locator('[data-keep=compare]').click()
    t.equal(await page.locator('[data-keep=compare]').getAttribute('aria-pressed'), 'true')
    t.equal(await link.textContent(), strings.en.compareGo(2))
    await link.click()
    await page.waitForURL(url => url.pathname === '/compare' && url.searchParams.get('codes') === `${first},851713`)
    await page.locator('.compare-names').waitFor()
    await page.locator('.compare-table thead .square').last().click()
    await page.waitForURL(url => url.searchParams.get('codes') === first)
    await page.goto(`${pages.url}/code/851713`)
    t.equal(await page.locator('[data-keep=compare]').getAttribute('aria-pressed'), 'false', 'the code was removed')
    t.strictSame(browserErrors, [])
  })

  t.test('a fifth code is refused, with a link to the comparison', async t => {
    const { page } = await pages.visit(t, '/compare?codes=01,0101,010121,010129')
    await page.locator('.compare-names').waitFor()
    await page.goto(`${pages.url}/code/851713`)
    await page.locator('[data-keep=compare]').click()
    await page.locator('.code-actions .hint', { hasText: strings.en.compareFull(4) }).waitFor()
    t.equal(await page.locator('[data-keep=compare]').getAttribute('aria-pressed'), 'false')
    t.match(await page.locator('.code-actions .compare-link').getAttribute('href'), 'codes=01%2C0101%2C010121%2C010129')
  })

  t.test('codes starred or chosen in one tab appear in another tab, and on a comparison page opened without codes', async t => {
    const { page, context } = await pages.visit(t, '/code/851713')
    const pressed = (name: string) => `document.querySelector('[data-keep=${name}]')?.getAttribute('aria-pressed')`
    await page.locator('[data-keep=star]').waitFor()
    const second = await context.newPage()
    await second.goto(`${pages.url}/code/851713`)
    await second.locator('[data-keep=star]').click()
    await second.locator('[data-keep=compare]').click()
    await until(page, `${pressed('star')} === 'true' && ${pressed('compare')} === 'true'`)
    await page.goto(`${pages.url}/compare`)
    await page.locator('.compare-link', { hasText: strings.en.compareGo(1) }).waitFor()
    const pick = page.locator('.kept-starred .pick')
    t.equal(await pick.getAttribute('aria-pressed'), 'true')
    await second.locator('[data-keep=compare]').click()
    await until(page, `document.querySelector('.compare-link') === null`)
    t.equal(await pick.getAttribute('aria-pressed'), 'false')
    await second.locator('[data-keep=star]').click()
    await until(page, `document.querySelector('.kept-starred') === null`)
  })

  t.test('at most four codes are compared; an unknown code is reported, and without codes the page asks for some', async t => {
    const { page } = await pages.visit(t, '/compare?codes=01,0101,010121,010129,8523')
    await page.locator('.compare-names').waitFor()
    t.equal(await page.locator('.compare-table thead th').count(), 4)
    t.equal(await page.locator('.compare-tools .warning').count(), 1)
    t.equal(await page.locator('#compare-code').count(), 0)
    await page.goto(`${pages.url}/compare?codes=852399,8523`)
    await page.locator('[data-state=missing]').waitFor()
    t.equal(await page.locator('.compare-table thead th').count(), 1)
    await page.goto(`${pages.url}/compare`)
    await page.locator('#compare-code').waitFor()
    t.equal(await page.locator('.compare-table').count(), 0)
  })

  t.test('starred and recent codes are listed on the start page, in its language, and can be cleared', async t => {
    const { page, browserErrors, asked } = await pages.visit(t, '/code/851713')
    await page.locator('[data-keep=star]').click()
    t.equal(await page.locator('[data-keep=star]').textContent(), strings.en.starred)
    await page.goto(`${pages.url}/code/0101`)
    await page.locator('[data-keep=star]').waitFor()
    await page.goto(`${pages.url}/?lang=ar`)
    await page.locator('.kept-starred li').waitFor()
    t.match(await page.locator('.kept-starred li').textContent(), /851713.*هواتف/, 'the starred code is in Arabic, like the page')
    t.match(await page.locator('.kept-recent').textContent(), /0101/)
    t.notMatch(await page.locator('.kept-recent').textContent(), /851713/, 'a starred code is not listed twice')
    const before = asked.length
    await page.locator('.kept-starred .pick').click()
    await until(page, `document.querySelector('.kept-starred .pick').getAttribute('aria-pressed') === 'true'`)
    await page.locator('.kept-recent button').click()
    await until(page, `document.querySelector('.kept-recent') === null`)
    await page.locator('.kept-starred .quiet').click()
    await until(page, `document.querySelector('.kept-starred') === null`)
    t.equal(asked.length, before, 'none of the codes is sent to the server')
    await page.reload()
    await page.locator('.sections li').first().waitFor()
    t.equal(await page.locator('.kept').count(), 0)
    t.strictSame(browserErrors, [])
  })

  t.test('the pages work even if localStorage contains invalid data or is blocked', async t => {
    const { page, browserErrors } = await pages.visit(t, '/openapi.json')
    await inPage(
      page,
      `['hsapi-starred', 'hsapi-recent', 'hsapi-compared'].forEach((name, i) =>
        localStorage.setItem(name, ['{"a":1', '[1,null,{"hs_code":"<b>"},{"hs_code":"0101","description":{"en":"x"}}]', '5'][i]))`,
    )
    await page.goto(pages.url)
    await page.locator('.sections li').first().waitFor()
    t.equal(await page.locator('.kept').count(), 0)
    await page.addInitScript(`Object.defineProperty(window, 'localStorage', { get() { throw new Error('forbidden') } })`)
    await page.goto(`${pages.url}/code/851713`)
    await page.locator('[data-keep=star]').click()
    t.equal(
      await page.locator('[data-keep=star]').getAttribute('aria-pressed'),
      'true',
      'the star stays until the page is closed',
    )
    t.strictSame(browserErrors, [])
  })

  t.test('unit and controls are at the top of a record, and exclusions above its lines', async t => {
    const { page } = await pages.visit(t, '/code/852329')
    await page.locator('.facts').waitFor()
    t.match(await page.locator('.facts').textContent(), new RegExp(strings.en.controlKinds.prohibited))
    t.ok((await page.locator('.part-controls li').count()) > 0)
    await page.locator('.notes-excludes').waitFor()
    t.equal(await page.locator('.notes-excludes').getAttribute('open'), '')
    const top = (selector: string) => inPage<number>(page, `document.querySelector('${selector}').getBoundingClientRect().top`)
    t.ok((await top('.part-controls')) < (await top('.part-duty')))
    t.ok((await top('.notes-excludes')) < (await top('.part-lines')))
    for (const code of ['851713', '851713000000']) {
      await page.goto(`${pages.url}/code/${code}`)
      await page.locator('.facts').waitFor()
      t.match(await page.locator('.facts').textContent(), /\(u, UN\/ECE H87\)/, code)
    }
    await page.goto(`${pages.url}/code/010121`)
    await page.locator('.facts').waitFor()
    t.match(await page.locator('.facts').textContent(), strings.en.controlsByLine)
  })
})
