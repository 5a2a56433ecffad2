/** The page of the admin port in a browser: the token, figures, and a key from creation to revocation. */
import { join } from 'node:path'
import t from 'tap'
import { KeyFile } from '../../src/keys/key-file.js'
import { adminUrl } from '../support/admin.js'
import {
  accessibilityFaults,
  BEYOND,
  DESKTOP,
  inPage,
  NARROW,
  openPages,
  Pages,
  PHONE,
  until,
  WITHOUT_BROWSER,
} from '../support/browser.js'
import { ask, makeKey, temporaryDirectory } from '../support/service.js'

const TOKEN = 'a long token'
const LOOKUP = '/api/v1/hs-codes/85'
const DIALOG = 'dialog[open]'

const SMALL = `[...document.querySelectorAll('button, .button, select, input, summary')]
  .filter(one => one.offsetParent && one.type !== 'checkbox' && one.getBoundingClientRect().height < 43.5)
  .map(one => one.outerHTML.slice(0, 80))`

t.test('in a browser', { skip: WITHOUT_BROWSER }, async t => {
  const data = join(temporaryDirectory(t), 'data')
  const opened = await openPages(t, {
    HSAPI_DATA_DIR: data,
    HSAPI_ADMIN_PORT: '0',
    HSAPI_ADMIN_TOKEN: TOKEN,
    HSAPI_EXPLORER: 'off',
  })
  const { served } = opened
  const admin = await adminUrl(served)
  const pages = new Pages(opened.browser, { ...served, url: admin })
  const statusOf = async (key: string) => (await ask(served.url, LOOKUP, { 'x-api-key': key })).status

  t.test('a key is created, shown once, rotated and revoked; without the token nothing is shown', async t => {
    const { page, browserErrors, asked } = await pages.visit(t, '/')
    await page.locator('#token').waitFor()
    t.equal(await page.locator('.keys-table, .figures').count(), 0)
    await page.fill('#token', 'wrong')
    await page.keyboard.press('Enter')
    await page.getByText('does not accept this token').waitFor()
    await page.fill('#token', TOKEN)
    await page.keyboard.press('Enter')
    await page.locator('.keys-table tbody tr').first().waitFor()
    t.match(await page.locator('.figures').textContent(), /Requests a second.*Latency.*2022/s)

    await page.click('#create')
    await page.fill('#key-name', 'Gulf Freight')
    await page.selectOption('#key-tier', 'pro')
    await page.fill('#key-day', 'many')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('A limit must be a whole number').waitFor()
    await page.fill('#key-day', '7,000')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const shown = page.locator('#new-key')
    await shown.waitFor()
    const key = (await shown.textContent()) ?? ''
    t.match(key, /^hs_pro_/)
    await page.keyboard.press('Escape')
    t.ok(await shown.isVisible(), 'Escape does not discard a key that was not copied')
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByText('Copied').first().waitFor()
    t.equal(await inPage(page, 'navigator.clipboard.readText()'), key)
    await page.getByRole('button', { name: 'I have saved it' }).click()
    t.equal(await page.locator(DIALOG).count(), 0)
    t.equal(await statusOf(key), 200)
    const row = page.locator('tr:has-text("Gulf Freight")')
    await row.waitFor()
    t.match(await row.textContent(), /pro.*200 a minute.*7,000 a day.*Active/s)
    await until(page, `document.querySelector('tr[data-id]')?.cells[2].textContent === '1'`)

    await row.getByRole('button', { name: 'Rotate Gulf Freight' }).click()
    await page.selectOption('#grace', '24h')
    await page.locator(DIALOG).getByRole('button', { name: 'Rotate', exact: true }).click()
    await shown.waitFor()
    const second = (await shown.textContent()) ?? ''
    t.not(second, key)
    t.match(await page.locator(DIALOG).textContent(), /The old key works until/)
    await page.getByRole('button', { name: 'I have saved it' }).click()
    t.strictSame([await statusOf(key), await statusOf(second)], [200, 200])

    const revoke = row.getByRole('button', { name: 'Revoke Gulf Freight' })
    await revoke.click()
    t.equal(await inPage(page, 'document.activeElement.textContent'), 'Cancel', 'an accidental Enter revokes nothing')
    await page.keyboard.press('Enter')
    t.equal(await statusOf(second), 200)
    await revoke.click()
    await page.getByRole('button', { name: 'Revoke for good' }).click()
    await page.locator('tr[data-status=revoked]:has-text("Gulf Freight")').waitFor()
    t.equal(await statusOf(second), 401)
    t.equal(await row.getByRole('button').count(), 0)

    const everything = 'document.documentElement.outerHTML + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)'
    t.notMatch(await inPage<string>(page, everything), /hs_pro_/, 'no key stays in the page or in storage')
    t.equal(await inPage(page, 'JSON.stringify(localStorage)'), '{}')
    t.match(await inPage(page, 'JSON.stringify(sessionStorage)'), TOKEN)
    t.strictSame(
      asked.filter(address => /token|hs_pro/.test(address)),
      [],
      'neither the token nor a key is in an address',
    )
    t.strictSame([...new Set(asked.map(address => new URL(address).origin))], [admin])
    await page.reload()
    await page.locator('.keys-table tbody tr').first().waitFor()
    await page.getByRole('button', { name: 'Forget token' }).click()
    await page.locator('#token').waitFor()
    t.equal(await inPage(page, 'JSON.stringify(sessionStorage)'), '{}')
    t.equal(await page.locator('.keys-table').count(), 0)
    t.strictSame(browserErrors, [])
  })

  t.test(
    'figures are fetched only while the page is visible; the address has the search and the shown part of the list',
    async t => {
      await new KeyFile(data).put(Array.from({ length: 110 }, (_, n) => makeKey('free', { name: `Company ${n}` }).record))
      const { page, asked } = await pages.visit(t, '/', { clock: true })
      await page.fill('#token', TOKEN)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Older' }).click()
      await page.waitForURL(/page=2/)
      await until(page, `/^101–/.test(document.querySelector('.keys-head p').textContent)`)
      await page.goBack()
      await until(page, `/^1–100/.test(document.querySelector('.keys-head p').textContent)`)
      await page.fill('#search', 'company 107')
      await page.clock.runFor(300)
      await until(page, `document.querySelectorAll('.keys-table tbody tr').length === 1`)
      t.match(page.url(), /search=company\+107/)
      const usages = () => asked.filter(address => address.endsWith('/usage')).length
      const before = usages()
      await page.clock.runFor(5_100)
      await until(page, 'true')
      t.ok(usages() > before, 'figures are fetched every few seconds')
      await page.evaluate(
        `Object.defineProperty(document, 'hidden', { value: true }); document.dispatchEvent(new Event('visibilitychange'))`,
      )
      const hidden = usages()
      await page.clock.runFor(60_000)
      t.equal(usages(), hidden, 'nothing is fetched while the page is hidden')
    },
  )

  for (const lang of ['en', 'ar'] as const)
    t.test(`the page is accessible in both themes and at every size (${lang})`, async t => {
      await ask(served.url, '/nowhere')
      const { page, browserErrors } = await pages.visit(t, `/?search=company+1&lang=${lang}`, { lang })
      const check = async (what: string) => {
        await page.setViewportSize(DESKTOP)
        await page.emulateMedia({ colorScheme: 'light' })
        t.strictSame(await accessibilityFaults(page), [], what)
        await page.emulateMedia({ colorScheme: 'dark' })
        t.strictSame(await accessibilityFaults(page, `{ runOnly: ['color-contrast'] }`), [], `${what}: dark theme`)
        for (const size of [DESKTOP, PHONE, NARROW]) {
          await page.setViewportSize(size)
          t.strictSame(await inPage(page, BEYOND), [], `${what}: ${size.width} px`)
        }
        t.strictSame(await inPage(page, SMALL), [], `${what}: every control is large enough for a finger`)
      }
      await page.locator('#token').waitFor()
      await check('token')
      await page.fill('#token', TOKEN)
      await page.keyboard.press('Enter')
      await page.locator('.keys-table tbody tr').first().waitFor()
      await page.locator('summary').first().click()
      await check('keys')
      t.equal(await inPage(page, 'document.documentElement.dir'), lang === 'ar' ? 'rtl' : 'ltr')
      await page.click('#create')
      await page.locator(DIALOG).waitFor()
      await check('create')
      await page.locator(`${DIALOG} .button-strong`).click()
      await page.locator('#new-key').waitFor()
      await check('new key')
      await page.locator(`${DIALOG} .button`).last().click()
      await page.locator('.row-actions .button').last().click()
      await check('revoke')
      t.strictSame(browserErrors, [])
    })
})
