/** No work on the check page is lost: not by Back, a reload, another language, another key or another tab. */

import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { strings } from '../../src/web/app/text/strings.js'
import { barriers, look, NARROW, openPages, until, WITHOUT_BROWSER } from '../support/browser.js'

const ROWS = 80
/** Too long for an address, with other columns. */
const LONG = [
  'item;hs code;value',
  ...Array.from({ length: ROWS }, (_, i) => `Item ${i};${i % 2 === 0 ? '8517.13.00.00.00' : '9999.99.99.99.99'};${i}`),
].join('\n')

const STORED = `new Promise((resolve, reject) => {
  const open = indexedDB.open('hsapi', 1)
  open.onerror = () => reject(open.error)
  open.onupgradeneeded = () => open.result.createObjectStore('check', { keyPath: 'id' })
  open.onsuccess = () => {
    const all = open.result.transaction('check').objectStore('check').getAll()
    all.onsuccess = () => { open.result.close(); resolve(all.result) }
  }
})`

/** Waits until it is stored: a page that closes earlier may lose the latest change. */
const stored = (page: Page, condition: string) => until(page, `${STORED}.then(works => works.some(work => ${condition}))`)

async function check(page: Page, lang: 'en' | 'ar', text: string): Promise<void> {
  await page.locator('#codes').fill(text)
  await page.getByRole('button', { name: strings[lang].checkGo, exact: true }).click()
}

t.test('work on the check page', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)

  const visit = async (t: Test, path: string, lang: 'en' | 'ar' = 'en') => {
    const opened = await pages.visit(t, path, { lang })
    const { page } = opened
    const posts: number[] = []
    page.on('request', request => {
      if (request.method() === 'POST') posts.push((request.postDataJSON() as { codes: string[] }).codes.length)
    })
    const rows = page.locator('.checked tbody tr')
    return { ...opened, posts, rows }
  }

  for (const lang of ['en', 'ar'] as const)
    t.test(`a long table is there again after Back, a reload and in the other language (${lang})`, async t => {
      const words = strings[lang]
      const { page, posts, rows, complaints } = await visit(t, `/check?lang=${lang}`, lang)
      await check(page, lang, LONG)
      await page.locator('.check-run', { hasText: words.checkProgress(ROWS, ROWS) }).waitFor()
      await page.locator('.counts label', { hasText: words.status.normalised }).click()
      await page.locator('#edition').selectOption('2017')
      const sent = posts.length
      const isThere = async (name: string, progress = words.checkProgress(ROWS, ROWS)) => {
        await page.locator('.check-run', { hasText: progress }).waitFor()
        t.equal(await page.locator('#codes').inputValue(), LONG, `${name}: the whole table`)
        t.equal(await rows.count(), ROWS / 2, `${name}: the filter`)
        t.equal(await page.locator('#edition').inputValue(), '2017', `${name}: the edition chosen meanwhile`)
        t.equal(await page.locator('#column').inputValue(), '1', name)
        t.equal(posts.length, sent, `${name}: nothing is asked for twice`)
      }
      const link = rows.nth(30).getByRole('link').first()
      await link.scrollIntoViewIfNeeded()
      const y = await look<number>(page, 'scrollY')
      await link.click()
      await page.locator('.record').waitFor()
      await page.goBack()
      await isThere('back')
      await until(page, `Math.abs(scrollY - ${y}) < 3`)
      await stored(
        page,
        `work.edition === '2017' && work.checked?.only === 'normalised' && work.checked.results.length === ${ROWS}`,
      )
      await page.reload()
      await isThere('reload')
      await until(page, `Math.abs(scrollY - ${y}) < 3`)
      const other = lang === 'ar' ? 'en' : 'ar'
      await page.locator('#language').click()
      await page.waitForURL(new RegExp(`lang=${other}`))
      await isThere('language', strings[other].checkProgress(ROWS, ROWS))
      t.match(await rows.first().textContent(), strings[other].status.normalised)
      t.strictSame(complaints, [])
    })

  t.test('a short table keeps its other columns, and its address still shows the codes to someone else', async t => {
    const { page, rows } = await visit(t, '/check')
    const text = 'item,hs code\nPhones,8517.13\nHorses,10121'
    await check(page, 'en', text)
    await rows.nth(1).waitFor()
    await stored(page, 'work.checked?.results.length === 2')
    const address = new URL(page.url())
    t.match(address.search, /codes=8517\.13/)
    await page.reload()
    await rows.nth(1).waitFor()
    t.equal(await page.locator('#codes').inputValue(), text)
    const elsewhere = await visit(t, address.pathname + address.search)
    await elsewhere.rows.nth(1).waitFor()
    t.equal(await elsewhere.page.locator('#codes').inputValue(), '8517.13\n10121')
  })

  t.test('what is only typed stays, too, with the column that was chosen', async t => {
    const { page } = await visit(t, '/check')
    await page.locator('#codes').fill('a,b\n851713,0902\n010121,0101')
    await page.locator('#column').selectOption('1')
    await stored(page, 'work.column === 1')
    await page.reload()
    await until(page, `document.getElementById('codes').value.startsWith('a,b')`)
    t.equal(await page.locator('#column').inputValue(), '1')
    t.equal(await page.locator('.checked').count(), 0)
  })

  t.test('a check that was left goes on where it was, and one that was stopped does not', async t => {
    const { page, posts } = await visit(t, '/check')
    let isHeld = true
    await page.route('**/api/v1/resolve', route => {
      if (isHeld && posts.length > 1) return
      const { codes } = route.request().postDataJSON() as { codes: string[] }
      const nothing = { status: 'unknown', hs_code: null, record: null, candidates: [], nearest: null, lines: 0 }
      return route.fulfill({ json: { success: true, data: codes.map(input => ({ input, ...nothing })), meta: {} } })
    })
    await check(page, 'en', '851713\n'.repeat(250))
    await page.locator('.check-run', { hasText: '200 of 250 checked' }).waitFor()
    await stored(page, 'work.checked?.results.length === 200')
    isHeld = false
    await page.reload()
    await page.locator('.check-run', { hasText: '250 of 250 checked' }).waitFor()
    t.strictSame(posts, [200, 50, 50])
    isHeld = true
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByRole('button', { name: strings.en.checkStop }).click()
    await stored(page, 'work.checked?.isStopped')
    const sent = posts.length
    await page.reload()
    await page.locator('.check-run', { hasText: '0 of 250 checked, 250 left' }).waitFor()
    t.equal(await page.getByRole('button', { name: strings.en.checkStop }).count(), 0)
    t.equal(posts.length, sent)
  })

  t.test('each tab keeps its own, and a new one takes the latest', async t => {
    const { page, context } = await visit(t, '/check')
    await page.locator('#codes').fill('851713')
    await stored(page, `work.text === '851713'`)
    const second = await context.newPage()
    await second.goto(`${pages.url}/check`)
    await until(second, `document.getElementById('codes').value === '851713'`)
    await second.locator('#codes').fill('0902')
    await stored(second, `work.text === '0902'`)
    await page.reload()
    await until(page, `document.getElementById('codes').value === '851713'`)
    await second.reload()
    await until(second, `document.getElementById('codes').value === '0902'`)
  })

  t.test('a link with other codes is shown, and Back leads to the work before it', async t => {
    const { page, rows } = await visit(t, '/check')
    await page.locator('#codes').fill(LONG)
    await stored(page, 'work.text.length > 1200')
    await page.goto(`${pages.url}/check?codes=010121`)
    await rows.first().waitFor()
    t.equal(await page.locator('#codes').inputValue(), '010121')
    await stored(page, 'work.checked?.results.length === 1')
    await page.goBack()
    await until(page, `document.getElementById('codes').value.length > 1200`)
  })

  for (const lang of ['en', 'ar'] as const)
    t.test(`starting over clears the page and the storage (${lang})`, async t => {
      const words = strings[lang]
      const { page } = await pages.visit(t, `/check?lang=${lang}`, { lang, size: NARROW })
      const startOver = page.getByRole('button', { name: words.checkStartOver })
      t.ok(await startOver.isHidden(), 'nothing to clear')
      await check(page, lang, '851713\n0902')
      await page.locator('.checked tbody tr').nth(1).waitFor()
      await stored(page, 'work.checked?.results.length === 2')
      t.ok(await page.getByText(words.checkKept).isVisible())
      t.strictSame(await barriers(page), [])
      await startOver.click()
      t.equal(await page.locator('#codes').inputValue(), '')
      t.equal(await page.locator('.checked').count(), 0)
      t.ok(await startOver.isHidden())
      t.notMatch(page.url(), /codes=/)
      await until(page, `${STORED}.then(works => works.length === 0)`)
      await page.reload()
      await page.locator('#codes').waitFor()
      t.equal(await page.locator('#codes').inputValue(), '')
    })

  t.test('results older than a day are not shown again, the codes are', async t => {
    const { page, rows } = await visit(t, '/check')
    await check(page, 'en', '851713\n0902')
    await rows.nth(1).waitFor()
    await stored(page, 'work.checked?.results.length === 2')
    await page.clock.setFixedTime(Date.now() + 25 * 3600_000)
    await page.goto(`${pages.url}/check`)
    await until(page, `document.getElementById('codes').value === '851713\\n0902'`)
    t.equal(await rows.count(), 0)
  })

  t.test('branches of the tree that were open are open again after Back, a reload and in the other language', async t => {
    const { page } = await visit(t, '/browse')
    const item = (code: string) => page.locator('.tree-row').filter({ hasText: new RegExp(`^${code} `) })
    const open = (code: string) => item(code).locator('.tree-words').click()
    await page.getByRole('treeitem').first().click()
    await open('01')
    await open('0101')
    await item('010121').waitFor()
    await open('0102')
    await item('010221').waitFor()
    await item('010221').getByRole('link').click()
    await page.locator('.record').waitFor()
    await page.goBack()
    await item('010221').waitFor()
    await item('010121').waitFor()
    await page.reload()
    await item('010221').waitFor()
    await item('010121').waitFor()
    await page.locator('#language').click()
    await page.waitForURL(/lang=ar/)
    await item('010221').waitFor()
    await item('010121').waitFor()
    t.match(await look(page, 'document.activeElement.textContent'), /^0102/)
  })

  t.test('without storage the page works, and Back within it still finds the work', async t => {
    const { page, rows, complaints } = await visit(t, '/openapi.json')
    await page.addInitScript(
      `Object.defineProperty(window, 'indexedDB', { get() { throw new DOMException('', 'SecurityError') } })`,
    )
    await page.goto(`${pages.url}/check`)
    await check(page, 'en', 'item,code\nPhones,851713\nTea,0902')
    await rows.nth(1).waitFor()
    await rows.first().getByRole('link').first().click()
    await page.locator('.record').waitFor()
    await page.goBack()
    await rows.nth(1).waitFor()
    t.match(await page.locator('#codes').inputValue(), /^item,code/)
    t.strictSame(complaints, [])
  })
})
