/** Legal notes, and goods that belong to other codes, on the pages of codes. */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { strings } from '../../src/web/app/text/strings.js'
import { accessibilityFaults, DESKTOP, goWithin, inPage, openPages, WITHOUT_BROWSER } from '../support/browser.js'
import { builtSnapshot } from '../support/cli.js'

const PHONE = { width: 360, height: 780 }

const MANY = 45

/** The fixture with so many notes on chapter 85 that a list of 20 omits most of them. */
const withManyNotes = (t: Test) =>
  builtSnapshot(t, dataset => {
    const note = (n: number) => `85,excludes,"Chapter 85, note 9(${n})",Exclusion ${n}.,استثناء ${n}.,9031,published\n`
    appendFileSync(join(dataset, 'notes.csv'), Array.from({ length: MANY }, (_, i) => note(i + 1)).join(''))
  })

t.test('legal notes', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)

  for (const lang of ['en', 'ar'] as const) {
    t.test(`a code shows its notes by kind, with links to the codes of excluded goods (${lang})`, async t => {
      const { page, browserErrors } = await pages.visit(t, '/code/852329', { lang })
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
      t.strictSame(browserErrors, [])
    })

    t.test(`pointers lead to the codes of goods that belong elsewhere; without pointers nothing is shown (${lang})`, async t => {
      const { page, browserErrors } = await pages.visit(t, '/code/852329', { lang })
      const first = page.locator('.part-see-also li').first()
      await first.waitFor()
      t.match(await first.textContent(), lang === 'ar' ? 'أشرطة قياس' : 'tapes for measuring')
      t.equal(await first.locator('a').getAttribute('href'), '/code/9031')
      await page.goto(`${pages.url}/code/0101?lang=${lang}`)
      await page.locator('.part-lines li').first().waitFor()
      t.equal(await page.locator('.part-see-also, .part-notes').count(), 0)
      t.strictSame(browserErrors, [])
    })

    t.test(`a chapter shows the notes on individual headings on request (${lang})`, async t => {
      const { page, browserErrors } = await pages.visit(t, '/code/85', { lang })
      await page.locator('.notes-excludes').waitFor()
      t.equal(await page.locator('.notes-group li').count(), 2)
      await page.getByRole('button', { name: strings[lang].allNotes }).click()
      await page.locator('.notes-defines').waitFor()
      t.equal(await page.locator('.notes-group li').count(), 5, 'the notes of the section stay')
      t.strictSame(browserErrors, [])
    })

    t.test(`a code or a chapter shows all of its notes, however many (${lang})`, async t => {
      const many = await openPages(t, { HSAPI_SNAPSHOT: await withManyNotes(t) })
      // first rendered by the server, then fetched by the page
      const { page, browserErrors } = await many.visit(t, `/code/8523?lang=${lang}`, { lang })
      const listed = page.locator('.part-notes')
      const counted = async () => {
        const text = (await listed.textContent()) ?? ''
        return Array.from({ length: MANY }, (_, i) => `${word} ${i + 1}.`).filter(one => text.includes(one)).length
      }
      const word = lang === 'ar' ? 'استثناء' : 'Exclusion'
      await listed.waitFor()
      t.equal(await counted(), MANY)
      t.match(await listed.textContent(), `(${MANY + 2})`, 'the count includes all notes')
      for (const code of ['85', '852329', '8523']) {
        await goWithin(page, `/code/${code}?lang=${lang}`)
        await page.getByRole('heading', { level: 1, name: code }).waitFor()
        await listed.waitFor()
        t.equal(await counted(), MANY, code)
      }
      t.notMatch(await listed.textContent(), new RegExp(`${MANY} (?:of|من)`))
      await goWithin(page, `/compare?codes=8523,9031&lang=${lang}`)
      await page.locator('main').getByText(`${word} ${MANY}.`).first().waitFor({ state: 'attached' })
      t.strictSame(browserErrors, [])
    })

    t.test(`notes and pointers fit and are readable in both themes, on a desktop and on a phone (${lang})`, async t => {
      const { page } = await pages.visit(t, '/code/852329', { lang })
      await page.locator('.notes-excludes').waitFor()
      await page.waitForLoadState('networkidle')
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        for (const size of [DESKTOP, PHONE]) {
          await page.setViewportSize(size)
          t.strictSame(await accessibilityFaults(page), [], `${colorScheme} ${size.width}`)
          t.ok((await inPage<number>(page, 'document.documentElement.scrollWidth')) <= size.width)
        }
      }
    })
  }
})
