/** Legal notes and goods that belong elsewhere, on pages of codes. */
import t from 'tap'
import { strings } from '../../src/web/page/strings.js'
import { barriers, DESKTOP, look, openPages, WITHOUT_BROWSER } from '../support/browser.js'

const PHONE = { width: 360, height: 780 }

t.test('legal notes', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)

  for (const lang of ['en', 'ar'] as const) {
    t.test(`a code shows the notes that touch it, by kind, with links to where excluded goods go (${lang})`, async t => {
      const { page, complaints } = await pages.visit(t, '/code/852329', { lang })
      const excluded = page.locator('.notes-excludes')
      await excluded.waitFor()
      t.match(await excluded.locator('summary').textContent(), strings[lang].noteKinds.excludes)
      t.equal(await excluded.locator('li').count(), 2)
      t.equal(await excluded.locator('li [lang]').first().getAttribute('lang'), lang)
      t.match(
        await excluded.locator('.note-number').first().textContent(),
        lang === 'ar' ? 'الفصل 85، الملاحظة 1(a)' : 'Chapter 85, note 1(a)',
      )
      await excluded.locator('a', { hasText: '9031' }).click()
      await page.waitForURL(/\/code\/9031/)
      t.strictSame(complaints, [])
    })

    t.test(`goods that belong elsewhere lead there, and nothing is shown where there are none (${lang})`, async t => {
      const { page, complaints } = await pages.visit(t, '/code/852329', { lang })
      const first = page.locator('.part-see-also li').first()
      await first.waitFor()
      t.match(await first.textContent(), lang === 'ar' ? 'أشرطة قياس' : 'tapes for measuring')
      t.equal(await first.locator('a').getAttribute('href'), '/code/9031')
      await page.goto(`${pages.url}/code/0101?lang=${lang}`)
      await page.locator('.part-lines li').first().waitFor()
      t.equal(await page.locator('.part-see-also, .part-notes').count(), 0)
      t.strictSame(complaints, [])
    })

    t.test(`a chapter shows the notes on single headings once asked for (${lang})`, async t => {
      const { page, complaints } = await pages.visit(t, '/code/85', { lang })
      await page.locator('.notes-excludes').waitFor()
      t.equal(await page.locator('.notes-group li').count(), 2)
      await page.getByRole('button', { name: strings[lang].allNotes }).click()
      await page.locator('.notes-defines').waitFor()
      t.equal(await page.locator('.notes-group li').count(), 5, 'those of the section stay')
      t.strictSame(complaints, [])
    })

    t.test(`both fit and can be read in both themes, on a desk and on a phone (${lang})`, async t => {
      const { page } = await pages.visit(t, '/code/852329', { lang })
      await page.locator('.notes-excludes').waitFor()
      await page.waitForLoadState('networkidle')
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        for (const size of [DESKTOP, PHONE]) {
          await page.setViewportSize(size)
          t.strictSame(await barriers(page), [], `${colorScheme} ${size.width}`)
          t.ok((await look<number>(page, 'document.documentElement.scrollWidth')) <= size.width)
        }
      }
    })
  }
})
