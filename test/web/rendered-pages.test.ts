/** Rendered pages in a browser: readable without JavaScript, and hydrated without fetching anything again. */
import t from 'tap'
import { accessibilityFaults, inPage, openPages, until, WITHOUT_BROWSER } from '../support/browser.js'

const PUBLIC_URL = 'https://hs.example.com'

t.test('a public site', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t, { HSAPI_EXPLORER: 'public', HSAPI_PUBLIC_URL: PUBLIC_URL })
  /** API requests, except the estimate, which depends on the visitor's last input. */
  const isAsked = (address: string) => /\/api\//.test(address) && !address.includes('/tariff/')

  t.test('can be read without JavaScript, in both languages', async t => {
    const { page, browserErrors } = await pages.visit(t, '/code/851713', { script: false })
    t.match(await page.locator('.descriptions').textContent(), /Smartphones.*هواتف ذكية/)
    t.match(await page.locator('.part-duty').textContent(), /0 %/)
    await page.locator('.crumbs a', { hasText: '8517' }).first().click()
    await page.getByRole('heading', { name: '8517' }).waitFor()
    await page.locator('#language').click()
    await page.waitForURL(/\/code\/8517\?lang=ar/)
    t.match(await page.locator('h1').last().textContent(), '8517')
    await page.locator('.in-tree').click()
    await page.waitForURL(/\/browse\/8517\?lang=ar/)
    await page.locator('.tree-words a', { hasText: 'هواتف ذكية' }).waitFor()
    await page.goto(`${pages.url}/browse`)
    const chapter = page.locator('.tree a[href="/browse/90"]')
    t.notOk(await chapter.isVisible())
    await page.locator('summary', { hasText: 'Instruments' }).click()
    await chapter.click()
    await page.waitForURL(/\/browse\/90$/)
    await page.goto(`${pages.url}/code/851712`)
    t.match(await page.locator('[data-state=missing]').textContent(), /HS 2017.*851713/)
    t.strictSame(browserErrors, [])
  })

  t.test('is accessible before its script has loaded', async t => {
    const { page } = await pages.visit(t, '/openapi.json')
    // scripts stay enabled because axe needs them
    await page.route('**/assets/main-*', route => route.abort())
    for (const path of ['/code/8517', '/code/8517?lang=ar&country=SA', '/browse/8517?lang=ar', '/code/851712']) {
      await page.goto(pages.url + path)
      t.strictSame(await accessibilityFaults(page), [], path)
    }
  })

  t.test('does not request data that is in the document', async t => {
    const { page, asked, browserErrors } = await pages.visit(t, '/code/8517?country=SA')
    t.equal(
      await inPage(page, `document.querySelector('link[rel=canonical]').href`),
      `${PUBLIC_URL}/code/8517?country=SA&lang=en`,
    )
    await page.locator('.code-actions').waitFor()
    await page.locator('.part-lines li').first().waitFor()
    await page.locator('.siblings li').first().waitFor()
    t.match(await page.locator('.part-duty').textContent(), 'Duty rate in Saudi Arabia')
    t.strictSame(asked.filter(isAsked), [])
    await page.locator('.siblings a', { hasText: '8523' }).click()
    await page.getByRole('heading', { name: '8523' }).waitFor()
    t.ok(asked.some(isAsked), 'the next record is requested')
    t.equal(await inPage(page, `document.querySelector('link[rel=canonical]')`), null, 'the page has another address now')
    for (const [path, ready] of [
      ['/code/85', '.siblings li'],
      ['/code/851713000000?lang=ar', '.part-calc'],
      ['/browse', '[role=treeitem]'],
      ['/browse/01012910', '[role=treeitem]:focus'],
      ['/code/851712', '.successors span[lang]'],
      ['/code/852399', '[data-state=missing]'],
    ] as const) {
      asked.length = 0
      await page.goto(pages.url + path)
      // only the script creates the calculator's buttons, the tree's roles and the search links
      await until(page, `document.getElementById('first-answers') === null`)
      await page.locator(ready).first().waitFor()
      t.strictSame(asked.filter(isAsked), [], path)
    }
    t.strictSame(browserErrors, [], 'the policy allows data in the document')
  })

  t.test('the script takes over the rendered tree, also for a country, unless its address has changed', async t => {
    const { page } = await pages.visit(t, '/openapi.json')
    const kept = async (path: string) => {
      let release = () => {}
      const held = new Promise<void>(resolve => {
        release = resolve
      })
      await page.route('**/assets/main-*', async route => {
        await held
        await route.continue()
      })
      await page.goto(pages.url + path, { waitUntil: 'commit' })
      await until(page, `document.querySelector('footer') !== null`)
      await inPage(page, `void (document.querySelector('.tree').isServers = true)`)
      release()
      await page.getByRole('tree').waitFor()
      await page.unroute('**/assets/main-*')
      return inPage(page, `document.querySelector('.tree').isServers === true`)
    }
    for (const path of ['/browse', '/browse?section=XVI', '/browse/851713?lang=ar', '/browse/8517?country=SA'])
      t.ok(await kept(path), path)
    await inPage(page, `localStorage.setItem('hsapi-country', 'AE')`)
    t.notOk(await kept('/browse/8517'), 'this browser shows another country')
    t.match(await page.locator('.tree-open').first().getAttribute('href'), 'country=AE')
  })

  t.test('a dotted code redirects to its digits and keeps all parameters', async t => {
    const { page } = await pages.visit(t, '/code/8517.13?value=1,000&lang=ar')
    t.match(page.url(), /\/code\/851713\?value=1%2C000&(?:currency=AED&)?lang=ar/)
    t.equal(await page.locator('#calc-value').inputValue(), '1,000')
    t.equal(await inPage(page, `document.querySelector('link[rel=canonical]')`), null, 'a shared address contains the value')
  })
})
