/** The pages as an app: installed, opened offline, up to date after a release, and removed with a key or with the explorer. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import type { Catalog } from '../../src/catalog/catalog.js'
import { Guests } from '../../src/gate/guests.js'
import { ROUTES } from '../../src/http/api-routes.js'
import { Visitors } from '../../src/http/visitors.js'
import { newKey } from '../../src/keys/key.js'
import { packageRoot } from '../../src/package-root.js'
import { Counters } from '../../src/quotas/counters.js'
import { keptStrings } from '../../src/web/app/shell/kept-strings.js'
import { strings } from '../../src/web/app/text/strings.js'
import { pageRoutes, unknownPathAnswer } from '../../src/web/server/routes.js'
import { readSite, type Site, type SiteFile } from '../../src/web/server/site.js'
import { accessibilityFaults, inPage, NARROW, until, visitsOf, WITHOUT_BROWSER } from '../support/browser.js'
import { catalogOf, FIXTURE, fixtureCatalog, makeKey, startService, temporaryDirectory } from '../support/service.js'

const site = await readSite(join(packageRoot(), 'dist', 'web'), false)
const textOf = ({ plain }: SiteFile) => Buffer.from(plain as Uint8Array).toString()

/** The same pages after a change to their script, as a build would name them. */
function nextRelease(): Site {
  const main = site.assets.find(({ name }) => /^assets\/main-\w+\.js$/.test(name)) as SiteFile
  const name = 'assets/main-0123456789.js'
  const changed = (file: SiteFile, more = ''): SiteFile => {
    const text = textOf(file)
      .replaceAll(main.name, name)
      .replace(/version:"\w+"/, 'version:"next"')
    return { ...file, hash: `${file.hash}next`, plain: Buffer.from(text + more), coded: {} }
  }
  const script = { ...changed(main, '\ndocument.documentElement.dataset.release = "next"'), name }
  return {
    ...site,
    pages: { ...site.pages, en: changed(site.pages.en), ar: changed(site.pages.ar) },
    app: { ...site.app, worker: changed(site.app.worker) },
    assets: [...site.assets.filter(file => file !== main), script],
  }
}

/** An address that leads to one of several servers, or to none. */
class Front {
  port = 0
  #target: number | undefined
  readonly #sockets = new Set<Socket>()

  static async open(t: Test): Promise<Front> {
    const front = new Front()
    const server = createServer(client => front.#take(client))
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    front.port = (server.address() as { port: number }).port
    t.teardown(() => {
      front.to(undefined)
      server.close()
    })
    return front
  }

  to(target: number | undefined): void {
    this.#target = target
    for (const socket of this.#sockets) socket.destroy()
  }

  #take(client: Socket): void {
    if (this.#target === undefined) return void client.destroy()
    const server = connect(this.#target, '127.0.0.1')
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from)
      from.on('close', () => {
        this.#sockets.delete(from)
        to.destroy()
      })
      from.on('error', () => to.destroy())
      from.pipe(to)
    }
  }
}

const KEPT = `caches.keys().then(async names => (await Promise.all(names.filter(name => name.startsWith('hsapi-answers-')).map(
  async name => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)))).flat())`
const isKept = (page: Page, path: string) => until(page, `${KEPT}.then(paths => paths.includes('${path}'))`)
const SHELLS = `caches.keys().then(names => names.filter(name => name.startsWith('hsapi-shell-')))`

t.test('every file that the manifests name exists', async t => {
  for (const lang of ['en', 'ar'] as const) {
    const [, address = ''] = /<link rel="manifest" href="\/([^"]+)"/.exec(textOf(site.pages[lang])) ?? []
    const file = site.assets.find(({ name }) => name === address) as SiteFile
    t.equal(file.type, 'application/manifest+json')
    const manifest = JSON.parse(textOf(file))
    t.equal(manifest.lang, lang)
    t.equal(manifest.dir, lang === 'ar' ? 'rtl' : 'ltr')
    t.equal(manifest.start_url, `/?lang=${lang}`)
    t.match(manifest.name, strings[lang].title)
    t.ok(manifest.shortcuts.length >= 3)
    for (const { src, sizes, type } of manifest.icons) {
      const icon = site.assets.find(({ name }) => `/${name}` === src) as SiteFile
      t.equal(icon.type, type, src)
      if (type !== 'image/png') continue
      const bytes = Buffer.from(icon.plain as Uint8Array)
      t.equal(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, sizes)
      t.ok(bytes.length < 16_000, `${src}: ${bytes.length} bytes`)
    }
    t.ok(manifest.icons.some(({ purpose }: { purpose?: string }) => purpose === 'maskable'))
  }
})

t.test('the worker caches everything that the document refers to and loads later', async t => {
  const worker = textOf(site.app.worker)
  for (const lang of ['en', 'ar'] as const)
    for (const [, name = ''] of textOf(site.pages[lang]).matchAll(
      /(?:script[^>]* src|stylesheet" href|modulepreload" href)="([^"]+)"/g,
    ))
      t.ok(worker.includes(name), name)
  for (const [, name = ''] of worker.matchAll(/"\/(assets\/[^"]+)"/g))
    t.ok(
      site.assets.some(file => file.name === name),
      name,
    )
  t.ok(site.app.worker.coded.br !== undefined && site.app.worker.coded.br.length < 3000, 'the worker is small')
})

t.test('in a browser', { skip: WITHOUT_BROWSER }, async t => {
  const [own, other] = [makeKey('pro'), makeKey('pro')]
  const start = async (pages: Site | undefined, catalog: Catalog): Promise<number> => {
    if (pages === undefined) return (await startService(t, [own, other], catalog)).port
    const visitors = new Visitors(new Guests(newKey('page'), new Counters(Guests.counters(false).buffer)))
    const routes = [...ROUTES, ...pageRoutes(pages, visitors)]
    return (await startService(t, [own, other], catalog, routes, { visitors, unknownPath: unknownPathAnswer(pages) })).port
  }
  const changed = join(temporaryDirectory(t), 'dataset')
  cpSync(FIXTURE, changed, { recursive: true })
  const chapter = join(changed, 'chapters', '01.csv')
  const text = readFileSync(chapter, 'utf8')
  writeFileSync(chapter, text.replace(/^(010121,"?)/m, '$1Newer '))
  const today = await fixtureCatalog()
  const [first, second, off] = [
    await start(site, today),
    await start(nextRelease(), await catalogOf(changed)),
    await start(undefined, today),
  ]
  const front = await Front.open(t)
  const visits = await visitsOf(`http://127.0.0.1:${front.port}`)
  const NEWER = '.descriptions p:has-text("Newer")'

  t.test('a visited code opens offline with a date, and a newer dataset and release are used automatically', async t => {
    front.to(first)
    const { page, browserErrors } = await visits.visit(t, '/code/010121', { worker: true, size: NARROW })
    const note = page.locator('.offline-note')
    await page.locator('.record').waitFor()
    await isKept(page, '/api/v1/hs-codes/010121')
    await until(page, 'navigator.serviceWorker.controller !== null')
    const shells = await inPage<string[]>(page, SHELLS)
    await page.goto(`${visits.url}/?q=horses`)
    await isKept(page, '/api/v1/search')
    t.equal(await note.count(), 0)

    front.to(undefined)
    for (const lang of ['en', 'ar'] as const) {
      await page.goto(`${visits.url}/code/010121?lang=${lang}`)
      await page.locator('.record').waitFor()
      t.equal(await inPage(page, 'document.documentElement.lang'), lang)
      t.match(await note.textContent(), keptStrings[lang].offline)
      t.match(await note.textContent(), String(new Date().getFullYear()), 'the note has the date')
      t.strictSame(await accessibilityFaults(page), [], lang)
      t.ok((await inPage<number>(page, 'document.documentElement.scrollWidth')) <= NARROW.width)
    }
    await page.goto(`${visits.url}/code/010129?lang=en`)
    await page.locator('[data-state=offline]').waitFor()
    t.equal(await note.isVisible(), false, 'no answer of this page was stored')
    await page.goto(`${visits.url}/shipment?lang=en`)
    await page.locator('#ship-box').waitFor()
    await page.goto(`${visits.url}/?q=horses&lang=en`)
    await page.locator('.results li').first().waitFor()
    await note.waitFor()
    await page.locator('.results a[href*="010121"]').first().click()
    await page.locator('.record').waitFor()
    t.equal(await page.locator(NEWER).count(), 0)

    front.to(second)
    await page.locator(NEWER).first().waitFor()
    t.equal(await note.count(), 0)
    await page.reload()
    await until(page, `document.documentElement.dataset.release === 'next'`)
    await page.locator(NEWER).first().waitFor()
    await until(page, `${SHELLS}.then(names => names.includes('hsapi-shell-next'))`)
    t.strictSame(
      await inPage(page, SHELLS),
      [...shells, 'hsapi-shell-next'],
      'tabs of the earlier release can still load their parts',
    )
    await until(page, `navigator.serviceWorker.getRegistration().then(({ installing, waiting }) => !installing && !waiting)`)
    await until(
      page,
      `caches.match('/api/v1/hs-codes/010121', { ignoreSearch: true }).then(async kept => (await kept.text()).includes('Newer'))`,
    )
    front.to(undefined)
    await page.reload()
    await until(page, `document.documentElement.dataset.release === 'next'`)
    await page.locator(NEWER).first().waitFor()
    await note.waitFor()
    t.strictSame(browserErrors, [])

    front.to(off)
    await page.goto(`${visits.url}/code/010121`)
    await until(page, `caches.keys().then(names => names.length === 0)`)
    await until(page, `navigator.serviceWorker.getRegistrations().then(all => all.length === 0)`)
  })

  t.test('stored answers belong to a key: they are removed with the key, and are never shown with another key', async t => {
    front.to(first)
    const { page } = await visits.visit(t, '/openapi.json', { worker: true })
    await inPage(page, `localStorage.setItem('hsapi-key', '${own.key}')`)
    await page.goto(`${visits.url}/code/010121`)
    await page.locator('.record').waitFor()
    await isKept(page, '/api/v1/hs-codes/010121')
    await until(page, 'navigator.serviceWorker.controller !== null')
    const stored = await inPage<string>(
      page,
      `caches.keys().then(async names => JSON.stringify(await Promise.all(names.map(async name => {
        const cache = await caches.open(name)
        const kept = await Promise.all((await cache.matchAll()).map(async one => [...one.headers, await one.text()]))
        return [name, kept, (await cache.keys()).map(one => [one.url, ...one.headers])]
      }))))`,
    )
    t.match(stored, /hsapi-answers-[0-9a-f]{24}/)
    t.notOk(stored.includes(own.key), 'the stored data does not contain the key')
    t.notOk(stored.includes(own.key.slice(-12)))

    front.to(undefined)
    await inPage(page, `localStorage.setItem('hsapi-key', '${other.key}')`)
    await page.reload()
    await page.locator('[data-state=offline]').waitFor()
    await inPage(page, `localStorage.removeItem('hsapi-key')`)
    await page.reload()
    await page.locator('[data-state=offline]').waitFor()
    await inPage(page, `localStorage.setItem('hsapi-key', '${own.key}')`)
    await page.reload()
    await page.locator('.record').waitFor()
    await page.locator('#forget').click()
    await until(page, `${KEPT}.then(paths => paths.length === 0)`)
    await page.locator('[data-state=offline]').waitFor()
  })

  t.test(
    'two hundred answers are stored, the oldest are dropped first, and only the last text of a typed search is stored',
    async t => {
      front.to(first)
      const { page } = await visits.visit(t, '/', { worker: true })
      await page.locator('.sections li').first().waitFor()
      await isKept(page, '/api/v1/chapters')
      await inPage(
        page,
        `caches.open('hsapi-answers-open').then(async cache => {
        for (let i = 0; i < 199; i++) await cache.put('/api/v1/hs-codes/' + i, new Response('{}'))
      })`,
      )
      await page.locator('#q').pressSequentially('horses')
      await page.locator('.results li').first().waitFor()
      await isKept(page, '/api/v1/search')
      await until(page, `${KEPT}.then(paths => paths.length <= 200)`)
      const paths = await inPage<string[]>(page, KEPT)
      const searches = await inPage<string[]>(
        page,
        `caches.open('hsapi-answers-open').then(async cache => [...new Set((await cache.keys())
        .map(({ url }) => new URL(url).searchParams.get('q')).filter(q => q !== null))])`,
      )
      t.strictSame(searches, ['horses'])
      t.notOk(paths.includes('/api/v1/chapters'), 'the oldest answer was dropped')
      t.ok(paths.includes('/api/v1/hs-codes/198'))
    },
  )
})
