/** Chips with counts above the results: they appear after a pause in typing, and one tap on a chip filters. */
import t from 'tap'
import { inPage, openPages, PHONE, refuse, until, WITHOUT_BROWSER } from '../support/browser.js'

const LEVEL_COUNTS = `Object.fromEntries([...document.querySelectorAll('.filters small')].map(one => [one.dataset.of, one.textContent]))`

t.test('facets', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)
  t.test('a chip filters by chapter or by rate, gives as many results as its count says, and can be undone', async t => {
    const { page, browserErrors } = await pages.visit(t, '/?q=horses+cards')
    const chips = page.locator('.narrow .chip')
    await page.locator('.narrow small').first().waitFor()
    const total = () => inPage<number>(page, `Number.parseInt(document.querySelector('.summary b').textContent)`)
    const all = await total()
    const chapter = chips.filter({ has: page.locator('.code') }).first()
    const [code, count] = [await chapter.locator('.code').textContent(), await chapter.locator('small').textContent()]
    await chapter.click()
    await page.waitForURL(new RegExp(`in=${code}`))
    await page.locator('.narrow [aria-current]').waitFor()
    t.equal(await total(), Number(count))
    await page.locator('.narrow [aria-current]').click()
    await until(page, `!location.search.includes('in=')`)
    t.equal(await total(), all)
    await page.locator('.narrow small').first().waitFor()
    const rate = chips.filter({ hasText: /Duty 5 %/ }).first()
    const ofRate = Number(await rate.locator('small').textContent())
    await rate.click()
    await page.waitForURL(/rate=5/)
    await page.locator('.narrow [aria-current]').waitFor()
    t.equal(await total(), ofRate)
    await page.reload()
    await page.locator('.narrow [aria-current]').waitFor()
    t.equal(await total(), ofRate, 'after a reload, the filter still applies')
    await page.locator('#q').press('End')
    await page.keyboard.type(' gauge')
    await page.waitForURL(/gauge/)
    t.match(page.url(), /rate=5/, 'the filter stays during further typing')
    t.strictSame(browserErrors, [])
  })

  t.test('filters combine, and each facet is counted with the filters of the other facets', async t => {
    const { page, asked, browserErrors } = await pages.visit(t, '/?q=measuring&in=90&level=6&rate=5')
    await page.locator('.narrow small').first().waitFor()
    const count = (query: string) =>
      inPage<number>(
        page,
        `fetch('/explorer.json').then(r => r.json()).then(({ key }) => fetch('/api/v1/search?q=measuring&limit=1${query}',
          { headers: { 'X-Api-Key': key } })).then(r => r.json()).then(({ meta }) => meta.total)`,
      )
    const facetQuestions = asked.filter(address => address.includes('facets='))
    t.equal(facetQuestions.length, 3, 'each facet is counted without its own filter')
    t.equal(await page.locator('.narrow [aria-current]').count(), 2)
    const chips = await inPage<{ code?: string; rate?: string; count: string }[]>(
      page,
      `[...document.querySelectorAll('.narrow a')].map(one => ({
        code: one.querySelector('.code')?.textContent,
        rate: /[\\d.]+(?= %)/.exec(one.textContent)?.[0],
        count: one.querySelector('small')?.textContent }))`,
    )
    t.ok(chips.length >= 3, 'several chips are shown')
    for (const { code, rate, count: shownCount } of chips) {
      const filters = code === undefined ? `&within=90&level=6&rate=${rate}` : `&within=${code}&level=6&rate=5`
      t.equal(Number(shownCount), await count(filters), filters)
    }
    const counts = await inPage<Record<string, string>>(page, LEVEL_COUNTS)
    for (const level of [4, 6]) t.equal(Number(counts[level]), await count(`&within=90&level=${level}&rate=5`), `${level} digits`)
    await page.locator('.narrow [aria-current]').first().click()
    await page.waitForURL(/q=measuring&level=6&rate=5$/)
    t.strictSame(browserErrors, [])
  })

  t.test('one press shows all chapters', async t => {
    const { page } = await pages.visit(t, '/openapi.json')
    const chapter = Array.from({ length: 12 }, (_, i) => ({
      hs_code: String(i < 11 ? 10 + i : 90),
      description: { en: `Chapter ${10 + i}`, ar: 'فصل' },
      count: 20 - i,
    }))
    await page.route('**/api/v1/search?*facets=*', route =>
      route.fulfill({
        json: { success: true, data: [], facets: { chapter, level: [], rate: [] }, meta: { total: 100, count: 0 } },
      }),
    )
    await page.goto(`${pages.url}/?q=measuring`)
    await page.locator('.narrow small').first().waitFor()
    const seen = page.locator('.narrow a:visible')
    t.ok((await seen.count()) <= 5)
    await page.getByRole('button', { name: 'More chapters' }).click()
    t.equal(await seen.count(), 12)
    t.equal(await page.locator('#chapter').count(), 0)
    t.equal(await inPage(page, 'document.documentElement.scrollWidth <= innerWidth'), true)
    await seen.filter({ hasText: /^90/ }).click()
    await page.waitForURL(/in=90/)
    await page.locator('.narrow [aria-current]').waitFor()
    t.ok((await seen.count()) <= 5, 'after a choice, only the first chapters are shown again')
  })

  t.test('levels of up to six digits show how many results they have', async t => {
    const { page } = await pages.visit(t, '/?q=measuring')
    await page.locator('.narrow small').first().waitFor()
    const counts = await inPage<Record<string, string>>(page, LEVEL_COUNTS)
    t.ok(Number(counts[6]) > 0)
    t.equal(counts[12], '', 'lines have no count: a search for lines also finds padded lines, which facet counts leave out')
    await page.locator('.filters label', { hasText: '6' }).first().click()
    await page.waitForURL(/level=6/)
    await until(page, `document.querySelector('.summary b').textContent.startsWith('${counts[6]} ')`)
  })

  t.test('counts are requested after a pause in typing, never between letters, and do not move the results', async t => {
    const { page, asked } = await pages.visit(t, '/openapi.json', { clock: true })
    await page.goto(`${pages.url}/?q=ho`)
    await page.locator('.results li').first().waitFor()
    await page.clock.pauseAt(Date.now() + 60_000)
    const facetsAsked = () => asked.filter(address => address.includes('facets=')).length
    const before = facetsAsked()
    await page.locator('#q').focus()
    await page.keyboard.press('End')
    await page.keyboard.type('rses cards')
    await until(page, `document.querySelector('.summary bdi')?.textContent === 'horses cards'`)
    t.equal(facetsAsked(), before)
    // a font that loads later would change the height of lines
    await until(page, `document.fonts.status === 'loaded'`)
    const top = () =>
      inPage<number>(page, `document.querySelector('.results').offsetTop - document.querySelector('.summary').offsetTop`)
    const height = await top()
    await page.clock.runFor(1000)
    await page.locator('.narrow small').first().waitFor()
    t.equal(facetsAsked(), before + 1)
    t.equal(await top(), height)
  })

  t.test('on a phone the chips are one line that scrolls sideways', async t => {
    const { page } = await pages.visit(t, '/?q=measuring&lang=ar', { lang: 'ar', size: PHONE })
    await page.locator('.narrow small').first().waitFor()
    const tops = await inPage<number[]>(page, `[...document.querySelectorAll('.narrow .chip')].map(one => one.offsetTop)`)
    t.equal(new Set(tops).size, 1)
    t.equal(await inPage(page, 'document.documentElement.scrollWidth'), PHONE.width)
  })

  t.test('without counts the chapters of the results are shown, and no error', async t => {
    const { page, browserErrors } = await pages.visit(t, '/openapi.json')
    await page.route('**/api/v1/search?*facets=*', route => refuse(route, 500, 'internal_error'))
    await page.goto(`${pages.url}/?q=horses+cards`)
    await page.locator('.narrow .chip').first().waitFor()
    t.equal(await page.locator('.narrow small').count(), 0)
    t.equal(await page.locator('.notice').count(), 0)
    t.strictSame(browserErrors, [])
  })
})
