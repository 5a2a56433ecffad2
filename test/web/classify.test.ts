/** Guided choice: from a title by questions and candidates to a line, with every step in the address. */
import t from 'tap'
import { classifyStrings } from '../../src/web/app/search/classify-strings.js'
import { strings } from '../../src/web/app/text/strings.js'
import { look, openPages, PHONE, refuse, until, WITHOUT_BROWSER } from '../support/browser.js'
import { prepared } from '../support/cli.js'

const CARDS = '/classify?text=Magnetic+cards+and+tapes'

t.test('guided choice', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)

  t.test('a title leads from search over a question to its line, and every answer can be taken back', async t => {
    const { page, complaints } = await pages.visit(t, '/?q=magnetic+cards+tapes')
    await page.locator('.results li').first().waitFor()
    t.equal(await page.locator('.to-classify a').count(), 0, 'three words are searched for')
    await page.locator('#q').fill('Magnetic cards and tapes')
    await page.locator('.to-classify a').click()
    await page.waitForURL(/\/classify\?text=Magnetic/)
    t.equal(await page.locator('#goods').inputValue(), 'Magnetic cards and tapes')
    const question = page.locator('.classify-question')
    await question.waitFor()
    t.match(await question.textContent(), /which of these is it\?/)
    t.equal(await page.locator('.classify-result .candidates > li').count(), 3, 'what is compared is there')
    await page.locator('.answers a', { hasText: 'Magnetic tapes and disks' }).click()
    const line = page.locator('.classify-line')
    await line.waitFor()
    t.equal(new URL(page.url()).searchParams.get('within'), '852329')
    const step = page.locator('.classify-steps a')
    t.match(await step.textContent(), /which of these is it\? Magnetic tapes and disks/)
    t.match(await line.textContent(), '852329000000')
    await page.reload()
    await line.waitFor()
    t.match(await step.textContent(), /Magnetic tapes and disks/, 'the answer in words, from the address alone')
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
    await page.getByRole('link', { name: classifyStrings.ar.openLine }).click()
    await page.locator('.record .calc-out').first().waitFor()
    t.match(page.url(), /\/code\/852329000000/)
    t.strictSame(complaints, [])
  })

  t.test('candidates show what tells them apart, what of the title they have, where they are, their rate and notes', async t => {
    const { page, asked } = await pages.visit(t, '/classify?text=magnetic+measuring+tapes&country=SA')
    const card = (code: string) => page.locator(`.candidates > li[data-code="${code}"]`)
    const first = card('852329')
    await first.locator('.card-path li').nth(1).waitFor()
    t.match(await first.locator('.card-path').textContent(), /85 Electrical.*8523 Media/)
    t.ok((await first.locator('.card-words b').count()) > 0)
    t.match(await first.locator('.card-words mark').allTextContents(), ['Magnetic', 'tapes'])
    t.match(await first.locator('.card-score').textContent(), /^Possible, \d+ %$/)
    t.match(await first.locator('.card-matched').textContent(), /magnetic, tapes$/)
    t.equal(await card('852321').locator('.badge').textContent(), 'Prohibited', 'by what holds in the country')
    t.match(await first.locator('.card-notes').textContent(), /Measuring instruments\. Goes to 9031/)
    const classified = asked.filter(one => one.includes('/api/v1/classify'))
    t.ok(classified.length === 1 && classified.every(one => one.includes('country=SA')))
    t.equal(asked.filter(one => one.includes('/api/v1/hs-codes/8523')).length, 1, 'one request for each heading')
  })

  t.test('a chosen subheading leads to its lines, and a line to itself', async t => {
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
    await page.goto(`${pages.url}/classify?text=mobile+phones+iphone`)
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

  t.test('a clear title shows one code, the others on request; an unknown one says so', async t => {
    const { page } = await pages.visit(t, '/classify', { size: PHONE })
    await page.locator('.classify-examples a').first().waitFor()
    await page.locator('#goods').fill('mobile phones\niphone')
    await page.keyboard.press('Enter')
    await page.locator('[data-status=clear]').waitFor()
    t.equal(new URL(page.url()).searchParams.get('text'), 'mobile phones iphone', 'as one line')
    t.equal(await page.locator('.classify-result .candidates > li').count(), 1)
    t.ok(await page.locator('.classify-rest .candidates').isHidden())
    await page.locator('.classify-rest summary').click()
    await page.locator('.classify-rest .card-path li').first().waitFor()
    await page.locator('#goods').fill('zzz qqq xxx')
    await page.keyboard.press('Enter')
    await page.locator('[data-state=unknown]').waitFor()
    await page.goto(`${pages.url}${CARDS}&within=0000`)
    await page.locator('[data-state=refused] a').click()
    await page.locator('.classify-question').waitFor()
  })

  t.test('over the limit it counts down and goes on, offline it tries again', async t => {
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

t.test('without a key the page asks for one', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t, { ...(await prepared(t)), HSAPI_EXPLORER: 'key' })
  const { page } = await pages.visit(t, `${CARDS}&lang=ar`, { lang: 'ar' })
  await page.locator('.key-form').waitFor()
  t.match(await page.locator('main').textContent(), strings.ar.keyTitle)
  await until(page, `document.title.startsWith('${strings.ar.classifyTitle}')`)
  t.equal(await look(page, 'document.querySelectorAll(".candidates").length'), 0)
})
