/**
 * Repair on the check page: codes compared with the words of their rows, accepted proposals, and their effect on files and
 * storage.
 */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { readSheet } from 'read-excel-file/node'
import t from 'tap'
import { repairStrings } from '../../src/web/app/shipment/check-strings.js'
import { readPasted, wordsColumn } from '../../src/web/app/shipment/paste.js'
import { strings } from '../../src/web/app/text/strings.js'
import { barriers, look, openPages, refuse, until, WITHOUT_BROWSER } from '../support/browser.js'

const TABLE = [
  'item,hs code,unit',
  'Smartphones,8517.13,pcs',
  'Magnetic stripe key cards,010121,pcs',
  'Magnetic tapes and disks,852351,kg',
  'هواتف ذكية جوال موبايل,,l',
  'Old phones,851712,pcs',
].join('\n')

const STORED = `new Promise(resolve => {
  const open = indexedDB.open('hsapi', 1)
  open.onsuccess = () => {
    const all = open.result.transaction('check').objectStore('check').getAll()
    all.onsuccess = () => { open.result.close(); resolve(all.result) }
  }
})`

t.test('the column with the words is the one that is named so, or has most letters', async t => {
  const column = (text: string) => wordsColumn(readPasted(text))
  t.equal(column(TABLE), 0)
  t.equal(column('code,supplier,description\n851713,Long Name Trading Company,Smartphones\n010121,The Other Company,Horses'), 2)
  t.equal(column('851713\tPhones with cameras\tAED\n010121\tHorses for riding\tAED'), 1)
  t.equal(column('الصنف;رمز\nهاتف;851713\nشاي;090210'), 0)
  t.equal(column('851713,12\n010121,500'), -1, 'no words')
  t.equal(column('851713,AED\n010121,KWD'), -1, 'a currency is not words')
  t.equal(column('851713\n010121'), -1)
})

t.test('repair', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)
  const row = (page: Page, at: number) => page.locator('.checked tbody tr').nth(at)
  const check = async (page: Page, lang: 'en' | 'ar', text: string) => {
    await page.locator('#codes').fill(text)
    await page.getByRole('button', { name: strings[lang].checkGo, exact: true }).click()
  }
  const saved = async (page: Page, ending: 'checkDownload' | 'checkExcel', lang: 'en' | 'ar' = 'en') => {
    const name = strings[lang][ending]
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()])
    return file.path()
  }

  for (const lang of ['en', 'ar'] as const)
    t.test(`words are compared on request, codes accepted one by one or all that are clear (${lang})`, async t => {
      const s = repairStrings[lang]
      const { page, complaints, asked } = await pages.visit(t, `/check?lang=${lang}`, { lang })
      const sent = () => asked.filter(one => one.includes('/api/v1/classify')).length
      await check(page, lang, TABLE)
      await page.getByRole('button', { name: s.compare }).waitFor()
      t.equal(sent(), 0, 'nothing before the visitor wants it')
      t.match(await row(page, 1).textContent(), 'Magnetic stripe key cards', 'words beside the code')
      await page.getByRole('button', { name: s.compare }).click()
      await page.locator('.accept-all').waitFor()
      t.equal(sent(), 1)
      const status = (at: number) => row(page, at).locator('.status').textContent()
      t.match(await row(page, 0).textContent(), s.agrees)
      t.equal(await status(1), s.status.contradicts)
      t.equal(await status(2), s.status.doubtful)
      t.equal(await status(3), strings[lang].status.blank)
      t.equal(await status(4), strings[lang].status.unknown)
      t.match(await row(page, 1).locator('.proposals').textContent(), /852321.*5 %/)
      const perhaps = row(page, 4).locator('.proposals')
      t.match(await perhaps.textContent(), '851713', 'among what the old code became')
      t.equal(await page.locator('.accept-all').textContent(), s.acceptAll(3))
      t.strictSame(await barriers(page), [])

      await perhaps.getByRole('button', { name: s.acceptCode.replace('{code}', '851713') }).click()
      t.equal(await status(4), s.status.corrected)
      t.match(await look(page, 'document.activeElement.className'), 'undo')
      await row(page, 4).locator('.undo').click()
      t.equal(await status(4), strings[lang].status.unknown)
      await perhaps.getByRole('button').first().click()
      await page.locator('.accept-all').click()
      await page.locator('.undo-all').waitFor()
      t.equal(await page.locator('.accept-all').count(), 0)
      t.strictSame(await page.locator('.status').allTextContents(), [
        strings[lang].status.normalised,
        ...Array.from({ length: 4 }, () => s.status.corrected),
      ])

      const lines = readFileSync(await saved(page, 'checkDownload', lang), 'utf8').split('\r\n')
      t.match(lines[0], /,lines,candidates,verdict,corrected_from$/)
      t.match(lines[1], /^Smartphones,8517\.13,pcs,normalised,851713,.*,agrees,$/)
      t.match(lines[2], /^Magnetic stripe key cards,010121,pcs,corrected,852321,.*,5,,,contradicts,010121$/)
      t.match(lines[4], /,l,corrected,851713,.*,\(blank\)$/)
      const rows = await readSheet(await saved(page, 'checkExcel', lang))
      t.strictSame([rows[5]?.[4], rows[5]?.at(-1)], ['851713', '851712'], 'codes are text')
      await page.locator('[data-copy=codes]').click()
      await page.locator('[data-copy=codes]', { hasText: strings[lang].copied }).waitFor()
      t.equal(await look(page, 'navigator.clipboard.readText()'), 'hs_code\n851713\n852321\n852329\n851713\n851713')

      await until(page, `${STORED}.then(works => works.some(work => work.checked?.accepted?.size === 4))`)
      await page.reload()
      await page.locator('.undo-all').waitFor()
      t.equal(await page.locator('.status-corrected').count(), 4, 'kept in the browser')
      t.equal(sent(), 1)
      await page.locator('.undo-all').click()
      t.equal(await page.locator('.accept-all').textContent(), s.acceptAll(3))
      t.strictSame(complaints, [])
    })

  t.test('it waits at the limit, can be stopped and continued, and starts again with another column', async t => {
    const s = repairStrings.en
    const { page } = await pages.visit(t, '/check')
    const sizes: number[] = []
    let isHeld = false
    await page.route('**/api/v1/classify', route => {
      if (isHeld) return
      const { items } = route.request().postDataJSON() as { items: unknown[] }
      sizes.push(items.length)
      if (sizes.length === 1) return refuse(route, 429, 'rate_limit_exceeded', { 'Retry-After': '1' })
      isHeld = sizes.length === 2
      const result = { text: '', status: 'choose', candidates: [], question: null, verdict: { status: 'agrees', against: [] } }
      return route.fulfill({ json: { success: true, data: { items: items.map(() => result) }, meta: {} } })
    })
    await check(page, 'en', `a,item,code\n${'x,Smartphones,851713\n'.repeat(130)}x,,851713`)
    await page.getByRole('button', { name: s.compare }).click()
    await page.locator('.check-repair [data-state=limit]').waitFor()
    await page.locator('.check-repair', { hasText: s.progress(100, 131) }).waitFor()
    await page.getByRole('button', { name: s.stop }).click()
    isHeld = false
    await page.getByRole('button', { name: s.goOn }).click()
    await page.locator('.check-repair', { hasText: s.progress(131, 131) }).waitFor()
    t.strictSame(sizes, [100, 100, 30], 'a row without words is not asked for')
    await page.locator('#words').selectOption('0')
    await until(page, `document.querySelector('.agrees') === null`)
    t.ok(await page.locator('.check-repair').isHidden(), 'one letter is not a title')
    await page.locator('#words').selectOption('-1')
    t.equal(await page.locator('.given-words').count(), 0)
  })

  t.test('accepted codes stay with another country, at its rates', async t => {
    const { page } = await pages.visit(t, '/check')
    await check(page, 'en', 'item,code\nMagnetic stripe key cards,010121\nSmartphones,851713')
    await page.getByRole('button', { name: repairStrings.en.compare }).click()
    await row(page, 0).getByRole('button', { name: 'Accept 852321' }).click()
    t.match(await row(page, 0).locator('.badge').textContent(), '5 %')
    await page.locator('#country').selectOption('SA')
    await row(page, 0).locator('.badge', { hasText: '20 %' }).waitFor()
    t.equal(await row(page, 0).locator('.status').textContent(), repairStrings.en.status.corrected)
  })
})
