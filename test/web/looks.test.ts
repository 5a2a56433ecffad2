/** How the pages look and weigh: languages, themes, sizes, without a barrier, from this host alone. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import t from 'tap'
import { PACKAGE_ROOT } from '../../src/package-root.js'
import {
  DESKTOP,
  type Language,
  look,
  NARROW,
  type Opened,
  openPages,
  PHONE,
  WITHOUT_BROWSER,
} from '../support/browser.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const BYTES_MAX = 100_000

interface Shown {
  name: string
  path: string
  ready: string
  /** What is done there before it is looked at. */
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
  { name: 'record', path: '/code/01012910', ready: '.part-lines li' },
  { name: 'tree', path: '/browse/010129', ready: '[aria-label^="01012910 "]' },
  { name: 'check', path: '/check?codes=8517.13,10121,851712,9.1E%2B9', ready: '.checked tr:nth-child(4)' },
  { name: 'missing', path: '/code/851712', ready: '[data-state=missing] .badge' },
  { name: 'empty', path: '/?q=zzzzqqqq&level=4', ready: '[data-state=empty]' },
]

async function open(opened: Opened, url: string, view: Shown, lang: Language): Promise<void> {
  const separator = view.path.includes('?') ? '&' : '?'
  await opened.page.goto(`${url}${view.path}${separator}lang=${lang}`)
  await opened.page.locator(view.ready).first().waitFor()
  await opened.page.waitForLoadState('networkidle')
  await view.act?.(opened)
}

t.test('all that a visit loads is small', async t => {
  const web = join(PACKAGE_ROOT, 'dist', 'web')
  const size = (name: string) => statSync(join(web, name)).size
  const assets = readdirSync(join(web, 'assets'))
  const loaded = [
    /^main-\w+\.js\.br$/,
    /^styles-\w+\.css\.br$/,
    /^theme-\w+\.js\.br$/,
    /^cairo-\S+\.woff2$/,
    /^icon-\w+\.svg\.br$/,
  ]
  const sizes = loaded.map(one => size(join('assets', assets.find(name => one.test(name)) ?? '')))
  const total = sizes.reduce((sum, one) => sum + one, size('index.ar.html.br'))
  t.ok(total < BYTES_MAX, `${total} bytes`)
  t.ok((sizes[3] as number) < 40_000, 'the Arabic face')
})

t.test('in a browser', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)

  for (const lang of ['en', 'ar'] as const) {
    for (const theme of ['light', 'dark'] as const) {
      t.test(`no barrier, no complaint, no other host (${lang}, ${theme})`, async t => {
        const opened = await pages.visit(t, '/openapi.json', { lang, theme })
        for (const view of VIEWS) {
          await open(opened, pages.url, view, lang)
          await opened.page.evaluate(AXE)
          const found = await look<string[]>(
            opened.page,
            `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
              violations.flatMap(({ id, nodes }) => nodes.map(node => id + ' ' + node.target + ' ' + node.failureSummary)))`,
          )
          t.strictSame(found, [], view.name)
        }
        t.strictSame(opened.complaints, [])
        t.strictSame([...new Set(opened.asked.map(address => new URL(address).origin))], [pages.url])
      })
    }
  }

  for (const [size, lang, theme] of [
    [NARROW, 'en', 'light'],
    [NARROW, 'ar', 'dark'],
    [PHONE, 'ar', 'light'],
    [DESKTOP, 'ar', 'light'],
  ] as const) {
    t.test(`nothing goes over the edge at ${size.width} px (${lang})`, async t => {
      const opened = await pages.visit(t, '/openapi.json', { lang, theme, size })
      for (const view of VIEWS) {
        await open(opened, pages.url, view, lang)
        const beyond = await look<string[]>(
          opened.page,
          `[...document.querySelectorAll('body *')].filter(one => {
            const { left, right, width } = one.getBoundingClientRect()
            if (width === 0 || one.closest('.unseen, .skip')) return false
            // what an ellipsis cuts off is cut off
            for (let up = one.parentElement; up; up = up.parentElement)
              if (getComputedStyle(up).overflowX === 'hidden') return false
            return left < -1 || right > ${size.width} + 1
          }).map(one => one.tagName + '.' + one.className)`,
        )
        t.strictSame(beyond, [], view.name)
        t.ok(
          (await look<number>(opened.page, 'document.documentElement.scrollWidth')) <= size.width,
          view.name,
        )
      }
    })
  }

  t.test('what a finger presses is 44 px high', async t => {
    const opened = await pages.visit(t, '/openapi.json', { size: PHONE })
    for (const view of VIEWS) {
      await open(opened, pages.url, view, 'en')
      const small = await look<string[]>(
        opened.page,
        `[...document.querySelectorAll('button, .button, select, input:not(.unseen):not([type=radio]), .segments span:first-of-type, .bar a, .tree-row, .sections a, [role=option]')]
          .filter(one => one.offsetParent && one.getBoundingClientRect().height < 43.5).map(one => one.outerHTML.slice(0, 80))`,
      )
      t.strictSame(small, [], view.name)
    }
  })

  t.test('Arabic runs right to left in its own face, with codes left to right', async t => {
    const { page } = await pages.visit(t, '/code/851713', { lang: 'ar' })
    await page.locator('.record').waitFor()
    t.equal(await look(page, 'document.documentElement.dir + document.documentElement.lang'), 'rtlar')
    t.equal(
      await look(page, 'document.fonts.ready.then(() => document.fonts.check("16px Cairo", "شاي"))'),
      true,
    )
    t.equal(await look(page, 'getComputedStyle(document.querySelector("h1 .code")).direction'), 'ltr')
    const [brand, theme] = [
      await page.locator('.brand').boundingBox(),
      await page.locator('#theme').boundingBox(),
    ]
    t.ok((brand?.x ?? 0) > (theme?.x ?? 0), 'the page begins at the right')
    await page.locator('#language').click()
    await page.waitForURL(/\/code\/851713\?lang=en/)
    t.equal(await look(page, 'document.documentElement.dir'), 'ltr', 'the same code in the other language')
    await page.locator('.crumbs a').first().click()
    await page.waitForURL(/lang=en/)
  })

  t.test('the theme follows the browser until it is switched, and stays switched', async t => {
    const { page } = await pages.visit(t, '/', { theme: 'light' })
    const ground = () => look<string>(page, 'getComputedStyle(document.documentElement).backgroundColor')
    const light = await ground()
    await page.getByRole('button', { name: 'Dark colours' }).click()
    const dark = await ground()
    t.not(dark, light)
    await page.reload()
    t.equal(await ground(), dark)
    await page.getByRole('button', { name: 'Light colours' }).click()
    t.equal(await ground(), light)
    await page.emulateMedia({ colorScheme: 'dark' })
    t.equal(await ground(), dark, 'back at the browser’s preference, it is followed again')
  })

  t.test('focus can be seen, the first Tab skips to the content, motion can be refused', async t => {
    const { page } = await pages.visit(t, '/check')
    await page.locator('#codes').waitFor()
    await page.keyboard.press('Tab')
    t.equal(await look(page, 'document.activeElement.className'), 'skip')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    t.equal(await look(page, 'document.activeElement.id'), 'codes')
    for (let i = 0; i < 6; i++) {
      await page.keyboard.press('Tab')
      const outline = await look<string>(
        page,
        `(() => { const one = document.activeElement; const seen = one.id === 'file' ? one.nextElementSibling : one
          return one === document.body ? '3px' : getComputedStyle(seen).outlineWidth })()`,
      )
      t.equal(outline, '3px')
    }
    t.equal(await look(page, 'document.getAnimations().length'), 0)
  })

  t.test('the first paint has the box and something to press, before any script', async t => {
    const opened = await pages.visit(t, '/openapi.json')
    await opened.page.route('**/assets/main-*', route => route.abort())
    await opened.page.goto(`${pages.url}/?lang=ar`)
    t.ok(await opened.page.locator('#q').isVisible())
    t.ok(await opened.page.locator('.examples a').first().isVisible())
    await opened.page.goto(`${pages.url}/code/8517`)
    t.ok(await opened.page.locator('.examples').isHidden(), 'the start does not flash on other pages')
  })
})
