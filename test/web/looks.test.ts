/** Appearance and size of the pages: languages, themes, window sizes, accessibility, and files from this host only. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Route } from 'playwright-core'
import t from 'tap'
import { packageRoot } from '../../src/package-root.js'
import {
  accessibilityFaults,
  BEYOND,
  DESKTOP,
  inPage,
  NARROW,
  type Opened,
  openPages,
  PHONE,
  WITHOUT_BROWSER,
} from '../support/browser.js'

const BYTES_MAX = 100_000

interface Shown {
  name: string
  path: string
  ready: string
  /** Action before the page is checked. */
  act?: (opened: Opened) => Promise<void>
}

const VIEWS: readonly Shown[] = [
  { name: 'start', path: '/', ready: '.sections li' },
  { name: 'results', path: '/?q=horses&in=01&level=6', ready: '.results li' },
  {
    name: 'suggestions',
    path: '/?q=c',
    ready: '.hint',
    act: async ({ page }) => {
      await page.locator('#q').focus()
      await page.keyboard.press('End')
      await page.keyboard.type('a')
      await page.locator('#suggestions [role=option]').first().waitFor()
      await page.keyboard.press('ArrowDown')
    },
  },
  {
    name: 'facets',
    path: '/?q=measuring',
    ready: '.narrow small',
    act: async ({ page }) => page.locator('.results .pick').first().click(),
  },
  { name: 'comparison', path: '/compare?codes=852321,852329,0101', ready: '.compare-names' },
  {
    name: 'record',
    path: '/code/01012910',
    ready: '.part-lines li',
    act: async ({ page }) => {
      await page.locator('[data-keep=compare]').click()
      await page.locator('.compare-link').waitFor()
    },
  },
  { name: 'kept codes', path: '/', ready: '.kept-recent .chip' },
  { name: 'tree', path: '/browse/010129', ready: '.tree-row:has-text("01012910")' },
  { name: 'shipment, empty', path: '/shipment', ready: '#ship-box' },
  { name: 'shipment, codes', path: '/shipment?codes=8517.13,10121,851712,9.1E%2B9', ready: '.ship-accept' },
  {
    name: 'title',
    path: '/?q=Magnetic+cards+and+measuring+tapes',
    ready: '.candidates .card-path li',
    act: async ({ page }) => {
      await page.locator('.classify-rest summary').click()
      await page.locator('.classify-rest .card-path li').first().waitFor()
    },
  },
  { name: 'title, narrowed', path: '/?q=old+phones&within=85.851713,851718', ready: '.classify-steps li:nth-child(2)' },
  { name: 'title, a line', path: '/?q=Magnetic+tapes&within=852329', ready: '.classify-line .card-path li' },
  {
    name: 'all chapters',
    path: '/?q=measuring&in=90&rate=5',
    ready: '.narrow small',
    act: async ({ page }) => {
      const more = page.locator('[data-more]:visible')
      if ((await more.count()) > 0) await more.click()
    },
  },
  {
    name: 'shipment, opened rows',
    path: '/shipment',
    ready: '#ship-box',
    act: async ({ page }) => {
      const text = 'item,code,value\nMagnetic cards and measuring tapes,,\nTapes,852329,20\nHorses,0101,\nOld phones,851712,1.234'
      await page.locator('#ship-box').fill(text)
      await page.locator('.ship-paste [type=submit]').click()
      for (const toggle of await page.locator('.ship-toggle').all()) await toggle.click()
      for (const part of ['.ship-candidates', '.ship-line', '.ship-controls', '.ship-perhaps'])
        await page.locator(part).first().waitFor()
      await page.locator('.ship-quote summary').click()
      await page.locator('.ship-row [data-field=code]').first().fill('magnetic')
      await page.locator('.ship-found [role=option]').first().waitFor()
    },
  },
  {
    name: 'shipment, clear rows',
    path: '/shipment?rows=______Smartphones*______Magnetic+stripe+key+cards',
    ready: '.ship-accept',
    act: async ({ page }) => page.locator('.ship-accept-all').click(),
  },
  {
    name: 'embed',
    path: '/embed',
    ready: 'hsapi-search[key]',
    act: async ({ page }) => {
      await page.locator('hsapi-search input').fill('horses')
      await page.locator('hsapi-search [role=option]').first().waitFor()
    },
  },
  { name: 'estimate', path: '/code/010221?country=SA&value=900', ready: '.quote-tools [data-print-sheet]' },
  {
    name: 'shipment, amounts',
    path: '/shipment?country=SA&rows=01012910_1000*010221_900_100_CH*851712_50*851713_1.234',
    ready: '.ship-totals dl',
  },
  { name: 'missing', path: '/code/851712', ready: '[data-state=missing] .codes [lang]' },
  { name: 'empty', path: '/?q=zzzzqqqq&level=4', ready: '[data-state=empty]' },
]

const PRESSED =
  'button, .button, select, textarea, input:not(.unseen):not([type=radio]), .segments label, .bar a, .tree-row, .sections a, [role=option]'
const SMALL = `[...document.querySelectorAll(${JSON.stringify(PRESSED)})]
  .filter(one => one.offsetParent && one.getBoundingClientRect().height < 43.5)
  .map(one => one.outerHTML.slice(0, 80))`

t.test('everything that a visit loads is small', async t => {
  const web = join(packageRoot(), 'dist', 'web')
  const size = (name: string) => statSync(join(web, name)).size
  const page = readFileSync(join(web, 'index.ar.html'), 'utf8')
  // the manifest and the icons for phones are fetched only on installation
  const named = new Set(page.match(/\/assets\/[\w.-]+\.(?:js|css|svg|woff2)/g))
  t.ok(named.size >= 6, 'the document names a script, its parts, styles, theme, font and icon')
  const sizes = [...named].map(name => size(name.endsWith('.woff2') ? name : `${name}.br`))
  const total = sizes.reduce((sum, one) => sum + one, size('index.ar.html.br'))
  t.ok(total < BYTES_MAX, `${total} bytes`)
  t.ok(size([...named].find(name => name.endsWith('.woff2')) ?? '') < 40_000, 'the Arabic font is small')
})

t.test('in a browser', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)

  for (const lang of ['en', 'ar'] as const) {
    t.test(`every view is accessible in both themes and fits every size (${lang})`, async t => {
      const opened = await pages.visit(t, '/openapi.json', { lang })
      const { page } = opened
      for (const view of VIEWS) {
        await page.setViewportSize(DESKTOP)
        await page.emulateMedia({ colorScheme: 'light' })
        await page.goto(`${pages.url}${view.path}${view.path.includes('?') ? '&' : '?'}lang=${lang}`)
        await page.locator(view.ready).first().waitFor()
        await page.waitForLoadState('networkidle')
        await view.act?.(opened)
        t.strictSame(await accessibilityFaults(page), [], `${view.name}: accessibility`)
        await page.emulateMedia({ colorScheme: 'dark' })
        t.strictSame(await accessibilityFaults(page, `{ runOnly: ['color-contrast'] }`), [], `${view.name}: dark theme`)
        for (const size of [DESKTOP, PHONE, NARROW]) {
          await page.setViewportSize(size)
          t.strictSame(await inPage(page, BEYOND), [], `${view.name}: ${size.width} px`)
          t.ok((await inPage<number>(page, 'document.documentElement.scrollWidth')) <= size.width)
        }
        t.strictSame(await inPage(page, SMALL), [], `${view.name}: every control is large enough for a finger`)
      }
      t.strictSame(opened.browserErrors, [])
      t.strictSame([...new Set(opened.asked.map(address => new URL(address).origin))], [pages.url])
    })
  }

  for (const lang of ['en', 'ar'] as const) {
    t.test(`a long path to a line of twelve digits fits on the narrowest phone (${lang})`, async t => {
      const { page } = await pages.visit(t, '/openapi.json', { lang, size: NARROW })
      const words = (text: string) => ({
        en: `${text} of many words and more`,
        ar: `${text} بكلمات كثيرة وأكثر منها`,
      })
      const above = ['85', '8504', '850440', '85044050'].map(code => ({
        hs_code: code,
        description: words(code),
      }))
      const data = [{ hs_code: '850440500001', description: words('Chargers'), tariff_rate: 5, path: above }]
      const meta = {
        timestamp: '2026-05-04T12:00:00+00:00',
        api_version: '1.0.0',
        total: 1,
        limit: 20,
        offset: 0,
        count: 1,
      }
      await page.route('**/api/v1/search*', route => route.fulfill({ json: { success: true, data, meta } }))
      await page.goto(`${pages.url}/?q=chargers&lang=${lang}`)
      await page.locator('.results li').first().waitFor()
      t.equal(await inPage(page, 'document.documentElement.scrollWidth'), NARROW.width)
      const steps = await inPage<{ text: string; isWhole: boolean }[]>(
        page,
        `[...document.querySelectorAll('.above .code')].filter(one => one.getClientRects().length > 0).map(one => {
          const place = document.querySelector('.above').getBoundingClientRect()
          const { left, right } = one.getBoundingClientRect()
          return { text: one.textContent, isWhole: right > left && left >= place.left - 1 && right <= place.right + 1 }
        })`,
      )
      t.strictSame(
        steps,
        ['8504', '850440', '85044050'].map(text => ({ text, isWhole: true })),
        'every code is visible in full',
      )
      const [code, facts] = [await page.locator('.hit > .code').boundingBox(), await page.locator('.hit-facts').boundingBox()]
      if (!code || !facts) return t.fail('code and rate are shown')
      const isApart = code.y + code.height <= facts.y + 1 || code.x + code.width <= facts.x || facts.x + facts.width <= code.x
      t.ok(isApart, 'the rate does not cover the code')
    })
  }

  for (const lang of ['en', 'ar'] as const)
    t.test(`on a phone, words that are too wide break, and the filter by digits has a label (${lang})`, async t => {
      const { page } = await pages.visit(t, '/openapi.json', { lang, size: { width: 360, height: 740 } })
      const long = { en: 'Dichlorodiphenyltrichloroethane'.repeat(3), ar: 'هيدروكسيكلوروكوين'.repeat(4) }
      const lengthen = (text: string) => text.replace(/"description":\{[^}]*\}/g, `"description":${JSON.stringify(long)}`)
      const answer = async (route: Route) => {
        const response = await route.fetch()
        await route.fulfill({ response, body: lengthen(await response.text()) })
      }
      // the page may have moved on to the next address before an answer arrives
      await page.route('**/api/v1/**', route => answer(route).catch(() => {}))
      for (const [path, ready] of [
        ['/?q=horses', '.results li'],
        ['/code/010121', '.siblings li'],
        ['/code/0101', '.part-below li'],
        ['/browse/0101', '.tree-row:has-text("010121")'],
        ['/code/851712', '[data-state=missing] .codes [lang]'],
      ] as const) {
        await page.goto(`${pages.url}${path}${path.includes('?') ? '&' : '?'}lang=${lang}`)
        await page.locator(ready).first().waitFor()
        t.strictSame(await inPage(page, BEYOND), [], path)
        t.equal(await inPage(page, 'document.documentElement.scrollWidth'), 360, path)
      }
      await page.goto(`${pages.url}/?q=horses&lang=${lang}`)
      await page.locator('.results li').first().waitFor()
      const label = await page.locator('.filters legend').boundingBox()
      t.ok((label?.width ?? 0) > 20 && (label?.height ?? 0) > 10, 'the label is visible')
      const size = (selector: string) => inPage<string>(page, `getComputedStyle(document.querySelector('${selector}')).fontSize`)
      const [first, second] = [await size('.hit-words > span'), await size('.second > span')].map(Number.parseFloat)
      t.ok((second as number) / (first as number) > 0.85, `${first} and ${second} px`)
    })

  t.test('Arabic runs right to left in its own font, with codes left to right', async t => {
    const { page } = await pages.visit(t, '/code/851713', { lang: 'ar' })
    await page.locator('.record').waitFor()
    t.equal(await inPage(page, 'document.documentElement.dir + document.documentElement.lang'), 'rtlar')
    t.equal(await inPage(page, 'document.fonts.ready.then(() => document.fonts.check("16px Cairo", "شاي"))'), true)
    t.equal(await inPage(page, 'getComputedStyle(document.querySelector("h1 .code")).direction'), 'ltr')
    const [brand, theme] = [await page.locator('.brand').boundingBox(), await page.locator('#theme').boundingBox()]
    t.ok((brand?.x ?? 0) > (theme?.x ?? 0), 'the page starts at the right')
    await page.locator('#language').click()
    await page.waitForURL(/\/code\/851713\?lang=en/)
    t.equal(await inPage(page, 'document.documentElement.dir'), 'ltr', 'the link leads to the same code in the other language')
    await page.locator('.crumbs a').first().click()
    await page.waitForURL(/lang=en/)
  })

  t.test('the theme follows the browser until it is switched, and then stays', async t => {
    const { page } = await pages.visit(t, '/', { theme: 'light' })
    const ground = () => inPage<string>(page, 'getComputedStyle(document.documentElement).backgroundColor')
    const light = await ground()
    await page.getByRole('button', { name: 'Dark colours' }).click()
    const dark = await ground()
    t.not(dark, light)
    await page.reload()
    t.equal(await ground(), dark)
    await page.getByRole('button', { name: 'Light colours' }).click()
    t.equal(await ground(), light)
    await page.emulateMedia({ colorScheme: 'dark' })
    t.equal(await ground(), dark, 'after a switch back to the browser’s preference, the page follows the browser again')
  })

  t.test('focus is visible, the first Tab skips to the content, motion can be turned off', async t => {
    const { page } = await pages.visit(t, '/shipment')
    await page.locator('#ship-box').waitFor()
    await page.keyboard.press('Tab')
    t.equal(await inPage(page, 'document.activeElement.className'), 'skip')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    t.equal(await inPage(page, 'document.activeElement.id'), 'ship-box')
    for (let i = 0; i < 6; i++) {
      await page.keyboard.press('Tab')
      const outline = await inPage<string>(
        page,
        `(() => { const one = document.activeElement; const seen = one.id === 'ship-file' ? one.nextElementSibling : one
          return one === document.body ? '3px' : getComputedStyle(seen).outlineWidth })()`,
      )
      t.equal(outline, '3px')
    }
    t.equal(await inPage(page, 'document.getAnimations().length'), 0)
  })

  t.test('the first paint has the search box and links, before any script runs', async t => {
    const opened = await pages.visit(t, '/openapi.json')
    await opened.page.route('**/assets/main-*', route => route.abort())
    await opened.page.goto(`${pages.url}/?lang=ar`)
    t.ok(await opened.page.locator('#q').isVisible())
    t.ok(await opened.page.locator('.examples a').first().isVisible())
    await opened.page.goto(`${pages.url}/code/8517`)
    t.ok(await opened.page.locator('.examples').isHidden(), 'other pages do not show parts of the start page')
  })
})
