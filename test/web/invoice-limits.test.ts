/** An invoice with more rows than the key's limit allows at once. */
import type { Page } from 'playwright-core'
import t from 'tap'
import { invoiceStrings } from '../../src/web/app/shipment/invoice-strings.js'
import { strings } from '../../src/web/app/text/strings.js'
import { barriers, openPages, refuse, WITHOUT_BROWSER } from '../support/browser.js'

const PER_MINUTE = 30
const MINUTE_MS = 60_000

/** The API with the limits of a free key: each row of a body counts, and a body is accepted as a whole or not at all. */
async function withFreeKey(page: Page): Promise<{ left: number; sizes: number[] }> {
  const minute = { left: PER_MINUTE, sizes: [] as number[] }
  await page.route(/api\/v1\//, async route => {
    const request = route.request()
    const body = request.method() === 'POST' ? (request.postDataJSON() as { items?: unknown[]; codes?: unknown[] }) : {}
    const cost = request.url().endsWith('/health') ? 0 : (body.items?.length ?? body.codes?.length ?? 1)
    const isAllowed = cost <= minute.left
    minute.left -= isAllowed ? cost : Math.min(1, minute.left)
    const told = { 'x-ratelimit-limit-minute': String(PER_MINUTE), 'x-ratelimit-remaining-minute': String(minute.left) }
    if (body.items !== undefined) minute.sizes.push(cost)
    if (!isAllowed) return refuse(route, 429, 'rate_limit_exceeded', { 'Retry-After': '60', ...told })
    const response = await route.fetch()
    return route.fulfill({ response, headers: { ...response.headers(), ...told } })
  })
  return minute
}

t.test('many rows and a small limit', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)
  const table = (rows: number) =>
    `code;value;origin\n${Array.from({ length: rows }, (_, i) => `852321;${100 + i}.25;\n`).join('')}`

  for (const [lang, country] of [
    ['en', 'SA'],
    ['ar', 'GCC'],
  ] as const)
    t.test(`rows are calculated in pieces; the page says how far it is and goes on by itself (${lang}, ${country})`, async t => {
      const [words, common] = [invoiceStrings[lang], strings[lang]]
      const path = `/invoice?country=${country}&lang=${lang}`
      const landed = (page: Page) => page.locator('.inv-result dl div', { hasText: common.calcLanded }).locator('dd')
      const whole = await pages.visit(t, path, { lang })
      await whole.page.getByLabel(words.box).fill(table(40))
      await whole.page.getByRole('button', { name: words.go, exact: true }).click()
      await whole.page.getByText(words.result(40, 40)).waitFor()
      t.equal(whole.asked.filter(url => url.includes('tariff/calculate')).length, 1, 'with room for all, one request')

      const { page, complaints } = await pages.visit(t, '/openapi.json', { lang, clock: true })
      const minute = await withFreeKey(page)
      await page.goto(pages.url + path)
      await page.getByLabel(words.box).fill(table(40))
      await page.getByRole('button', { name: words.go, exact: true }).click()
      const pause = page.getByRole('status').filter({ hasText: common.limitTitle })
      await pause.waitFor()
      const done = PER_MINUTE - (country === 'GCC' ? 1 : 0)
      t.match(await pause.textContent(), words.partly(done, 40))
      const shown = (await pause.textContent()) ?? ''
      t.ok(
        Array.from({ length: 30 }, (_, i) => common.seconds(60 - i)).some(left => shown.includes(left)),
        'it says when',
      )
      t.match(await page.locator('.inv-row').first().textContent(), /\d\.\d\d/, 'rows that are done have their amounts')
      t.strictSame(await barriers(page), [])
      minute.left = PER_MINUTE
      await page.clock.fastForward(MINUTE_MS)
      await page.getByText(words.result(40, 40)).waitFor()
      t.equal(await landed(page).textContent(), await landed(whole.page).textContent(), 'the same total, with fees once')
      const texts = (one: Page) => one.locator('.inv-result dl').innerText()
      t.equal(await texts(page), await texts(whole.page))
      t.ok(minute.sizes.every(size => size <= PER_MINUTE))
      t.strictSame(complaints, [])
    })

  t.test('an edit while it waits ends the wait; nothing that was typed is lost', async t => {
    const { page } = await pages.visit(t, '/openapi.json', { clock: true })
    const minute = await withFreeKey(page)
    await page.goto(`${pages.url}/invoice?country=SA`)
    const words = invoiceStrings.en
    await page.getByLabel(words.box).fill(table(40))
    await page.getByRole('button', { name: words.go }).click()
    const pause = page.getByRole('status').filter({ hasText: strings.en.limitTitle })
    await pause.waitFor()
    await page.getByLabel(words.inRow(words.value, 40), { exact: true }).fill('7')
    await pause.waitFor({ state: 'detached' })
    const before = minute.sizes.length
    minute.left = PER_MINUTE
    await page.clock.fastForward(MINUTE_MS)
    t.equal(minute.sizes.length, before)
    t.equal(await page.getByLabel(words.inRow(words.value, 1), { exact: true }).inputValue(), '100.25')
    t.equal(await page.getByLabel(words.inRow(words.value, 40), { exact: true }).inputValue(), '7')
  })
})
