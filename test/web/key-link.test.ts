/** A link with a key: the visitor is asked, the key is checked, and the visitor's own key is not replaced before that. */
import t from 'tap'
import { strings } from '../../src/web/app/text/strings.js'
import { accessibilityFaults, inPage, openPages, refuse, until, WITHOUT_BROWSER } from '../support/browser.js'
import { prepared, run } from '../support/cli.js'

const KEPT = 'localStorage.getItem("hsapi-key")'

t.test('where a key is needed', { skip: WITHOUT_BROWSER }, async t => {
  const env = { ...(await prepared(t)), HSAPI_EXPLORER: 'key' }
  const create = async (...args: string[]): Promise<string> =>
    JSON.parse((await run(['keys', 'create', '--tier', 'pro', '--json', ...args], env)).stdout).key
  const [own, other, spent] = [await create(), await create(), await create('--per-minute', '0')]
  const pages = await openPages(t, env)

  for (const lang of ['en', 'ar'] as const) {
    const words = strings[lang]

    t.test(`a visitor without a key is asked before the key of a link is used (${lang})`, async t => {
      const { page, asked, browserErrors } = await pages.visit(t, `/?lang=${lang}#key=${own}`)
      const dialog = page.getByRole('dialog', { name: words.keyOfferTitle })
      await dialog.waitFor()
      t.equal(page.url(), `${pages.url}/?lang=${lang}`, 'the key is removed from the address')
      t.equal(await inPage(page, KEPT), null)
      t.notMatch(await dialog.textContent(), words.keyOfferReplaces)
      t.notMatch(await dialog.textContent(), own, 'the whole key is not shown')
      t.match(await dialog.textContent(), own.slice(-4))
      t.strictSame(await accessibilityFaults(page), [])
      await dialog.getByRole('button', { name: words.keyGo }).click()
      await page.locator('.sections li').first().waitFor()
      t.equal(await inPage(page, KEPT), own)
      t.equal(await dialog.count(), 0)
      t.notOk(asked.some(address => address.includes(own)))
      t.strictSame(browserErrors, [])
    })

    t.test(`a visitor with a key keeps it unless another one is accepted and valid (${lang})`, async t => {
      const { page } = await pages.visit(t, `/openapi.json`)
      await page.evaluate(`localStorage.setItem('hsapi-key', '${own}')`)
      const open = async (key: string) => {
        await page.goto(`${pages.url}/code/8517?lang=${lang}`)
        // as if pasted into the address bar of an open page
        await page.evaluate(`location.hash = 'key=${key}'`)
        return page.getByRole('dialog', { name: words.keyOfferTitle })
      }
      const refused = await open(other)
      await refused.waitFor()
      t.match(await refused.textContent(), words.keyOfferReplaces)
      await refused.getByRole('button', { name: words.keyOfferNo }).click()
      await refused.waitFor({ state: 'detached' })
      t.equal(await inPage(page, KEPT), own, 'an ignored offer replaces nothing')
      await (await open(other)).waitFor()
      await page.keyboard.press('Escape')
      await refused.waitFor({ state: 'detached' })
      t.equal(await inPage(page, KEPT), own, 'a closed dialog replaces nothing')

      const wrong = await open('hs_free_wrong')
      await wrong.getByRole('button', { name: words.keyGo }).click()
      await wrong.getByText(words.keyWrong).waitFor()
      t.equal(await inPage(page, KEPT), own, 'an invalid key replaces nothing')

      let isAway = true
      await page.route('**/api/v1/dataset', route => (isAway ? route.abort() : route.continue()))
      const good = await open(other)
      await good.getByRole('button', { name: words.keyGo }).click()
      await good.getByText(words.keyUnchecked).waitFor()
      t.equal(await inPage(page, KEPT), own, 'a key that could not be checked replaces nothing')
      isAway = false
      await good.getByRole('button', { name: words.keyGo }).click()
      await good.waitFor({ state: 'detached' })
      t.equal(await inPage(page, KEPT), other)

      const used = await open(spent)
      await used.getByRole('button', { name: words.keyGo }).click()
      await used.waitFor({ state: 'detached' })
      t.equal(await inPage(page, KEPT), spent, 'a key with a used-up quota is still valid')
    })
  }

  t.test('the page does not ask about the key that the browser already has', async t => {
    const { page } = await pages.visit(t, `/openapi.json`)
    await page.evaluate(`localStorage.setItem('hsapi-key', '${own}')`)
    await page.goto(`${pages.url}/#key=${own}`)
    await page.locator('.sections li').first().waitFor()
    await until(page, 'location.hash === ""')
    t.equal(await page.getByRole('dialog').count(), 0)
  })

  t.test('an expired key is reported as expired', async t => {
    const { page } = await pages.visit(t, `/#key=${own}`)
    await page.route('**/api/v1/dataset', route => refuse(route, 401, 'api_key_expired'))
    await page.getByRole('button', { name: strings.en.keyGo }).last().click()
    await page.getByRole('dialog').getByText(strings.en.keyExpired).waitFor()
    t.equal(await inPage(page, KEPT), null)
  })
})

t.test('where no key is needed, a key in a link is ignored', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)
  const { page } = await pages.visit(t, '/#key=hs_free_of_somebody')
  await page.locator('.sections li').first().waitFor()
  await page.waitForLoadState('networkidle')
  t.equal(page.url(), `${pages.url}/`)
  t.equal(await page.getByRole('dialog').count(), 0)
  t.equal(await inPage(page, KEPT), null)
})
