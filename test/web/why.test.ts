/** Everyday names: on a record, and on a result that matched one of them. */
import t from 'tap'
import { strings } from '../../src/web/app/text/strings.js'
import { accessibilityFaults, DESKTOP, inPage, openPages, WITHOUT_BROWSER } from '../support/browser.js'

const PHONE = { width: 360, height: 780 }

t.test('everyday names', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)

  for (const lang of ['en', 'ar'] as const) {
    t.test(`a record shows its names in both languages, the visitor's first (${lang})`, async t => {
      const { page, browserErrors } = await pages.visit(t, '/code/851713', { lang })
      const rows = page.locator('.names ul')
      await rows.first().waitFor()
      t.equal(await page.locator('.names h2').textContent(), strings[lang].namesTitle)
      t.equal(await rows.first().getAttribute('lang'), lang)
      const names = await page.locator('.names li').allTextContents()
      t.strictSame(new Set(names), new Set(['mobile phones', 'iphone', 'جوال', 'موبايل']))
      await page.goto(`${pages.url}/code/8517?lang=${lang}`)
      await page.locator('.part-lines li').first().waitFor()
      t.equal(await page.locator('.names').count(), 0, 'a code without names has no such row')
      t.strictSame(browserErrors, [])
    })

    t.test(`a result shows the name that matched, if its description does not show why (${lang})`, async t => {
      const { page, browserErrors } = await pages.visit(t, '/?q=usb+stick', { lang })
      const first = page.locator('.results li').first()
      await first.waitFor()
      const expected = strings[lang].matched.replace('{name}', 'usb sticks')
      t.equal(await first.locator('.matched').textContent(), expected)
      t.strictSame(await first.locator('.matched mark').allTextContents(), ['usb', 'sticks'])
      t.equal(await first.locator('.matched [lang=en]').getAttribute('dir'), 'ltr')
      await page.goto(`${pages.url}/?q=smartphones&lang=${lang}`)
      await page.locator('.results mark').first().waitFor()
      t.equal(await page.locator('.results li', { hasText: '851713' }).first().locator('.matched').count(), 0)
      t.strictSame(browserErrors, [])
    })

    t.test(`names and matched names fit and are readable in both themes, on a desktop and on a phone (${lang})`, async t => {
      const { page } = await pages.visit(t, '/openapi.json', { lang })
      for (const [path, ready] of [
        ['/code/851713', '.names'],
        ['/?q=iphone', '.matched'],
      ] as const) {
        await page.goto(`${pages.url}${path}${path.includes('?') ? '&' : '?'}lang=${lang}`)
        await page.locator(ready).first().waitFor()
        await page.waitForLoadState('networkidle')
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          for (const size of [DESKTOP, PHONE]) {
            await page.setViewportSize(size)
            t.strictSame(await accessibilityFaults(page), [], `${path} ${colorScheme} ${size.width}`)
            t.ok((await inPage<number>(page, 'document.documentElement.scrollWidth')) <= size.width)
          }
        }
      }
    })
  }
})
