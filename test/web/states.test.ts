/** Pages without an answer: they show a sentence and what to do next, in both languages. */
import t, { type Test } from 'tap'
import { shellStrings, strings } from '../../src/web/app/text/strings.js'
import { goWithin, inPage, type Language, openPages, refuse, until, WITHOUT_BROWSER } from '../support/browser.js'
import { until as eventually } from '../support/until.js'

const LANGUAGES: readonly Language[] = ['en', 'ar']

/** Requests for results, but not those for the counts of facets. */
// regexp-ignore: addresses of a test
const RESULTS = /\/api\/v1\/search\?(?!.*facets=)/

t.test('both languages have all texts', async t => {
  const keys = Object.keys(strings.en).sort()
  t.strictSame(Object.keys(strings.ar).sort(), keys)
  for (const key of keys as (keyof typeof strings.en)[]) {
    const [en, ar] = [strings.en[key], strings.ar[key]]
    t.equal(typeof ar, typeof en, key)
    if (typeof en !== 'string' || typeof ar !== 'string') continue
    const places = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort()
    t.strictSame(places(ar), places(en), key)
  }
  t.equal(strings.ar.results(2), 'رمزان')
  t.equal(strings.ar.results(7), '7 رموز')
  t.equal(strings.ar.results(103), '103 رموز')
  t.equal(strings.ar.results(218), '218 رمزا')
  t.equal(strings.en.results(1), '1 code')
})

t.test('states', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)
  // these tests mostly wait
  t.jobs = 4
  const each = (name: string, run: (t: Test, lang: Language) => Promise<void>) => {
    for (const lang of LANGUAGES) t.test(`${name} (${lang})`, { buffered: true }, sub => run(sub, lang))
  }

  each('if nothing is found, the page offers the tree', async (t, lang) => {
    const { page } = await pages.visit(t, `/?q=zzzzqqqq&lang=${lang}`)
    const state = page.locator('[data-state=empty]')
    await state.waitFor()
    t.match(await state.textContent(), strings[lang].emptyText)
    await state.getByRole('link', { name: strings[lang].toBrowse }).click()
    await page.getByRole('tree').waitFor()
  })

  each('the page waits for a slow answer, and shows it when it arrives', async (t, lang) => {
    const { page } = await pages.visit(t, `/shipment?lang=${lang}`, { clock: true })
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    await page.route('**/api/v1/search*', async route => {
      await held
      await route.continue().catch(() => {})
    })
    await page.locator('#q').fill('horses')
    await page.locator('[aria-busy=true] .skeleton').waitFor()
    await page.clock.fastForward(3000)
    await page.locator('[data-state=slow]').waitFor()
    t.match(await page.locator('[data-state=slow]').textContent(), strings[lang].slowTitle)
    t.ok(await page.getByRole('button', { name: strings[lang].again }).isVisible())
    release()
    await page.locator('.results li').first().waitFor()
    t.equal(await page.locator('[data-state=slow]').count(), 0)
  })

  each('an offline page says so, and continues when the browser is online again', async (t, lang) => {
    const { page, context } = await pages.visit(t, `/?lang=${lang}`)
    await page.locator('.sections li').first().waitFor()
    await context.setOffline(true)
    await page.locator('#q').fill('horses')
    await page.locator('[data-state=offline]').waitFor()
    t.match(await page.locator('[data-state=offline]').textContent(), strings[lang].offlineText)
    await context.setOffline(false)
    await page.locator('.results li').first().waitFor()
  })

  each('over the limit, the page counts down and continues', async (t, lang) => {
    const { page } = await pages.visit(t, `/?lang=${lang}`, { clock: true })
    let refusals = 0
    await page.route(RESULTS, route =>
      refusals++ === 0 ? refuse(route, 429, 'rate_limit_exceeded', { 'Retry-After': '40' }) : route.continue(),
    )
    await page.locator('#q').fill('horses')
    const state = page.locator('[data-state=limit]')
    await state.waitFor()
    t.match(await state.textContent(), strings[lang].limitTitle)
    await page.clock.fastForward(30_000)
    await until(page, `/\\b[5-9] |\\b10 /.test(document.querySelector('.seconds').textContent)`)
    t.equal(refusals, 1, 'the search is not requested before the countdown ends')
    await page.clock.fastForward(11_000)
    await page.locator('.results li').first().waitFor()
    t.equal(refusals, 2)
  })

  each('while the server is starting, the page says so and tries again', async (t, lang) => {
    const { page } = await pages.visit(t, `/shipment?lang=${lang}`, { clock: true })
    let refusals = 0
    await page.route('**/api/v1/hs-codes/8517?*', route =>
      refusals++ === 0 ? refuse(route, 503, 'db_unavailable', { 'Retry-After': '60' }) : route.continue(),
    )
    await goWithin(page, `/code/8517?lang=${lang}`)
    await page.locator('[data-state=starting]').waitFor()
    t.match(await page.locator('[data-state=starting]').textContent(), strings[lang].startingTitle)
    await page.clock.fastForward(60_000)
    await page.locator('.record').waitFor()
  })

  each('after an error of the server, the page offers a retry', async (t, lang) => {
    const { page } = await pages.visit(t, `/?lang=${lang}`)
    let failures = 0
    await page.route('**/api/v1/search*', route => (failures++ === 0 ? refuse(route, 500, 'internal_error') : route.continue()))
    await page.locator('#q').fill('horses')
    await page.locator('[data-state=broken]').waitFor()
    await page.getByRole('button', { name: strings[lang].again }).click()
    await page.locator('.results li').first().waitFor()
  })

  t.test('Enter sends the request again if there was no answer', async t => {
    const { page } = await pages.visit(t, '/')
    let failures = 0
    await page.route('**/api/v1/search*', route => (failures++ === 0 ? refuse(route, 500, 'internal_error') : route.continue()))
    await page.locator('#q').fill('horses')
    await page.locator('[data-state=broken]').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.results li').first().waitFor()
  })

  each('for an address without a page, a link to the start page is shown', async (t, lang) => {
    const { page } = await pages.visit(t, `/shipment?lang=${lang}`)
    await goWithin(page, `/nowhere?lang=${lang}`)
    await page.locator('[data-state=lost]').getByRole('link', { name: strings[lang].toStart }).click()
    await page.locator('.sections li').first().waitFor()
  })

  t.test('a page whose script loads late does not replace the page that the visitor opened in the meantime', async t => {
    const { page } = await pages.visit(t, '/browse')
    await page.getByRole('tree').waitFor()
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    const arrived = page.waitForResponse(/\/assets\/shipment-[A-Z0-9]+\.js$/)
    await page.route(/\/assets\/shipment-[A-Z0-9]+\.js$/, async route => {
      await held
      await route.continue()
    })
    await page.locator('[data-nav=shipment]').click()
    await page.waitForURL(/\/shipment/)
    await page.goBack()
    await page.getByRole('tree').waitFor()
    release()
    const script = (await arrived).url()
    // the page has settled when another import of the same script completes
    await inPage(page, `import('${script}').then(() => new Promise(done => setTimeout(done)))`)
    t.equal(await page.locator('#codes').count(), 0)
    t.ok(await page.getByRole('tree').isVisible())
  })

  t.test("after a restart, the server's new key is used", async t => {
    const { page } = await pages.visit(t, '/')
    await page.locator('.sections li').first().waitFor()
    let refusals = 0
    await page.route(RESULTS, route => (refusals++ === 0 ? refuse(route, 401, 'invalid_api_key') : route.continue()))
    await page.locator('#q').fill('horses')
    await page.locator('.results li').first().waitFor()
    t.equal(refusals, 2)
  })

  t.test('if few requests of the minute are left, the page sends requests only on Enter', async t => {
    const { page } = await pages.visit(t, '/')
    const searches: string[] = []
    let answered = 0
    // also the health check, from which the page reads the remaining quota every five seconds
    await page.route(/api\/v1\/(search|suggest|health)/, async route => {
      const isSearch = !route.request().url().includes('/health')
      if (isSearch) searches.push(route.request().url())
      const response = await route.fetch()
      await route.fulfill({
        response,
        headers: {
          ...response.headers(),
          'x-ratelimit-limit-minute': '30',
          'x-ratelimit-remaining-minute': '3',
        },
      })
      if (isSearch) answered++
    })
    await page.locator('#q').fill('ho')
    const isAsked = (kind: string) => searches.some(url => url.includes(`/${kind}?`))
    await eventually(
      'results and suggestions are answered',
      () => isAsked('search') && isAsked('suggest') && answered === searches.length,
    )
    await page.locator('.quota:visible').waitFor()
    const before = searches.length
    await page.locator('#q').pressSequentially('rses', { delay: 30 })
    await page.waitForTimeout(800)
    t.equal(searches.length, before)
    await page.keyboard.press('Enter')
    await page.locator('.summary', { hasText: 'for horses' }).waitFor()
  })
})

t.test('where a key is needed', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t, { HSAPI_EXPLORER: 'key' })
  const [, key = ''] = /X-Api-Key: (hs_free_\w+)/.exec(pages.served.output()) ?? []

  for (const lang of LANGUAGES) {
    t.test(`the form refuses a wrong key and accepts a valid one, which a button removes again (${lang})`, async t => {
      const words = strings[lang]
      const { page, asked } = await pages.visit(t, `/code/8517?lang=${lang}`)
      const form = page.locator('[data-state=key]').first()
      await form.waitFor()
      t.match(await form.textContent(), words.keyText)
      const input = page.getByLabel(words.keyLabel).first()
      await input.fill('nonsense')
      await page.getByRole('button', { name: words.keyGo }).first().click()
      await page.getByText(words.keyShape).waitFor()
      await input.fill('hs_free_wrong')
      await page.getByRole('button', { name: words.keyGo }).first().click()
      await page.getByText(words.keyWrong).first().waitFor()
      t.equal(await page.getByLabel(words.keyLabel).first().inputValue(), 'hs_free_wrong', 'the refused key can be corrected')
      await page.getByLabel(words.keyLabel).first().fill(key)
      await page.getByRole('button', { name: words.keyGo }).first().click()
      await page.locator('.record').waitFor()
      t.notOk(
        asked.some(address => address.includes('hs_free')),
        'the key was never in an address',
      )
      await page.getByRole('button', { name: shellStrings[lang].forgetKey }).click()
      await page.locator('[data-state=key]').first().waitFor()
      t.notOk(
        await inPage<boolean>(page, `JSON.stringify(localStorage).includes('hs_free')`),
        'the key is removed from the browser',
      )
    })
  }
})
