/** The position in the tree is kept. Work on the shipment page is in shipment-kept.test.ts. */
import t from 'tap'
import { inPage, openPages, WITHOUT_BROWSER } from '../support/browser.js'

t.test('the tree', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)

  t.test('open branches of the tree are open again after Back, a reload and in the other language', async t => {
    const { page } = await pages.visit(t, '/browse')
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
    t.match(await inPage(page, 'document.activeElement.textContent'), /^0102/)
  })
})
