/** The search box on a page of another site with a strict policy, and on the server's example page. */
import { statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { packageRoot } from '../../src/package-root.js'
import { embedStrings } from '../../src/web/embed/embed-strings.js'
import { WORDS } from '../../src/web/embed/words.js'
import { accessibilityFaults, inPage, openPages, PHONE, WITHOUT_BROWSER } from '../support/browser.js'
import { prepared, run } from '../support/cli.js'

const BYTES_MAX = 12_000

t.test('the search box is small', async t => {
  const size = statSync(join(packageRoot(), 'dist', 'web', 'hsapi-search.js.br')).size
  t.ok(size < BYTES_MAX, `${size} bytes`)
})

/** A site that only knows the address of the box. Its policy allows no styles except its own file, which does not exist. */
async function openSite(t: Test, html: (lang: string) => string, allowed: () => string): Promise<number> {
  const site = createServer((req, res) => {
    const { searchParams } = new URL(req.url ?? '/', 'http://x')
    const from = allowed()
    res.setHeader('Content-Security-Policy', `default-src 'none'; script-src ${from}; connect-src ${from}; form-action 'self'`)
    res.setHeader('Content-Type', 'text/html; charset=utf-8')
    res.end(html(searchParams.get('lang') ?? 'en'))
  })
  await new Promise<void>(done => site.listen(0, '127.0.0.1', done))
  t.teardown(() => {
    site.closeAllConnections()
    site.close()
  })
  return (site.address() as AddressInfo).port
}

t.test('in a browser', { skip: WITHOUT_BROWSER }, async t => {
  const env = await prepared(t)
  const { key } = JSON.parse((await run(['keys', 'create', '--tier', 'free', '--json'], env)).stdout) as { key: string }
  let server = ''
  const port = await openSite(
    t,
    lang => `<!doctype html><html lang="${lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Shop</title>
<script src="${server}/embed/hsapi-search.js" defer></script>
<main><h1>Shop</h1><form><label for="goods">Code</label>
<hsapi-search id="goods" name="hs_code" server="${server}" key="${key}" level="6" country="SA" required></hsapi-search>
<input name="lang" type="hidden" value="${lang}"><button>Go</button></form></main></html>`,
    () => server,
  )
  const shop = `http://127.0.0.1:${port}`
  const pages = await openPages(t, { ...env, HSAPI_CORS_ORIGINS: shop })
  server = pages.url

  for (const lang of ['en', 'ar'] as const)
    t.test(`on a page of another origin, the box finds codes, notifies the page and submits with the form (${lang})`, async t => {
      const { page, browserErrors } = await pages.visit(t, '/openapi.json', { lang, theme: lang === 'ar' ? 'dark' : 'light' })
      await page.goto(`${shop}/?lang=${lang}`)
      const input = page.getByRole('combobox', { name: 'Code' })
      await page.getByRole('button', { name: 'Go' }).click()
      t.equal(new URL(page.url()).searchParams.has('hs_code'), false, 'the form is not submitted without a code')
      await inPage(page, `void document.addEventListener('hsapi-select', event => { window.chosen = event.detail })`)
      await input.fill(lang === 'ar' ? 'خيول' : 'horses')
      const options = page.getByRole('option')
      await options.first().waitFor()
      t.equal(await input.getAttribute('aria-expanded'), 'true')
      t.strictSame(await accessibilityFaults(page), [])
      const direction = await inPage(
        page,
        `getComputedStyle(document.querySelector('hsapi-search').shadowRoot.querySelector('li')).direction`,
      )
      t.equal(direction, lang === 'ar' ? 'rtl' : 'ltr')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowUp')
      t.equal(await options.first().getAttribute('aria-selected'), 'true')
      t.equal(await input.getAttribute('aria-activedescendant'), 'option-0')
      await page.keyboard.press('Enter')
      const chosen = await inPage<{ hs_code: string; tariff_rate: number; rate: { country: string } }>(page, 'window.chosen')
      t.match(chosen.hs_code, /^\d{6}$/, 'the code has the requested level')
      t.equal(chosen.rate.country, 'SA')
      t.equal(await input.inputValue(), chosen.hs_code)
      t.equal(await inPage(page, `document.getElementById('goods').value`), chosen.hs_code)
      t.equal(await options.count(), 0)
      t.strictSame(await accessibilityFaults(page), [])
      await page.keyboard.press('Enter')
      await page.waitForURL(`${shop}/?hs_code=${chosen.hs_code}&lang=${lang}`)
      t.strictSame(browserErrors, [])
    })

  t.test(
    'Escape closes the list, a click chooses a code, typing removes it, and a complete code is chosen automatically',
    async t => {
      const { page } = await pages.visit(t, '/openapi.json', { size: PHONE })
      await page.goto(shop)
      const value = () => inPage<string>(page, `document.getElementById('goods').value`)
      const input = page.getByRole('combobox')
      const options = page.getByRole('option')
      await input.fill('horses')
      await options.first().waitFor()
      await page.keyboard.press('Escape')
      t.equal(await options.count(), 0)
      t.equal(await input.inputValue(), 'horses')
      await page.keyboard.press('ArrowDown')
      await options.first().click()
      t.match(await value(), /^\d{6}$/)
      await inPage(page, `window.heard = []; document.addEventListener('change', event => window.heard.push(event.target.value))`)
      await input.press('Backspace')
      t.equal(await value(), '', 'a code that is being edited is not chosen')
      t.strictSame(await inPage(page, 'window.heard'), [''], 'the page is notified')
      await input.fill('0101.21')
      await options.first().waitFor()
      await page.getByRole('button').focus()
      t.equal(await value(), '010121')
      await inPage(page, `document.querySelector('form').reset()`)
      t.equal(await value(), '')
      t.equal(await input.inputValue(), '')
      t.equal(await inPage(page, 'document.documentElement.scrollWidth'), PHONE.width)
    },
  )

  t.test('if the server does not allow the site or the key, the box shows a message', async t => {
    const { page } = await pages.visit(t, '/openapi.json')
    // another name of this machine counts as another origin
    await page.goto(`http://localhost:${port}`)
    await page.getByRole('combobox').fill('horses')
    await page.getByText(WORDS.en.origin).waitFor()
    await page.goto(shop)
    await inPage(page, `document.getElementById('goods').setAttribute('key', 'hs_free_wrong')`)
    await page.getByRole('combobox').fill('horses')
    await page.getByText(WORDS.en.key).waitFor()
    await page.route('**/api/v1/search*', (route, request) =>
      request.method() === 'OPTIONS'
        ? route.continue()
        : route.fulfill({ status: 429, headers: { 'Access-Control-Allow-Origin': shop, 'Retry-After': '1' }, body: '{}' }),
    )
    await page.getByRole('combobox').fill('cattle')
    await page.getByText(WORDS.en.limit).waitFor()
    await page.unroute('**/api/v1/search*')
    await inPage(page, `document.getElementById('goods').setAttribute('key', '${key}')`)
    await page.getByRole('option').first().waitFor()
  })

  for (const lang of ['en', 'ar'] as const)
    t.test(`the example page works on the server itself (${lang})`, async t => {
      const { page, browserErrors } = await pages.visit(t, `/embed/?lang=${lang}`, { lang })
      const words = embedStrings[lang]
      await page.goto(`${pages.url}/embed?lang=${lang}`)
      await page.locator('hsapi-search[key]').waitFor({ state: 'attached' })
      await page.getByRole('combobox', { name: words.label }).fill('0101.21')
      await page.getByRole('option').first().click()
      await page.getByRole('button', { name: words.send, exact: true }).click()
      t.equal(await page.locator('#sent').textContent(), 'hs_code=010121')
      t.match(JSON.parse((await page.locator('#event').textContent()) ?? ''), { hs_code: '010121' })
      t.match(await page.locator('#source').textContent(), `${pages.url}/embed/hsapi-search.js`)
      t.notMatch(await page.locator('#source').textContent(), /hs_(?:page|free)_/)
      t.strictSame(browserErrors, [])
    })
})
