/** No work on the shipment page is lost, and a shared link does not replace it. */
import type { Page } from 'playwright-core'
import t from 'tap'
import { shipmentStrings } from '../../src/web/app/shipment/shipment-strings.js'
import { accessibilityFaults, goWithin, inPage, openPages, PHONE, until, WITHOUT_BROWSER } from '../support/browser.js'
import { stored } from './shipment/stored.js'

const LINK = '/shipment?rows=851713_777*0102_50&currency=USD&country=SA'
const s = shipmentStrings.en

const rowAt = (page: Page, number: number) => page.locator(`.ship-row[aria-rowindex="${number + 1}"]`)
const value = (page: Page, number: number) => rowAt(page, number).locator('[data-field=value]')
const total = (page: Page, done: number, words = s) => page.locator('.ship-totals h2', { hasText: words.totals(done) })

async function add(page: Page, text: string): Promise<void> {
  await page.locator('#ship-box').fill(text)
  await page.locator('.ship-paste [type=submit]').click()
}

async function own(page: Page): Promise<void> {
  await add(page, 'code,value\n852321,1234')
  await total(page, 1).waitFor()
  await stored(page, `work.shipment.rows[0]?.text.value === '1234' && work.shipment.rows[0].estimate !== null`)
}

/** Stores work in the form of the former pages. */
const put = (database: string, store: string, work: unknown) => `new Promise(resolve => {
  const open = indexedDB.open('${database}', 1)
  open.onupgradeneeded = () => open.result.createObjectStore('${store}', { keyPath: 'id' })
  open.onsuccess = () => {
    const done = open.result.transaction('${store}', 'readwrite')
    done.objectStore('${store}').put(${JSON.stringify(work)})
    done.oncomplete = () => { open.result.close(); resolve(0) }
  }
})`

t.test('kept work', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)

  for (const lang of ['en', 'ar'] as const)
    t.test(`a link shows its rows; a note says that the visitor's own rows are kept, and opens them again (${lang})`, async t => {
      const words = shipmentStrings[lang]
      const { page, browserErrors } = await pages.visit(t, '/shipment?country=SA', { size: PHONE })
      await own(page)
      // an address as the former page wrote it
      await page.goto(`${pages.url}${LINK.replace('shipment', 'invoice')}&lang=${lang}`)
      await total(page, 2, words).waitFor()
      t.match(page.url(), '/shipment?')
      const note = page.getByRole('status').filter({ hasText: words.fromLink })
      await note.waitFor()
      t.match(await note.textContent(), '852321', 'the note names the work by its codes')
      t.strictSame(await accessibilityFaults(page), [])
      t.ok((await inPage<number>(page, 'document.documentElement.scrollWidth')) <= PHONE.width)
      await note.getByRole('button', { name: words.openKept, exact: true }).click()
      await total(page, 1, words).waitFor()
      t.equal(await value(page, 1).inputValue(), '1234')
      await page.goBack()
      await total(page, 2, words).waitFor()
      t.equal(await value(page, 1).inputValue(), '777')
      await page.goto(`${pages.url}/shipment?lang=${lang}`)
      await total(page, 1, words).waitFor()
      t.equal(await value(page, 1).inputValue(), '1234', 'a link that was opened but not changed replaces nothing')
      t.strictSame(browserErrors, [])
    })

  t.test('changed rows of a link become separate work, next to the existing work; each can be removed', async t => {
    const { page } = await pages.visit(t, '/shipment?country=SA')
    await own(page)
    await page.goto(pages.url + LINK)
    await total(page, 2).waitFor()
    await value(page, 2).fill('60')
    await stored(page, `work.shipment.rows[1]?.text.value === '60'`)
    t.notMatch(page.url(), 'rows=')
    await page.reload()
    const note = page.getByRole('status').filter({ hasText: s.alsoKept })
    await note.waitFor()
    t.strictSame([await value(page, 1).inputValue(), await value(page, 2).inputValue()], ['777', '60'])
    t.match(await note.textContent(), '852321')
    await page.getByRole('button', { name: s.startOver }).click()
    t.equal(await page.locator('.ship-row').count(), 0)
    t.match(await note.textContent(), '852321', 'starting over removes the work that is shown')
    await page.reload()
    await note.waitFor()
    t.equal(await page.locator('.ship-row').count(), 0)
    await note.getByRole('button', { name: s.openKept, exact: true }).click()
    await total(page, 1).waitFor()
    t.equal(await value(page, 1).inputValue(), '1234')
    const other = await page.context().newPage()
    await other.goto(pages.url + LINK)
    await other.getByRole('button', { name: s.removeKept }).click()
    await other.getByText(s.fromLink).waitFor({ state: 'detached' })
    await other.reload()
    await total(other, 2).waitFor()
    t.equal(await other.getByText(s.fromLink).count(), 0)
  })

  t.test('a copied link shows the same rows, choices and amounts to others, and nothing else', async t => {
    const { page } = await pages.visit(t, '/shipment?country=SA')
    await add(page, 'item,code,value\nCards,852321,"1,000"\nSmartphones,,50')
    await rowAt(page, 2).locator('.ship-accept').click()
    await total(page, 2).waitFor()
    await page.locator('[data-copy=link]').click()
    await page.locator('[data-copy=link]', { hasText: 'Copied' }).waitFor()
    const link = new URL(await inPage<string>(page, 'navigator.clipboard.readText()'))
    const landed = await page.locator('[data-figure=landed_cost]').textContent()
    const other = await pages.visit(t, link.pathname + link.search)
    await other.page.locator('[data-figure=landed_cost]', { hasText: landed as string }).waitFor()
    t.equal(await rowAt(other.page, 2).locator('[data-field=code]').inputValue(), '851713')
    t.equal(await other.page.getByText(s.fromLink).count(), 0)
  })

  for (const lang of ['en', 'ar'] as const)
    t.test(`a long table is restored after Back, a reload and in the other language (${lang})`, async t => {
      const words = shipmentStrings[lang]
      const { page, browserErrors, asked } = await pages.visit(t, `/shipment?lang=${lang}`, { lang })
      const long = Array.from({ length: 80 }, (_, i) => `Item ${i};${i % 2 === 0 ? '8517.13.00.00.00' : '9999.99.99.99.99'};`)
      await add(page, ['item;hs code;note', ...long].join('\n'))
      await page.locator('.counts label', { hasText: words.groups.ready as string }).click()
      const filtered = `[document.querySelector('.counts input:checked').value,
        document.querySelector('.counts input:checked + span b').textContent].join() === 'ready,40'
        && document.querySelector('.ship-row[data-row]') !== null
        && document.querySelector('.ship-row[data-row]:not([data-group=ready])') === null`
      await until(page, filtered)
      await stored(page, `work.only === 'ready' && work.shipment.rows.every(row => row.resolved !== null)`)
      const posts = () => asked.filter(url => /resolve|classify/.test(url)).length
      const sent = posts()
      const isThere = async (name: string) => {
        await until(page, filtered)
        t.equal(posts(), sent, `${name}: nothing is requested twice`)
      }
      await rowAt(page, 31).scrollIntoViewIfNeeded()
      await page.waitForTimeout(400)
      const y = await inPage<number>(page, 'scrollY')
      await goWithin(page, '/browse')
      await page.locator('.tree').waitFor()
      await page.goBack()
      await isThere('back')
      await until(page, `Math.abs(scrollY - ${y}) < 120`)
      await page.reload()
      await isThere('reload')
      await page.locator('#language').click()
      await page.waitForURL(new RegExp(`lang=${lang === 'ar' ? 'en' : 'ar'}`))
      await isThere('language')
      t.strictSame(browserErrors, [])
    })

  t.test('each tab keeps its own work, and a new tab takes the latest', async t => {
    const { page, context } = await pages.visit(t, '/shipment')
    await add(page, '851713')
    await stored(page, `work.shipment.rows[0]?.text.code === '851713'`)
    const second = await context.newPage()
    await second.goto(`${pages.url}/shipment`)
    await rowAt(second, 1).waitFor()
    t.equal(await rowAt(second, 1).locator('[data-field=code]').inputValue(), '851713')
    await add(second, '852321')
    await stored(second, `work.shipment.rows[1]?.text.code === '852321'`)
    await page.reload()
    await rowAt(page, 1).waitFor()
    t.equal(await page.locator('.ship-row[data-row]').count(), 1)
    await second.reload()
    await rowAt(second, 2).waitFor()
  })

  t.test('answers older than a day are requested again, choices stay', async t => {
    const { page, asked } = await pages.visit(t, '/shipment')
    await add(page, 'item,code\nSmartphones,')
    await rowAt(page, 1).locator('.ship-accept').click()
    await stored(page, `work.shipment.rows[0]?.choice?.code === '851713' && work.shipment.rows[0].lines !== null`)
    const sent = () => asked.filter(url => url.endsWith('/resolve')).length
    const before = sent()
    await page.clock.setFixedTime(Date.now() + 25 * 3600_000)
    await page.goto(`${pages.url}/shipment`)
    await rowAt(page, 1).locator('.ship-undo').waitFor()
    await until(page, `document.querySelector('.ship-row .badge') !== null`)
    t.ok(sent() > before)
  })

  t.test('after a change of country, chosen codes stay and have the rates of the new country', async t => {
    const { page } = await pages.visit(t, '/shipment')
    await add(page, 'item,code\nMagnetic stripe key cards,')
    await rowAt(page, 1).locator('.ship-accept').click()
    await rowAt(page, 1).locator('.badge', { hasText: '5 %' }).waitFor()
    await page.locator('#country').selectOption('SA')
    await rowAt(page, 1).locator('.badge', { hasText: '20 %' }).waitFor()
    t.equal(await rowAt(page, 1).locator('[data-field=code]').inputValue(), '852321')
    await rowAt(page, 1).locator('.ship-undo').waitFor()
  })

  for (const lang of ['en', 'ar'] as const)
    t.test(`work of the former pages is offered once (${lang})`, async t => {
      const words = shipmentStrings[lang]
      const { page, browserErrors } = await pages.visit(t, `/openapi.json`, { lang })
      const common = { savedMs: Date.now(), address: '' }
      await inPage(
        page,
        put('hsapi', 'check', {
          ...common,
          id: '1',
          text: 'item,code\nPhones,8517.13',
          column: null,
          edition: '',
          checked: null,
        }),
      )
      const terms = { currency: 'USD', vat: '', freight: '', insurance: '', origin: '' }
      const rows = [{ code: '852321', value: '700', quantity: '', origin: '', sugar: '', excise: '' }]
      await inPage(
        page,
        put('hsapi-invoice', 'invoice', { ...common, id: '2', rows, terms, isCurrencyChosen: true, country: 'SA', answer: null }),
      )
      await page.goto(`${pages.url}/check?lang=${lang}&country=SA`)
      const offer = page.locator('.ship-former')
      await offer.waitFor()
      t.match(page.url(), '/shipment')
      t.equal(await offer.locator('li').count(), 2)
      t.strictSame(await accessibilityFaults(page), [])
      await offer.locator('li', { hasText: '852321' }).getByRole('button').click()
      await total(page, 1, words).waitFor()
      t.equal(await page.locator('#ship-currency').inputValue(), 'USD')
      await stored(page, `work.shipment.rows[0]?.text.value === '700'`)
      await page.reload()
      await total(page, 1, words).waitFor()
      t.equal(await offer.count(), 0)
      t.strictSame(browserErrors, [])
    })

  t.test('without storage the page works, and Back from another view still restores the work', async t => {
    const { page, browserErrors } = await pages.visit(t, '/openapi.json')
    await page.addInitScript(
      `Object.defineProperty(window, 'indexedDB', { get() { throw new DOMException('', 'SecurityError') } })`,
    )
    await page.goto(`${pages.url}/shipment`)
    await add(page, 'item,code\nPhones,851713\nTea,0902')
    await rowAt(page, 2).waitFor()
    await goWithin(page, '/browse')
    await page.locator('.tree').waitFor()
    await page.goBack()
    await rowAt(page, 2).waitFor()
    t.strictSame(browserErrors, [])
  })
})
