/** `/` and Ctrl K focus the search box from everywhere and do not interfere with anything else. */
import t from 'tap'
import { inPage, openPages, until, WITHOUT_BROWSER } from '../support/browser.js'

const FOCUSED = `document.activeElement.id === 'q'`
const MARKED = `document.getElementById('q').value.slice(document.getElementById('q').selectionStart, document.getElementById('q').selectionEnd)`

t.test('keys that open the search', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)

  t.test('Ctrl K selects the text in the box, so that typing replaces it', async t => {
    const { page } = await pages.visit(t, '/?q=horses')
    await page.locator('.results li').first().waitFor()
    await page.keyboard.press('Control+k')
    t.ok(await inPage(page, FOCUSED))
    t.equal(await inPage(page, MARKED), 'horses')
    await page.locator('.results a').first().focus()
    await page.keyboard.press('Control+k')
    t.ok(await inPage(page, FOCUSED), 'the shortcut works on a focused link, too')
    t.equal(await page.locator('#q').getAttribute('aria-keyshortcuts'), '/ Control+K Meta+K')
    t.equal(await page.locator('[data-keys]').textContent(), 'Ctrl K')
  })

  t.test('the shortcut works on any keyboard layout, but not with further or other modifier keys', async t => {
    const { page } = await pages.visit(t, '/code/010121')
    await page.locator('.record').waitFor()
    const press = (init: string) =>
      inPage<boolean>(
        page,
        `!document.body.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ${init} }))`,
      )
    for (const [init, isTaken] of [
      [`key: 'ن', code: 'KeyK', ctrlKey: true`, true],
      [`key: 'K', code: 'KeyK', ctrlKey: true`, true],
      [`key: 'k', code: 'KeyK', ctrlKey: true, shiftKey: true`, false],
      [`key: 'k', code: 'KeyK', ctrlKey: true, altKey: true`, false],
      [`key: 'k', code: 'KeyK', metaKey: true`, false],
      [`key: 't', code: 'KeyK', ctrlKey: true`, false],
      [`key: 'k', code: 'KeyK'`, false],
    ] as const)
      t.equal(await press(init), isTaken, init)
  })

  t.test('words selected on the page are put into the box, and nothing is searched before Enter', async t => {
    const { page } = await pages.visit(t, '/code/010121')
    await page.locator('.descriptions p[lang=en]').waitFor()
    const words = await page.locator('.descriptions p[lang=en]').textContent()
    await inPage(page, `getSelection().selectAllChildren(document.querySelector('.descriptions p[lang=en]'))`)
    await page.keyboard.press('Control+k')
    t.equal(await inPage(page, MARKED), words)
    t.match(page.url(), /\/code\/010121/)
    await page.keyboard.press('Enter')
    await page.locator('.results li').first().waitFor()
    t.equal(new URL(page.url()).searchParams.get('q'), words)
  })

  t.test('a selection in a field stays there, and the shortcut does nothing while a modal dialog is open', async t => {
    const { page } = await pages.visit(t, '/shipment')
    await page.locator('#ship-box').fill('851713')
    await page.locator('#ship-box').selectText()
    await page.keyboard.press('Control+k')
    t.ok(await inPage(page, FOCUSED))
    t.equal(await page.locator('#q').inputValue(), '')
    t.equal(await page.locator('#ship-box').inputValue(), '851713')
    t.equal(await inPage(page, `document.getElementById('ship-box').selectionEnd`), 6)
    await page.locator('#ship-box').focus()
    await page.evaluate(`{ const one = document.createElement('dialog'); one.innerHTML = '<button>x</button>'
      document.body.append(one); one.showModal() }`)
    await page.keyboard.press('Control+k')
    t.notOk(await inPage(page, FOCUSED))
  })

  t.test('the documentation pages have the same shortcuts', async t => {
    const { page } = await pages.visit(t, '/docs/settings')
    await page.keyboard.press('Control+k')
    await until(page, FOCUSED)
    await page.keyboard.type('port')
    await page.locator('#found a').first().waitFor()
  })
})
