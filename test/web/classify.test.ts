/**
 * Product titles in the search box: a proposed code, the question that decides, and a line, with every answer in the address.
 */
import t from 'tap'
import { proposalStrings } from '../../src/web/app/search/proposal-strings.js'
import { inPage, openPages, PHONE, refuse, until, WITHOUT_BROWSER } from '../support/browser.js'
import { prepared } from '../support/cli.js'

const CARDS = '/?q=Magnetic+media+for+recording'

t.test('titles', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)

  t.test('a title leads through a question to its line, above the results, and every answer can be undone', async t => {
    const { page, browserErrors } = await pages.visit(t, '/?q=magnetic+cards+tapes')
    await page.locator('.results li').first().waitFor()
    t.equal(await page.locator('.proposal').count(), 0, 'three words are searched for')
    await page.locator('#q').fill('Magnetic media for recording')
    const question = page.locator('.classify-question')
    await question.waitFor()
    t.match(await question.textContent(), /which of these is it\?/)
    t.equal(await page.locator('.proposed .candidates > li').count(), 1, 'only the best code is shown')
    const [proposal, results] = [await page.locator('.proposal').boundingBox(), await page.locator('.results').boundingBox()]
    t.ok((proposal?.y ?? 0) + (proposal?.height ?? 0) <= (results?.y ?? 0))
    await page.locator('.classify-rest summary').click()
    t.equal(await page.locator('.classify-rest .candidates > li').count(), 5, 'the other candidates can be opened')
    await page.locator('.answers a', { hasText: 'Magnetic tapes and disks' }).click()
    const line = page.locator('.classify-line')
    await line.waitFor()
    t.equal(new URL(page.url()).searchParams.get('within'), '852329')
    t.equal(new URL(page.url()).searchParams.get('q'), 'Magnetic media for recording')
    const step = page.locator('.classify-steps a')
    t.match(await step.textContent(), /which of these is it\? Magnetic tapes and disks/)
    t.match(await line.textContent(), '852329000000')
    await page.reload()
    await line.waitFor()
    t.match(await step.textContent(), /Magnetic tapes and disks/, 'the answer is restored from the address alone')
    await page.goBack()
    await question.waitFor()
    await page.goForward()
    await line.waitFor()
    await step.click()
    await question.waitFor()
    t.equal(await step.count(), 0)
    await page.goBack()
    await line.waitFor()
    await page.locator('#language').click()
    await page.waitForURL(/lang=ar/)
    await line.waitFor()
    t.match(await step.textContent(), /أشرطة وأقراص مغناطيسية/)
    await page.getByRole('link', { name: proposalStrings.ar.openLine }).click()
    await page.locator('.record .calc-out').first().waitFor()
    t.match(page.url(), /\/code\/852329000000/)
    t.strictSame(browserErrors, [])
  })

  t.test('addresses of the former page lead to the search, with their answers, country and language', async t => {
    const { page } = await pages.visit(t, '/classify?text=Magnetic+tapes&within=852329&country=SA&lang=ar', { lang: 'ar' })
    await page.locator('.classify-line').waitFor()
    const { pathname, searchParams } = new URL(page.url())
    t.equal(pathname, '/')
    t.strictSame(Object.fromEntries(searchParams), { q: 'Magnetic tapes', within: '852329', country: 'SA', lang: 'ar' })
    t.equal(await page.locator('#q').inputValue(), 'Magnetic tapes')
    t.equal(await page.locator('[data-nav=search]').getAttribute('aria-current'), 'page')
    t.equal(await page.locator('[data-nav=classify]').count(), 0)
    await page.locator('.classify-steps a').click()
    await page.locator('.proposed .candidates').waitFor()
    t.equal(new URL(page.url()).searchParams.get('as'), 'title', 'two words are still a title')
    await page.reload()
    await page.locator('.proposed .candidates').waitFor()
    await page.goto(`${pages.url}/classify?lang=en`)
    await page.locator('.sections li').first().waitFor()
    t.match(page.url(), /\/\?lang=en$/)
  })

  t.test('one click proposes codes for words that do not look like a title', async t => {
    const { page } = await pages.visit(t, '/?q=magnetic+tapes')
    await page.locator('.to-classify a').click()
    await page.locator('.proposed .candidates').waitFor()
    t.equal(await page.locator('.to-classify').count(), 0)
    await page.locator('#q').fill('horses')
    await page.locator('.summary', { hasText: 'for horses' }).waitFor()
    t.equal(await page.locator('.proposal, .to-classify').count(), 0, 'another text is not treated as a title')
  })

  t.test('a proposal is requested once after a pause in typing, or immediately on Enter, but not while typing', async t => {
    const { page, asked } = await pages.visit(t, '/openapi.json', { clock: true })
    await page.goto(`${pages.url}/?q=ma`)
    await page.locator('.results li').first().waitFor()
    await page.clock.pauseAt(Date.now() + 60_000)
    const classified = () => asked.filter(one => one.includes('/api/v1/classify')).length
    await page.locator('#q').focus()
    await page.keyboard.press('End')
    await page.keyboard.type('gnetic cards and measuring tapes')
    await until(page, `document.querySelector('.summary bdi')?.textContent === 'magnetic cards and measuring tapes'`)
    t.equal(classified(), 0)
    await page.clock.runFor(600)
    await page.locator('.proposed .candidates').waitFor()
    t.equal(classified(), 1)
    await page.keyboard.type(' x')
    await page.keyboard.press('Enter')
    await page.locator('.proposal:not(.stale) .candidates').waitFor()
    await until(page, `location.search.endsWith('tapes+x')`)
    t.equal(classified(), 2)
  })

  t.test('Enter pressed again opens the proposed code, and arrow keys continue to the results', async t => {
    const { page } = await pages.visit(t, CARDS)
    const best = page.locator('.proposed .hit')
    await best.waitFor()
    const code = await best.textContent()
    await page.locator('#q').focus()
    await page.keyboard.press('ArrowDown')
    t.equal(await inPage(page, 'document.activeElement.textContent'), code)
    await page.keyboard.press('ArrowDown')
    t.ok(await inPage(page, `document.activeElement.closest('.results') !== null`))
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    t.equal(await inPage(page, 'document.activeElement.id'), 'q')
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/code/${code}$`))
  })

  t.test('Enter never opens a proposal for an earlier text', async t => {
    const { page } = await pages.visit(t, CARDS)
    const earlier = await page.locator('.proposed .hit').textContent()
    await page.route('**/api/v1/classify*', () => {})
    await page.locator('#q').fill('Live horses for sport')
    await page.keyboard.press('Enter')
    await page.locator('.summary', { hasText: 'for Live horses for sport' }).waitFor()
    t.equal(await page.locator('.proposed .hit').textContent(), earlier, 'the proposal for the earlier text is still shown')
    const first = await page.locator('.results .hit > .code').first().textContent()
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/code/${first}$`))
  })

  t.test('a candidate shows its distinguishing words, the matched words, its place, its rate and notes', async t => {
    const { page, asked } = await pages.visit(t, '/?q=magnetic+measuring+tapes&as=title&country=SA')
    const card = (code: string) => page.locator(`.candidates > li[data-code="${code}"]`)
    const first = card('852329')
    await first.locator('.card-path li').nth(1).waitFor()
    t.match(await first.locator('.card-path').textContent(), /85 Electrical.*8523 Media/)
    t.ok((await first.locator('.card-words b').count()) > 0)
    t.match(await first.locator('.card-words mark').allTextContents(), ['Magnetic', 'tapes'])
    t.match(await first.locator('.card-score').textContent(), /^(?:Unlikely|Possible), \d+ %$/)
    t.match(await first.locator('.card-matched').textContent(), /magnetic, tapes$/)
    t.match(await first.locator('.card-notes').textContent(), /Measuring instruments\. Goes to 9031/)
    await page.locator('.classify-rest summary').click()
    await card('852321').locator('.card-path li').first().waitFor()
    t.equal(await card('852321').locator('.badge').textContent(), 'Prohibited', "the candidate has the country's rate")
    const classified = asked.filter(one => one.includes('/api/v1/classify'))
    t.ok(classified.length === 1 && classified.every(one => one.includes('country=SA')))
    t.equal(asked.filter(one => one.includes('/api/v1/hs-codes/8523')).length, 1, 'one request is sent for each heading')
  })

  t.test('choosing a subheading shows its lines, and choosing a line ends the questions', async t => {
    const { page } = await pages.visit(t, '/openapi.json')
    const words = (en: string) => ({ en, ar: en })
    const line = (hs_code: string, en: string, score: number) => ({
      hs_code,
      description: words(en),
      level: 12,
      tariff_rate: 0,
      score,
      matched: ['phones'],
    })
    const lines = [line('851713000001', 'Smartphones, new', 0.6), line('851713000002', 'Smartphones, used', 0.4)]
    await page.route('**/api/v1/classify*within=851713*', route => {
      const within = new URL(route.request().url()).searchParams.get('within') ?? ''
      const candidates = lines.filter(({ hs_code }) => hs_code.startsWith(within))
      const item = { text: 'phones', status: 'choose', candidates, question: null, verdict: null }
      return route.fulfill({ json: { success: true, data: { items: [item] }, meta: {} } })
    })
    await page.goto(`${pages.url}/?q=mobile+phones+iphone&as=title`)
    await page.locator('[data-status=clear] .card-pick a').click()
    const cards = page.locator('.candidates > li')
    await cards.nth(1).waitFor()
    t.match(await cards.locator('b').allTextContents(), ['new', 'used'])
    await cards.nth(1).locator('.card-pick a').click()
    await page.locator('.classify-line').waitFor()
    t.match(await page.locator('.classify-line').textContent(), '851713000002')
    t.match(await page.locator('.classify-steps a').allTextContents(), [/851713 Smartphones/, /851713000002 Smartphones, used/])
    t.equal(new URL(page.url()).searchParams.get('within'), '851713.851713000002')
  })

  t.test(
    'for a clear title the page shows one code, and the others on request; a title that it does not recognise is reported',
    async t => {
      const { page } = await pages.visit(t, '/?q=mobile+phones+iphone&as=title', { size: PHONE })
      await page.locator('[data-status=clear]').waitFor()
      t.equal(await page.locator('.candidates > li').count(), 1)
      await page.locator('.classify-rest summary').click()
      await page.locator('.classify-rest .card-path li').first().waitFor()
      await page.locator('#q').fill('zzz qqq xxx yyy')
      await page.keyboard.press('Enter')
      await page.locator('[data-state=unknown]').waitFor()
      await page.locator('[data-state=empty]').waitFor()
      await page.goto(`${pages.url}${CARDS}&within=0000`)
      await page.locator('[data-state=refused] a').click()
      await page.locator('.classify-question').waitFor()
    },
  )

  t.test('when the limit is exceeded, the page counts down and continues; when it is offline, it tries again', async t => {
    const { page } = await pages.visit(t, '/openapi.json')
    let refusals = 0
    await page.route('**/api/v1/classify*', route => {
      if (refusals++ === 0) return refuse(route, 429, 'rate_limit_exceeded', { 'Retry-After': '1' })
      return refusals === 2 ? route.abort() : route.continue()
    })
    await page.goto(pages.url + CARDS)
    await page.locator('[data-state=limit]').waitFor()
    await page.locator('[data-state=offline] button').click()
    await page.locator('.classify-question').waitFor()
  })
})

t.test('without a key, the page asks only once for a key', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t, { ...(await prepared(t)), HSAPI_EXPLORER: 'key' })
  const { page } = await pages.visit(t, `${CARDS}&lang=ar`, { lang: 'ar' })
  await page.locator('.key-form').waitFor()
  t.equal(await page.locator('.candidates').count(), 0)
})
