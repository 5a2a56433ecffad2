/** Batches of the shipment page: each has at most as many codes as the key has requests left. */
import t, { type Test } from 'tap'
import { shipmentStrings } from '../../src/web/app/shipment/shipment-strings.js'
import { accessibilityFaults, openPages, refuse, WITHOUT_BROWSER } from '../support/browser.js'
import { prepared, run } from '../support/cli.js'

t.test("with the visitor's own key", { skip: WITHOUT_BROWSER }, async t => {
  const env = { ...(await prepared(t)), HSAPI_EXPLORER: 'key' }
  const create = async (...args: string[]): Promise<string> =>
    JSON.parse((await run(['keys', 'create', '--json', '--tier', ...args], env)).stdout).key
  const ample = await create('pro')
  const keys = { en: await create('free'), ar: await create('free') }
  const dayKey = await create('pro', '--per-day', '20')
  const pages = await openPages(t, env)

  /** Opens the page with a key. Records the number of codes and the status of each request. */
  const open = async (t: Test, key: string, lang: 'en' | 'ar') => {
    const opened = await pages.visit(t, '/openapi.json', { lang, clock: true })
    const { page } = opened
    const posts: [codes: number, status: number][] = []
    page.on('response', response => {
      if (response.request().method() !== 'POST') return
      const sent = response.request().postDataJSON() as { codes: string[] }
      posts.push([sent.codes.length, response.status()])
    })
    await page.evaluate(`localStorage.setItem('hsapi-key', '${key}')`)
    await page.goto(`${pages.url}/shipment?country=SA&lang=${lang}`)
    const add = async (codes: number) => {
      await page.locator('#ship-box').fill(Array.from({ length: codes }, (_, i) => String(85_171_300 + i)).join('\n'))
      await page.locator('.ship-paste [type=submit]').click()
    }
    return { ...opened, posts, add }
  }

  for (const lang of ['en', 'ar'] as const)
    t.test(
      `with a Free key the page checks 30 codes at once, shows how many are left, and continues by itself (${lang})`,
      async t => {
        const s = shipmentStrings[lang]
        const { page, posts, add, browserErrors } = await open(t, keys[lang], lang)
        await add(70)
        await page.locator('.ship-run [data-state=limit]').waitFor()
        t.strictSame(posts[0], [30, 200], 'the batch is within the limit')
        t.strictSame(posts.slice(1), [[1, 429]], 'the 429 response says how long to wait')
        t.match(await page.locator('.ship-run').textContent(), s.resolving(30, 70))
        t.strictSame(await accessibilityFaults(page), [])
        // as if the key's next minute had started
        await page.route(/\/api\/v1\/(resolve|health)/, route =>
          route.continue({ headers: { ...route.request().headers(), 'x-api-key': ample } }),
        )
        await page.clock.fastForward(61_000)
        await page.locator('.ship-run').waitFor({ state: 'detached' })
        t.strictSame(posts.slice(2), [[40, 200]])
        t.strictSame(browserErrors, [])
      },
    )

  t.test('the daily limit counts as well, and the page uses the requests that are left for the day', async t => {
    const { page, posts, add } = await open(t, dayKey, 'en')
    await add(25)
    await page.locator('.ship-run [data-state=limit]').waitFor()
    t.match(await page.locator('.ship-run').textContent(), shipmentStrings.en.resolving(20, 25))
    t.strictSame(posts, [
      [20, 200],
      [1, 429],
    ])
  })

  t.test('if others use the same key meanwhile, the page sends as many codes as are left, without waiting', async t => {
    const { page, posts, add } = await open(t, ample, 'en')
    const figures = { 'X-RateLimit-Limit-Minute': '30', 'X-RateLimit-Remaining-Minute': '12' }
    let refusals = 0
    await page.route('**/api/v1/resolve', route =>
      refusals++ === 0 ? refuse(route, 429, 'rate_limit_exceeded', { ...figures, 'Retry-After': '50' }) : route.continue(),
    )
    await add(20)
    await page.locator('.counts').waitFor()
    await page.locator('.ship-run').waitFor({ state: 'detached' })
    t.strictSame(posts, [
      [20, 429],
      [12, 200],
      [8, 200],
    ])
  })
})
