/** The page /docs/api, which shows the OpenAPI document, in a real browser. */
import type { Browser, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { OPENAPI } from '../../src/contract/openapi.js'
import { accessibilityFaults, sharedBrowser, until, WITHOUT_BROWSER } from '../support/browser.js'
import { prepared, startServe } from '../support/cli.js'

const skip = WITHOUT_BROWSER

/** Faults in the viewer's own markup that no style can repair. */
const SWAGGER_UI_RULES = {
  'heading-order': { enabled: false },
  region: { enabled: false },
  'nested-interactive': { enabled: false },
}

interface Watched {
  page: Page
  /** The hosts of all requests. */
  hosts: Set<string>
  /** Complaints of the browser: errors, and everything that the content security policy blocked. */
  browserErrors: string[]
}

async function watched(t: Test, options: Parameters<Browser['newContext']>[0] = {}): Promise<Watched> {
  const context = await (await sharedBrowser()).newContext(options)
  t.teardown(() => context.close())
  const page = await context.newPage()
  const hosts = new Set<string>()
  const browserErrors: string[] = []
  page.on('request', request => hosts.add(new URL(request.url()).host))
  page.on('console', message => message.type() === 'error' && browserErrors.push(message.text()))
  page.on('pageerror', error => browserErrors.push(error.message))
  return { page, hosts, browserErrors }
}

const OPERATION = '#operations-Service-dataset'

/** The status that the viewer shows for its request. */
async function tryIt(page: Page): Promise<string> {
  await page.click(`${OPERATION} .opblock-summary-control`)
  await page.click(`${OPERATION} .execute`)
  const cell = page.locator(`${OPERATION} .live-responses-table tbody .response-col_status`)
  await cell.waitFor()
  return (await cell.innerText()).trim()
}

const operations = Object.values(OPENAPI.paths as Record<string, object>).flatMap(path =>
  Object.keys(path).filter(name => name === 'get' || name === 'post'),
).length

t.test('a request can be tried without entering a key, and nothing is loaded from other sites', { skip }, async t => {
  const { url } = await startServe(t, await prepared(t))
  const { page, hosts, browserErrors } = await watched(t)
  await page.goto(`${url}/docs/api`)
  await page.waitForSelector('html[data-ready=with-key]')
  t.equal(await page.locator('.opblock').count(), operations, 'every operation is shown')
  t.match(await tryIt(page), '200')
  t.strictSame([...hosts], [new URL(url).host])
  t.strictSame(browserErrors, [])
})

t.test("the viewer uses the visitor's own key, which the pages have stored in the browser", { skip }, async t => {
  const served = await startServe(t, { ...(await prepared(t)), HSAPI_EXPLORER: 'key' })
  const [, key = ''] = /X-Api-Key: (hs_free_\w+)/.exec(served.output()) ?? []
  const { page } = await watched(t)
  await page.goto(`${served.url}/docs/api`)
  await page.waitForSelector('html[data-ready=without-key]')
  t.match(await tryIt(page), '401')
  await page.evaluate(`localStorage.setItem('hsapi-key', '${key}')`)
  // open another address first, because the viewer remembers which operations were open
  await page.goto('about:blank')
  await page.goto(`${served.url}/docs/api`)
  await page.waitForSelector('html[data-ready=with-key]')
  t.match(await tryIt(page), '200')
})

t.test('on a phone all of the contract is readable, in both themes', { skip }, async t => {
  const { url } = await startServe(t, await prepared(t))
  const { page } = await watched(t, { viewport: { width: 320, height: 640 } })
  await page.goto(`${url}/docs/api`)
  await page.waitForSelector('html[data-ready]')
  t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'nothing scrolls sideways')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await until(page, `document.documentElement.classList.contains('dark-mode') === ${colorScheme === 'dark'}`)
    t.strictSame(
      await accessibilityFaults(page, `{ resultTypes: ['violations'], rules: ${JSON.stringify(SWAGGER_UI_RULES)} }`),
      [],
    )
  }
})
