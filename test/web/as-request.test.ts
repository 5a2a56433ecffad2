/** "This page as a request": what is shown there, run as it stands, gives the data of the page. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Page } from 'playwright-core'
import t from 'tap'
import { shellStrings } from '../../src/web/app/text/strings.js'
import { barriers, look, openPages, WITHOUT_BROWSER } from '../support/browser.js'
import { prepared, run } from '../support/cli.js'

const PYTHON = '/usr/bin/python3'

t.test('a page as a request', { skip: WITHOUT_BROWSER }, async t => {
  const env = await prepared(t)
  const { key } = JSON.parse((await run(['keys', 'create', '--tier', 'pro', '--json'], env)).stdout) as { key: string }
  // where a key is asked for, pages ask for all that they show
  const pages = await openPages(t, { ...env, HSAPI_EXPLORER: 'key' })
  const inShell = (command: string, args: string[]) => {
    const { stdout, stderr } = spawnSync(command, args, { env: { PATH: process.env.PATH, HSAPI_KEY: key } })
    if (stdout.length === 0) t.fail(String(stderr))
    return String(stdout)
  }
  const shown = async (page: Page, name: string) => (await page.locator(`[data-request=${name}]`).textContent()) ?? ''

  for (const { name, path, ready, answer } of [
    { name: 'search', path: "/?q=horse's&in=01&level=6", ready: '.results li', answer: '/api/v1/search' },
    { name: 'record', path: '/code/010121', ready: '.record', answer: '/api/v1/hs-codes/010121' },
    { name: 'tree', path: '/browse', ready: '.tree-row', answer: '/api/v1/chapters' },
    { name: 'branch', path: '/browse/0101', ready: '.tree-row:has-text("010121")', answer: '/api/v1/hs-codes/0101/children' },
    { name: 'classify', path: '/classify?text=live%20horses', ready: '.classify-result', answer: '/api/v1/classify' },
    { name: 'check', path: '/check?codes=8517.13,10121', ready: '.checked tr:nth-child(2)', answer: '/api/v1/resolve' },
  ])
    t.test(`${name}: the curl that is shown gives what the page got`, async t => {
      const { page, complaints } = await pages.visit(t, '/openapi.json')
      const answers: unknown[] = []
      page.on('response', async response => {
        const { pathname, searchParams } = new URL(response.url())
        if (pathname === answer && !searchParams.has('facets') && response.ok())
          answers.push(((await response.json()) as { data: unknown }).data)
      })
      await look(page, `localStorage.setItem('hsapi-key', '${key}')`)
      await page.goto(pages.url + path)
      await page.locator(ready).first().waitFor()
      await page.getByText(shellStrings.en.asRequest, { exact: true }).click()
      await page.locator('[data-request=curl]').waitFor()
      const command = await shown(page, 'curl')
      t.notMatch(await page.content(), /hs_(?:page|pro|free)_/, 'no key on the page')
      const { data } = JSON.parse(inShell('bash', ['-c', command])) as { data: unknown }
      t.ok(answers.length > 0)
      t.strictSame(data, answers.at(-1))
      t.strictSame(complaints, [])
    })

  t.test('the other languages get the same, with the country that was chosen', async t => {
    const { page } = await pages.visit(t, '/openapi.json', { lang: 'ar' })
    await look(page, `localStorage.setItem('hsapi-key', '${key}')`)
    await page.goto(`${pages.url}/code/010121?country=SA&lang=ar`)
    await page.locator('.record').waitFor()
    await page.getByText(shellStrings.ar.asRequest, { exact: true }).click()
    await page.locator('[data-request=curl]').waitFor()
    const command = await shown(page, 'curl')
    t.match(command, 'country=SA')
    const { data } = JSON.parse(inShell('bash', ['-c', command])) as { data: { hs_code: string } }
    t.equal(data.hs_code, '010121')
    t.match(inShell(process.execPath, ['--input-type=module', '-e', await shown(page, 'javascript')]), /hs_code: '010121'/)
    if (existsSync(PYTHON)) t.match(inShell(PYTHON, ['-c', await shown(page, 'python')]), /'hs_code': '010121'/)
    await page.locator('[data-copy=request-curl]').click()
    await page.locator('[data-copy=request-curl] .icon-check').waitFor()
    t.equal(await look(page, 'navigator.clipboard.readText()'), command)
    t.strictSame(await barriers(page), [])
  })

  t.test('it follows the page, and is not there where a page asks nothing', async t => {
    const { page } = await pages.visit(t, '/openapi.json')
    await look(page, `localStorage.setItem('hsapi-key', '${key}')`)
    await page.goto(`${pages.url}/?q=horses`)
    const fold = page.locator('#request')
    await page.locator('.results li').first().waitFor()
    await fold.locator('summary').click()
    await fold.getByText('q=horses').first().waitFor()
    await page.locator('#q').fill('cattle')
    await fold.getByText('q=cattle').first().waitFor()
    await page.locator('.results a').first().click()
    await fold.getByText('/api/v1/hs-codes/').first().waitFor()
    await page.locator('[data-nav-home]').click()
    await page.locator('.sections li').first().waitFor()
    t.ok(await fold.isHidden())
  })
})
